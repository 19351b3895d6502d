import { describe, expect, it } from 'vitest';
import { ageInDays } from '../../../../src/settings/key/key.ts';

describe('ageInDays', () => {
  const now = Date.parse('2026-06-01T12:00:00Z');
  it.each([
    ['2026-06-01T11:00:00Z', 0],
    ['2026-05-31T12:00:00Z', 1],
    ['2026-03-03T12:00:00.001Z', 89],
    ['2026-03-03T12:00:00Z', 90],
    ['2027-01-01T00:00:00Z', 0],
    ['yesterday', undefined],
    [undefined, undefined],
  ])('of a key stored at %s is %s', (storedAt, days) => {
    expect(ageInDays(storedAt, now)).toBe(days);
  });
});

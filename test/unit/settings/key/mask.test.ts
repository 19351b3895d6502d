import { describe, expect, it } from 'vitest';
import { ageInDays, maskKey } from '../../../../src/settings/key/mask.ts';
import { fc } from '../../../helpers/properties.ts';

describe('maskKey', () => {
  it.each([
    ['wrp_abcdefghijklmnop', 'wrp_****mnop'],
    ['wrp_ab-_cdefghijklmnop', 'wrp_****mnop'],
    ['wrp_abcdefghijklmno', 'wrp_****'],
    ['wrp_abcdefg', '****'],
    ['abcdefghijklmnopqrstuvwxyz', '****wxyz'],
    ['abcdefghijklmnop_qrstuvwxyz', '****wxyz'],
    ['x', '****'],
  ])('%s', (key, masked) => {
    expect(maskKey(key)).toBe(masked);
  });

  it('never shows six characters in a row of what follows the prefix', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/);
    fc.assert(
      fc.property(secret, (random) => {
        const masked = maskKey(`wrp_${random}`).replace(/^wrp_/, '');
        for (let i = 0; i + 6 <= random.length; i++) expect(masked).not.toContain(random.slice(i, i + 6));
      }),
    );
  });
});

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
  ])('%s', (storedAt, days) => {
    expect(ageInDays(storedAt, now)).toBe(days);
  });
});

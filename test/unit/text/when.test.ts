import { expect, it } from 'vitest';
import { month, nextMonth, whenWords } from '../../../src/text/when.ts';

it.each([
  ['2026-11-21T16:00:30Z', 'at 16:00 UTC, in 30 s'],
  ['2026-11-21T16:59:00Z', 'at 16:59 UTC, in 59 minutes'],
  ['2026-11-22T00:00:00Z', 'on 22 November (UTC), in 8 hours'],
  ['2026-11-22T09:30:00Z', 'on 22 November at 09:30 UTC, in 18 hours'],
  ['2026-12-01T00:00:00Z', 'on 1 December (UTC), in 9 days'],
  ['2027-01-01T00:00:00Z', 'on 1 January 2027 (UTC), in 40 days'],
  ['2058-07-30T00:00:00Z', 'on 30 July 2058 (UTC), in 32 years'],
])('%s is %s', (at, words) => {
  expect(whenWords(Date.parse(at), Date.parse('2026-11-21T16:00:00Z'))).toBe(words);
});

it('a month ends at midnight UTC of its last day', () => {
  expect(nextMonth(Date.UTC(2024, 1, 29, 23))).toBe(Date.UTC(2024, 2, 1));
  expect(nextMonth(Date.UTC(2024, 2, 1))).toBe(Date.UTC(2024, 3, 1));
  expect(nextMonth(Date.UTC(2025, 11, 31, 23, 59))).toBe(Date.UTC(2026, 0, 1));
  expect(month(Date.UTC(2025, 11, 31, 23, 59))).toBe('2025-12');
});

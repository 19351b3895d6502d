import { expect, it } from 'vitest';
import { whenWords } from '../../../src/text/when.ts';

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

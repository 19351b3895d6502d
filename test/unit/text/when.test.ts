import { expect, it } from 'vitest';
import { month, nextMonth, parseMoment, whenWords } from '../../../src/text/when.ts';

it.each([
  ['2026-11-21T16:00:30Z', 'at 16:00 UTC, in 30 s'],
  ['2026-11-21T16:59:00Z', 'at 16:59 UTC, in 59 minutes'],
  ['2026-11-22T00:00:00Z', 'on 22 November (UTC), in 8 hours'],
  ['2026-11-22T09:30:00Z', 'on 22 November at 09:30 UTC, in 18 hours'],
  ['2026-12-01T00:00:00Z', 'on 1 December (UTC), in 9 days'],
  ['2027-01-01T00:00:00Z', 'on 1 January 2027 (UTC), in 40 days'],
  ['2058-07-30T00:00:00Z', 'on 30 July 2058 (UTC), in 32 years'],
])('writes %s as a time from now: %s', (at, words) => {
  expect(whenWords(Date.parse(at), Date.parse('2026-11-21T16:00:00Z'))).toBe(words);
});

it('ends a month at midnight UTC of its last day', () => {
  expect(nextMonth(Date.UTC(2024, 1, 29, 23))).toBe(Date.UTC(2024, 2, 1));
  expect(nextMonth(Date.UTC(2024, 2, 1))).toBe(Date.UTC(2024, 3, 1));
  expect(nextMonth(Date.UTC(2025, 11, 31, 23, 59))).toBe(Date.UTC(2026, 0, 1));
  expect(month(Date.UTC(2025, 11, 31, 23, 59))).toBe('2025-12');
});

it.each([
  ['2026-12-31', '2026-12-31T00:00:00.000Z'],
  ['2026-12-31T08:00', '2026-12-31T08:00:00.000Z'],
  ['2026-12-31T08:00:30.069Z', '2026-12-31T08:00:30.069Z'],
  ['2026-12-31T08:00:30,5-0130', '2026-12-31T09:30:30.500Z'],
  [' 2026-12-31t23:30:00-02 ', '2027-01-01T01:30:00.000Z'],
  ['20261231T0800+01:00', '2026-12-31T07:00:00.000Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
])('reads the time %s as %s', (text, expected) => {
  expect(new Date(parseMoment(text) ?? Number.NaN).toISOString()).toBe(expected);
});

it.each([
  ...['', '20261231', '2026-12', '2026-02-30', '2026-02-30T08:00Z', '2026-1231T08:00Z', '2026-12-31T08'],
  ...['2026-12-31T08:60Z', '2026-12-31T24:00Z', '2026-12-31T08:00+24:00', '2026-12-31T08:00 CET'],
  ...['Tue, 01 Jan 2030 12:00:05 GMT', '1735689600'],
])('reads no time from %j', (text) => expect(parseMoment(text)).toBeUndefined());

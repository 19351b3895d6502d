/** Moments in the past, as --as-of and --since take them. */
import { expect, it } from 'vitest';
import { parsePast } from '../../../src/cli/past.ts';

const NOW = Date.parse('2026-11-22T18:04:46.500Z');
const at = (text: string) => new Date(parsePast(text, '--as-of').at(NOW)).toISOString();

it.each([
  ['2026-11-15', '2026-11-15T23:59:59.999Z'],
  [' 2026-02-28 ', '2026-02-28T23:59:59.999Z'],
  ['2026-11-15T12:00:00Z', '2026-11-15T12:00:00.000Z'],
  ['2026-11-15T12:00+02:00', '2026-11-15T10:00:00.000Z'],
  ['2026-11-15T12:00', '2026-11-15T12:00:00.000Z'],
  ['7d', '2026-11-15T23:59:59.999Z'],
  ['0d', '2026-11-22T23:59:59.999Z'],
  ['168h', '2026-11-15T18:04:46.500Z'],
  ['1.5d', '2026-11-21T06:04:46.500Z'],
  ['30s', '2026-11-22T18:04:16.500Z'],
])('reads %s as %s', (text, expected) => expect(at(text)).toBe(expected));

it.each(['', '2026-02-30', '2026-11-15T24:00', 'yesterday', '-7d', '15.11.2026'])('reads no moment from %j', (text) => {
  expect(() => at(text)).toThrow('--as-of is not a date or time');
});

it('refuses a moment in the future, but takes a day that has started in another time zone', () => {
  expect(at('2026-11-23')).toBe('2026-11-23T23:59:59.999Z');
  expect(() => at('2026-11-25')).toThrow("--as-of is in the future: '2026-11-25'");
  expect(() => at('2062-11-15T00:00:00Z')).toThrow('--as-of is in the future');
});

import { expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/settings/typed-values.ts';
import { fc } from '../../fixtures/properties.ts';

it.each([
  ['500ms', 500],
  ['3s', 3_000],
  ['5m', 300_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['3w', 1_814_400_000],
  ['30', 30_000],
  ['1.5s', 1_500],
  [' 2 s ', 2_000],
  ['0', 0],
])('reads the duration %j', (text, ms) => expect(parseDuration(text)).toBe(ms));

it.each([
  ...['', ' ', 's', '-1', '-1s', '1y', '1e3', '1,5s', '0x10', 'Infinity', 'NaN', '3 s 2', '5M', `${'9'.repeat(40)}h`],
])('refuses the duration %j', (text) => {
  expect(() => parseDuration(text, '--timeout')).toThrow(/^--timeout is not a duration: /);
});

it.each([
  [0, '0s'],
  [450, '450ms'],
  [1_000, '1s'],
  [1_500, '1.5s'],
  [90_000, '90s'],
  [60_000, '1m'],
  [86_400_000, '24h'],
])('writes %i ms as the duration %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

it('reads back any duration that it writes', () => {
  fc.assert(fc.property(fc.nat({ max: 2 ** 40 }), (ms) => parseDuration(formatDuration(ms)) === ms));
});

import { expect, it } from 'vitest';
import { settingLine } from '../../../src/text/shell.ts';

it.each([
  ['linux', `export NAME='it'\\''s'\n`],
  ['darwin', `export NAME='it'\\''s'\n`],
  ['win32', `$env:NAME = 'it''s'\n`],
])('a variable is set as the shell of %s takes it', (platform, line) => {
  expect(settingLine('NAME', "it's", platform)).toBe(line);
});

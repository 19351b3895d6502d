import { expect, it } from 'vitest';
import { programLine, readingFrom, settingLine, shellWord } from '../../../src/text/shell.ts';

it.each([
  ['linux', `export NAME='it'\\''s'\n`],
  ['darwin', `export NAME='it'\\''s'\n`],
  ['win32', `$env:NAME = 'it''s'\n`],
])('sets a variable in the syntax of the shell of %s', (platform, line) => {
  expect(settingLine('NAME', "it's", platform)).toBe(line);
});

it.each([
  ['list.csv', 'list.csv', 'list.csv'],
  ['--csv', '--csv', '--csv'],
  ['C:\\lists\\a.csv', "'C:\\lists\\a.csv'", 'C:\\lists\\a.csv'],
  ['C:\\my lists\\', "'C:\\my lists\\'", "'C:\\my lists\\'"],
  ['my list.csv', "'my list.csv'", '"my list.csv"'],
  ["it's", "'it'\\''s'", '"it\'s"'],
  ['score < 5', "'score < 5'", '"score < 5"'],
  ['level == "High"', `'level == "High"'`, `'level == "High"'`],
  ["$HOME's", "'$HOME'\\''s'", "'$HOME''s'"],
  ['%PATH%', '%PATH%', "'%PATH%'"],
  ['a,b', 'a,b', '"a,b"'],
  ['@-', '@-', '"@-"'],
  ['-a.b', '-a.b', '"-a.b"'],
  ['', "''", '""'],
])('quotes the word %j as %s for POSIX shells and as %s on Windows', (word, posix, windows) => {
  expect([shellWord(word, 'linux'), shellWord(word, 'win32')]).toEqual([posix, windows]);
});

it('calls a quoted program with & in PowerShell', () => {
  const words = ['C:\\Program Files\\op.exe', 'read', 'op://vault/key'];
  expect(programLine(words, 'win32')).toBe('& "C:\\Program Files\\op.exe" read op://vault/key');
  expect(programLine(['op', 'read'], 'win32')).toBe('op read');
  expect(programLine(['/opt/my vault/op', 'read'], 'linux')).toBe("'/opt/my vault/op' read");
});

it.each([
  ['linux', 'riskcli keys set < key.txt'],
  ['win32', 'type key.txt | riskcli keys set'],
])('redirects a file in the syntax of the shell of %s', (platform, line) => {
  expect(readingFrom('key.txt', 'riskcli keys set', platform)).toBe(line);
});

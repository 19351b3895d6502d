import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ageInDays, parseKey, readKeyFile } from '../../../../src/settings/key/key.ts';
import { openFiles } from '../../../fixtures/place/calls.ts';
import { makeFifo } from '../../../fixtures/place/fifo.ts';
import { temporaryFolder } from '../../../fixtures/place/folder.ts';
import { KEY } from '../../../fixtures/service/client.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
it.each([
  ['2026-06-01T11:00:00Z', 0],
  ['2026-05-31T12:00:00Z', 1],
  ['2026-03-03T12:00:00.001Z', 89],
  ['2026-03-03T12:00:00Z', 90],
  ['2027-01-01T00:00:00Z', 0],
  ['yesterday', undefined],
  [undefined, undefined],
])('gives a key stored at %s an age of %s days', (storedAt, days) => expect(ageInDays(storedAt, now)).toBe(days));

it.each([KEY, `${KEY}\n`, `${KEY}\r\n`])('reads a key with the end of its line: %j', (text) => {
  expect(parseKey(text, 'X')).toBe(KEY);
});

it.each([
  ['', 'is empty'],
  ['\n', 'is empty'],
  ['\ufeffkey', 'begins with a byte order mark (save it as ASCII)'],
  ['\ufffd\ufffdk\0', 'begins with a byte order mark (save it as ASCII)'],
  ['key\n\n', 'contains a line break'],
  ['a\rb', 'contains a line break'],
  ['k\u00e9y', 'contains characters outside ASCII'],
  ['k\ufeff', 'contains characters outside ASCII'],
  [' key', 'contains a space or a control character'],
  ['k\0', 'contains a space or a control character'],
  ['k\u007f', 'contains a space or a control character'],
  [`"${KEY}"`, 'is in quotes'],
  [`'${KEY}'`, 'is in quotes'],
  [`${KEY}"`, 'contains a quote'],
  [`{"key":"${KEY}"}`, 'contains a quote'],
  [`{${KEY}}`, 'contains a bracket or a backslash, as JSON and templates do'],
  ['<API_KEY>', 'contains a bracket or a backslash, as JSON and templates do'],
  [`RISKCLI_API_KEY=${KEY}`, 'begins with the name of a variable'],
  ['k'.repeat(4_097), 'is too long to be a key'],
])('refuses a malformed key without repeating it: %#', (text, problem) => {
  const error = {
    code: 'key_malformed',
    message: `the key from X ${problem}`,
    hint: 'copy the whole key again, and nothing else',
  };
  expect(() => parseKey(text, 'X')).toThrow(expect.objectContaining(error));
});

const folder = temporaryFolder();
const file = (content: string) => {
  const path = join(folder, 'key');
  writeFileSync(path, content);
  return path;
};

it('reads a key file without its final newline, and closes it', () => {
  const path = file(`${KEY}\n`);
  expect(readKeyFile(path)).toBe(KEY);
  expect(openFiles(path)).toEqual([]);
});

it('reads a key file as long as a key, and refuses a longer one', () => {
  expect(readKeyFile(file('k'.repeat(4_096)))).toHaveLength(4_096);
  for (const length of [4_097, 8_192, 8_193, 100_000])
    expect(() => readKeyFile(file('k'.repeat(length)))).toThrow('RISKCLI_API_KEY_FILE is too long to be a key');
});

it('refuses a key file that others can write or own, but not one that a group can read', () => {
  const path = file(KEY);
  const uid = statSync(path).uid;
  const refused = (why: string) =>
    expect.objectContaining({ message: `the file that RISKCLI_API_KEY_FILE names ${why}` });
  chmodSync(path, 0o440);
  expect(readKeyFile(path, uid)).toBe(KEY);
  for (const mode of [0o602, 0o620]) {
    chmodSync(path, mode);
    expect(() => readKeyFile(path, uid)).toThrow(refused(`is writable by others (mode 0${mode.toString(8)})`));
    expect(readKeyFile(path), 'without owners and modes, as on Windows').toBe(KEY);
  }
  chmodSync(path, 0o600);
  // What root owns is foreign to nobody.
  if (uid === 0) chownSync(path, 1, 1);
  expect(() => readKeyFile(path, uid === 0 ? 0 : uid + 1)).toThrow(refused('belongs to another user'));
});

it.each([
  ['missing', 'no such file or directory'],
  ['', 'it is not a regular file'],
  ['pipe', 'it is not a regular file'],
])('refuses an unreadable key file without its path: %j', (name, why) => {
  if (name === 'pipe') makeFifo(join(folder, name));
  const message = `the file that RISKCLI_API_KEY_FILE names cannot be read: ${why}`;
  const hint = 'set it to a readable file that contains the key, or use RISKCLI_API_KEY';
  expect(() => readKeyFile(join(folder, name))).toThrow(expect.objectContaining({ message, hint }));
});

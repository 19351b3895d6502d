import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ageInDays, openKeyFile, parseKey, waitForKeyFile } from '../../../../src/settings/key/key.ts';
import { turn } from '../../../fixtures/manual-clock.ts';
import { openFiles } from '../../../fixtures/place/calls.ts';
import { testContext } from '../../../fixtures/place/config-folder.ts';
import { makeFifo } from '../../../fixtures/place/fifo.ts';
import { temporaryFolder } from '../../../fixtures/place/folder.ts';
import { KEY } from '../../../fixtures/service/client.ts';

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

describe('the text of a key', () => {
  it.each([KEY, `${KEY}\n`, `${KEY}\r\n`])('may end its line: %j', (text) => {
    expect(parseKey(text, 'X')).toBe(KEY);
  });

  it('is at most as long as a header may be', () => {
    expect(parseKey('k'.repeat(4_096), 'X')).toHaveLength(4_096);
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
    ['k'.repeat(4_097), 'is too long to be a key'],
  ])('is refused, and not said back: %#', (text, problem) => {
    const error = {
      code: 'key_malformed',
      message: `the key from X ${problem}`,
      hint: 'copy the whole key again, and nothing else',
    };
    expect(() => parseKey(text, 'X')).toThrow(expect.objectContaining(error));
  });
});

describe('the file of a key', () => {
  const folder = temporaryFolder();
  const file = (content: string) => {
    const path = join(folder, 'key');
    writeFileSync(path, content);
    return path;
  };

  it('is read on demand, and once', () => {
    const key = openKeyFile(file('before'));
    writeFileSync(join(folder, 'key'), `${KEY}\n`);
    expect([key.readOn(), key.key()]).toEqual([true, KEY]);
    writeFileSync(join(folder, 'key'), 'another');
    expect([key.readOn(), key.key()]).toEqual([true, KEY]);
  });

  it('is closed when it has been read', () => {
    const path = file(KEY);
    expect(openKeyFile(path).key()).toBe(KEY);
    expect(openFiles(path)).toEqual([]);
  });

  it('may be as long as a key, and is refused if longer', () => {
    expect(openKeyFile(file('k'.repeat(4_096))).key()).toHaveLength(4_096);
    for (const length of [4_097, 8_192, 8_193, 100_000])
      expect(() => openKeyFile(file('k'.repeat(length))).key()).toThrow('RISKCLI_API_KEY_FILE is too long to be a key');
  });

  it.each([
    ['missing', 'ENOENT'],
    ['', 'EISDIR'],
  ])('that cannot be read is refused without its path: %j', (name, code) => {
    const key = openKeyFile(join(folder, name));
    expect(key.readOn()).toBe(true);
    const message = `the file that RISKCLI_API_KEY_FILE names cannot be read (${code})`;
    expect(() => key.key()).toThrow(
      expect.objectContaining({
        message,
        hint: 'set it to a readable file that contains the key, or use RISKCLI_API_KEY',
      }),
    );
    expect(() => key.key()).not.toThrow(folder);
  });

  it('that is a pipe is read in parts', () => {
    const path = join(folder, 'pipe');
    makeFifo(path);
    const writer = openSync(path, 'r+');
    const key = openKeyFile(path);
    expect(key.readOn()).toBe(false);
    for (const part of [KEY.slice(0, 5), `${KEY.slice(5)}\n`]) {
      writeSync(writer, part);
      expect(key.readOn()).toBe(false);
    }
    closeSync(writer);
    expect([key.readOn(), key.key()]).toEqual([true, KEY]);
  });

  it('that is a pipe is polled until its end', async () => {
    const pauses: number[] = [];
    const context = testContext({ sleep: async (ms) => void pauses.push(ms) });
    let left = 3;
    await waitForKeyFile({ readOn: () => left-- === 0, key: () => KEY }, 60_000, context);
    expect([pauses, context.notes]).toEqual([[20, 20, 20], []]);
  });

  it('that is a silent pipe is reported, and times out', async () => {
    const context = testContext({
      sleep: async (_, signal) => {
        await turn();
        signal?.throwIfAborted();
      },
    });
    const silent = { readOn: () => false, key: () => KEY };
    await expect(waitForKeyFile(silent, 30, context)).rejects.toMatchObject({
      code: 'key_missing',
      message: 'no key arrived from the pipe in RISKCLI_API_KEY_FILE within 30ms',
      hint: 'check the command that prints it, or allow more time with --timeout',
    });
  });
});

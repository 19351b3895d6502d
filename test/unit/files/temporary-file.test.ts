/** Files without a name: nothing of them is left, and the error names a remedy where one fails. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openTemporaryFile } from '../../../src/files/temporary-file.ts';
import { failCall, openFiles } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const MAKE_ROOM = {
  exitCode: 8,
  hint: 'make room there or point TMPDIR (on Windows TEMP) elsewhere, then run the same command again',
  isResumable: true,
};

function opened(hint?: string) {
  const folder = temporaryFolder();
  return { folder, open: () => openTemporaryFile({ temporaryFolder: () => folder }, hint) };
}

it('leaves a temporary file without a name while it is open, and removes it when closed', () => {
  const { folder, open } = opened();
  const file = open();
  expect(['first ', 'later'].map((text) => file.append(Buffer.from(text)))).toEqual([0, 6]);
  expect([file.read(3, 6).toString(), file.name, readdirSync(folder)]).toEqual([
    'st lat',
    `the temporary file in ${folder}`,
    [],
  ]);
  file.close();
  file.close();
  expect(openFiles(`${folder}/`)).toEqual([]);
});

it('leaves nothing behind when a temporary file cannot be created', () => {
  const { folder, open } = opened();
  failCall('openSync', 'EMFILE');
  const message = `no temporary file can be created in ${folder}: EMFILE`;
  expect(open).toThrow(expect.objectContaining({ ...MAKE_ROOM, message }));
  expect(readdirSync(folder)).toEqual([]);
});

it('gives a hint in an error about a full temporary folder', () => {
  for (const [hint, expected] of [
    [undefined, MAKE_ROOM],
    ['buy a disk', { exitCode: 8, hint: 'buy a disk', isResumable: false }],
  ] as const) {
    const { folder, open } = opened(hint);
    const file = open();
    failCall('writeSync', 'ENOSPC');
    const message = `the temporary file in ${folder} cannot be written: no space left on the device`;
    expect(() => file.append(Buffer.from('x'))).toThrow(expect.objectContaining({ ...expected, message }));
    file.close();
  }
});

it('removes the folder of a temporary file on close where Windows refuses to do it earlier (emulated)', () => {
  const { folder, open } = opened();
  failCall('rmdirSync', 'ENOTEMPTY');
  const file = open();
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^riskcli-/)]);
  file.close();
  expect(readdirSync(folder)).toEqual([]);
});

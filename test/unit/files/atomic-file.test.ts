/**
 * A file that is replaced on a disk that fails or is full: the old one or the new one is there, and
 * nothing beside it.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createAtomicFile } from '../../../src/files/atomic-file.ts';
import { openTarget, writeTarget } from '../../../src/files/target.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { failCall, openFiles, replaceCall, systemError } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const HOST = { ...testHost(), stdout: new PassThrough() };

function oldFile(): string {
  const path = join(temporaryFolder(), 'out.csv');
  writeFileSync(path, 'old', { mode: 0o640 });
  return path;
}

/** What is in the file, and what is beside it. */
const left = (path: string) => [readFileSync(path, 'utf8'), readdirSync(dirname(path)), openFiles(`${dirname(path)}/`)];
const alone = (text: string) => [text, ['out.csv'], []];

it.each([
  ['renameSync', 'EROFS', 'the file system is read-only'],
  ['fchmodSync', 'EPERM', 'permission denied'],
  ['writeSync', 'EDQUOT', 'the disk quota is used up'],
  ['fsync', 'EIO', 'EIO'],
] as const)('keeps the old file and reports why the new one cannot be written: %s, %s', async (call, code, reason) => {
  const path = oldFile();
  failCall(call, code);
  await expect(writeTarget('new', { output: path, host: HOST })).rejects.toMatchObject({
    exitCode: 8,
    message: `'${path}' cannot be written: ${reason}`,
    hint: 'fix this or choose another file, then run the same command again',
    isResumable: true,
  });
  expect(left(path)).toEqual(alone('old'));
});

it('never replaces the old file with one that lacks a part, even if more is written', async () => {
  const path = oldFile();
  const target = await openTarget({ output: path }, HOST);
  let fails = 1;
  failCall('writeSync', 'ENOSPC', () => fails-- > 0);
  const full = 'no space left on the device';
  expect(() => target.write('one')).toThrow(full);
  expect(() => target.write('two')).toThrow(full);
  await expect(target.commit()).rejects.toThrow(full);
  target.discard();
  expect(left(path)).toEqual(alone('old'));
});

it('reports a failed sync of the folder, although the new file is in place', async () => {
  const path = oldFile();
  const target = await openTarget({ output: path }, HOST);
  await target.write('new');
  failCall('openSync', 'EIO', (opened) => opened === dirname(path));
  await expect(target.commit()).rejects.toThrow(`'${path}' cannot be written: EIO`);
  target.discard();
  expect(left(path)).toEqual(alone('new'));
});

it.each(['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EROFS'])(
  'replaces the file where a folder cannot be synced at all: %s',
  async (code) => {
    const path = oldFile();
    failCall('openSync', code, (opened) => opened === dirname(path));
    await writeTarget('new', { output: path, host: HOST });
    expect(left(path)).toEqual(alone('new'));
  },
);

it.skipIf(process.getuid?.() !== 0)('keeps the group of the old file if the owner cannot be kept', async () => {
  const path = oldFile();
  const chown: unknown[] = [];
  replaceCall('fchownSync', (change) => (fd, uid, gid) => {
    chown.push([uid, gid]);
    if (uid === 4_321) throw systemError('EPERM');
    change(fd, uid, gid);
  });
  replaceCall('lstatSync', (look) => (...given) => {
    const stats = look(...given);
    return given[0] === path && stats && given[1]?.bigint !== true
      ? Object.assign(stats, { uid: 4_321, gid: 1_234 })
      : stats;
  });
  const file = createAtomicFile(path, { host: HOST });
  file.write('new');
  await file.commit();
  const { uid, gid, mode } = statSync(path);
  expect([chown, uid, gid, mode & 0o777]).toEqual([
    [
      [4_321, 1_234],
      [0, 1_234],
    ],
    0,
    1_234,
    0o640,
  ]);
});

import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { createRoom } from '../../../../src/files/records/room.ts';
import { testHost } from '../../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../../fixtures/place/folder.ts';

const KB = 1024;

/** A room on a disk of 256 kB, and what else is on that. */
function stage(test: TestContext) {
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    test.skip('needs the right to mount');
  }
  test.onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  const path = join(folder, 'journal');
  writeFileSync(path, '');
  const room = createRoom(path, testHost());
  test.onTestFinished(room.close);
  const free = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  const fill = () => writeFileSync(join(folder, 'other'), Buffer.alloc(free()));
  const append = (bytes: number) => room.spend(bytes, () => appendFileSync(path, Buffer.alloc(bytes)));
  return { folder, path, room, free, fill, append };
}

/** As the files do: an error whose cause is the system's. */
const full = expect.objectContaining({ code: 'ENOSPC' });

it('[83] is there when something else has filled the disk', (test) => {
  const { folder, path, room, free, fill, append } = stage(test);
  expect(room.refusal(64 * KB, 0)).toBeUndefined();
  expect(free()).toBeLessThanOrEqual(192 * KB);
  fill();
  for (let i = 0; i < 8; i++) append(8 * KB);
  expect(() => {
    for (let i = 0; i < 8; i++) append(8 * KB);
  }).toThrow(full);
  expect(readdirSync(folder).sort()).toEqual(['journal', 'other']);
  truncateSync(path);
  room.close();
  expect(free()).toBeGreaterThanOrEqual(64 * KB);
});

it('[83] is refused where there is less, and what there was stays; it is asked for again after a write', (test) => {
  const { folder, room, free, append } = stage(test);
  expect(room.refusal(64 * KB, 0)).toBeUndefined();
  const before = free();
  expect(room.refusal(512 * KB, 0)).toEqual(full);
  expect(free()).toBe(before);
  execFileSync('mount', ['-o', 'remount,size=2m', folder]);
  expect(room.refusal(512 * KB, 0)).toEqual(full);
  append(1);
  expect(room.refusal(512 * KB, 0)).toBeUndefined();
});

it('is let go when less is needed', (test) => {
  const { room, free } = stage(test);
  const before = free();
  room.refusal(128 * KB, 0);
  room.refusal(8 * KB, 0);
  expect(free()).toBeGreaterThanOrEqual(before - 16 * KB);
});

it('[83] is refused beyond what the system calls free where it is too much to be taken', (test) => {
  const { folder, room, free } = stage(test);
  execFileSync('mount', ['-o', 'remount,size=64m', folder]);
  expect(room.refusal(48 * KB * KB, 0)).toBeUndefined();
  expect(free()).toBeGreaterThanOrEqual(31 * KB * KB);
  expect(room.refusal(80 * KB * KB, 0)).toEqual(full);
});

it('is no condition where no file can be made for it', () => {
  const room = createRoom('/nonexistent/journal', testHost());
  expect(room.refusal(64 * KB, 0)).toBeUndefined();
  expect(() => room.spend(1, () => expect.unreachable())).toThrow();
});

/** Room that is taken on a disk before something is sent, on disks of this test's own. */
import { appendFileSync, readdirSync, readFileSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { createAtomicFile } from '../../../src/files/atomic-file.ts';
import { Room } from '../../../src/files/records/room.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { failCall } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { smallDisk, smallDiskAt } from '../../fixtures/place/small-disk.ts';

const KB = 1024;

/** A room on a disk, of 256 kB unless another is given, and what else is on that. */
function stage(test: TestContext, { folder, resize } = smallDisk(256, test)) {
  const path = join(folder, 'journal');
  writeFileSync(path, '');
  const room = new Room(path, testHost());
  test.onTestFinished(() => room.close());
  const free = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  const fill = () => writeFileSync(join(folder, 'other'), Buffer.alloc(free()));
  const append = (bytes: number) => room.spend(bytes, () => appendFileSync(path, Buffer.alloc(bytes)));
  return { folder, resize, path, room, free, fill, append };
}

/** As the files do: an error whose cause is the system's. */
const full = expect.objectContaining({ code: 'ENOSPC' });

it('[83] reserved space is available when something else has filled the disk', (test) => {
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

it('[83] space is reserved if the need fits, even if half as much again does not', (test) => {
  const { room, free } = stage(test);
  expect(room.refusal(200 * KB, 0)).toBeUndefined();
  expect(free()).toBeLessThanOrEqual(56 * KB);
});

it('[83] space is refused if there is less, and the reservation so far is kept; it is requested again after a write', (test) => {
  const { resize, room, free, append } = stage(test);
  expect(room.refusal(64 * KB, 0)).toBeUndefined();
  const before = free();
  expect(room.refusal(512 * KB, 0)).toEqual(full);
  expect(free()).toBe(before);
  resize(2 * KB);
  expect(room.refusal(512 * KB, 0)).toEqual(full);
  append(1);
  expect(room.refusal(512 * KB, 0)).toBeUndefined();
});

it('[83] reserved space yields to an output next to it, as far as the answers under way do not need it', async (test) => {
  const { folder, room, free, fill, append } = stage(test);
  expect(room.refusal(64 * KB, 0, 64 * KB)).toBeUndefined();
  const makeRoom = () => room.release(64 * KB);
  const output = createAtomicFile(join(folder, 'output'), { host: testHost(), makeRoom });
  const written = [Buffer.alloc(free() + 10 * KB, 'a'), Buffer.alloc(50 * KB, 'b')];
  for (const block of written) output.write(block);
  const temporary = readdirSync(folder).find((name) => name.startsWith('.output.')) ?? '';
  expect(readFileSync(join(folder, temporary)).equals(Buffer.concat(written))).toBe(true);
  fill();
  expect(() => output.write(Buffer.alloc(8 * KB, 'c'))).toThrow(full);
  for (let i = 0; i < 8; i++) append(8 * KB);
  await expect(output.commit()).rejects.toThrow(full);
  output.discard();
});

it('reserved space is released when less is needed', (test) => {
  const { room, free } = stage(test);
  const before = free();
  room.refusal(128 * KB, 0);
  room.refusal(8 * KB, 0);
  expect(free()).toBeGreaterThanOrEqual(before - 16 * KB);
});

it('[83] space beyond the free space of the system is refused if it is too much to reserve', (test) => {
  const { room, free } = stage(test, smallDiskAt(temporaryFolder(), 64 * KB, test));
  expect(room.refusal(48 * KB * KB, 0)).toBeUndefined();
  expect(free()).toBeGreaterThanOrEqual(31 * KB * KB);
  expect(room.refusal(80 * KB * KB, 0)).toEqual(full);
});

it('space is not required if no file can be made to reserve it', () => {
  const room = new Room('/nonexistent/journal', testHost());
  expect(room.refusal(64 * KB, 0)).toBeUndefined();
  expect(() => room.spend(1, () => expect.unreachable())).toThrow();
});

it('room is no condition where it cannot be had for another reason than a full disk', () => {
  const room = new Room(join(temporaryFolder(), 'journal'), testHost());
  failCall('writeSync', 'EIO');
  expect(room.refusal(64 * KB, 0)).toBeUndefined();
  room.close();
});

import { closeSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BLOCK_BYTES, createBlockReader } from '../../../../src/files/records/block-reader.ts';
import { replaceCall } from '../../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../../fixtures/place/folder.ts';

const SIZE = 3 * BLOCK_BYTES;
const LENGTH = 1_023;

/** A file of lines of 1,024 bytes; `read` says what is on a line, and `reads` how many bytes were asked for each time. */
function lines() {
  const path = join(temporaryFolder(), 'lines');
  const bytes = Buffer.alloc(SIZE);
  for (let at = 0; at < SIZE; at += LENGTH + 1) bytes.write(`${at}`.padEnd(LENGTH).concat('\n'), at);
  writeFileSync(path, bytes);
  const fd = openSync(path, 'r');
  onTestFinished(() => closeSync(fd));
  const reads: number[] = [];
  replaceCall('readSync', (real) => (...given) => {
    reads.push(given[3]);
    return real(...given);
  });
  const reader = createBlockReader({ fd, name: 'the file' });
  const read = (line: number, count = 1) =>
    reader({ offset: line * (LENGTH + 1), length: count * (LENGTH + 1) - 1 }, SIZE)
      .toString()
      .split('\n')
      .map(Number);
  return { path, reads, read };
}

it('records are read in blocks if requested in order', () => {
  const { reads, read } = lines();
  for (let line = 0; line < SIZE / 1_024; line++) expect(read(line)).toEqual([line * 1_024]);
  expect(reads).toEqual([BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES]);
});

it('records requested at random are read singly, unless already in memory', () => {
  const { reads, read } = lines();
  expect([read(0), read(300), read(100), read(500), read(502)]).toEqual(
    [0, 300, 100, 500, 502].map((line) => [line * 1_024]),
  );
  expect(reads).toEqual([BLOCK_BYTES, LENGTH, LENGTH, LENGTH]);
});

it('a record longer than a block is read singly, and the next ones in blocks', () => {
  const { reads, read } = lines();
  expect(read(0, 300)).toHaveLength(300);
  expect(read(300)).toEqual([300 * 1_024]);
  expect(reads).toEqual([300 * 1_024 - 1, BLOCK_BYTES]);
});

it('a block ends at the end of the file', () => {
  const { reads, read } = lines();
  read(699);
  expect(read(700)).toEqual([700 * 1_024]);
  expect(read(767)).toEqual([767 * 1_024]);
  expect(reads).toEqual([LENGTH, 68 * 1_024]);
});

it('a file that became shorter is reported', () => {
  const { path, read } = lines();
  truncateSync(path, 500);
  expect(() => read(1)).toThrow(
    expect.objectContaining({
      exitCode: 8,
      message: 'the file cannot be read: it is shorter than it was',
      hint: 'run the same command again',
      isResumable: true,
    }),
  );
});

import { expect, it } from 'vitest';
import { canonicalPath, isSameFile } from '../../../src/files/identity.ts';

const file = { dev: 0x1234_5678n, ino: 2n ** 60n + 1n };

it.each([
  ['itself', file, true],
  ['another file of the device', { ...file, ino: 2n ** 60n + 2n }, false],
  ['a file of that number on another device', { ...file, dev: 0x1234_5679n }, false],
  ['itself as Windows tells it by name, without a device', { ...file, dev: 0n }, true],
  ['itself as Windows tells it by name, with 64 bits of a device', { ...file, dev: 0xabcd_0000_1234_5678n }, true],
])('compares a file with %s', (_, other, isSame) => {
  expect([isSameFile(file, other), isSameFile(other, file)]).toEqual([isSame, isSame]);
});

it('compares paths without their case on systems whose file names ignore it (emulated)', () => {
  const path = '/absent/R\u00e9sum\u00e9.csv';
  const on = (platform: NodeJS.Platform) => canonicalPath(path.normalize('NFD'), { platform });
  expect([on('linux'), on('darwin'), on('win32')]).toEqual([
    path.normalize('NFD'),
    path.toLowerCase(),
    path.toLowerCase(),
  ]);
});

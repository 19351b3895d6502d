import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLineReader } from '../../../src/files/line-reader.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

it('reads lines of any length in any order, and the rest where there is no newline', () => {
  const path = join(temporaryFolder(), 'lines');
  // Some end at the end of what is read at once, or of twice that.
  const lines = [0, 1, 100, 16_383, 16_384, 16_385, 32_767, 32_768, 100_000, 5].map((length, i) =>
    String(i % 10).repeat(length),
  );
  writeFileSync(path, lines.join('\n'));
  const fd = openSync(path, 'r');
  onTestFinished(() => closeSync(fd));
  const lineAt = createLineReader({ fd, name: 'the file' });
  const offsets = lines.map((_, i) => lines.slice(0, i).reduce((sum, { length }) => sum + length + 1, 0));
  const size = lines.join('\n').length;
  for (const order of [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    [3, 3, 8, 2, 2, 9, 0],
  ]) {
    for (const i of order) expect(lineAt(offsets[i] ?? 0, size).toString() === lines[i]).toBe(true);
  }
  expect(lineAt(size, size)).toHaveLength(0);
  expect(() => lineAt(0, size + 1)).not.toThrow();
  expect(() => lineAt(size, size + 1)).toThrow('it is shorter than it was');
});

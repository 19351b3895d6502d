import { expect, it } from 'vitest';
import { dropWhile } from '../../../src/lists/rows.ts';

async function* batches<T>(...all: readonly (readonly T[])[]) {
  yield* all;
}
async function taken<T>(from: AsyncIterable<readonly T[]>) {
  const all: (readonly T[])[] = [];
  for await (const batch of from) all.push(batch);
  return all;
}

it('rows are dropped while a condition holds, and none after the first that is kept', async () => {
  expect(await taken(dropWhile(batches([1, 2], [], [3, 9, 1], [2, 8]), (n) => n < 5))).toEqual([
    [9, 1],
    [2, 8],
  ]);
  expect(await taken(dropWhile(batches([1, 2]), () => true))).toEqual([]);
});

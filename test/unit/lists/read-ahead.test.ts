import { expect, it } from 'vitest';
import { readAhead } from '../../../src/lists/read-ahead.ts';

const broken = new Error('broken');

async function* breaking() {
  yield 1;
  throw broken;
}

it.each([
  ['waited for', undefined],
  ['listened to', () => new Promise<void>(() => {})],
])('reports a source that fails while it is %s at once, and again to a later reader', async (_, pause) => {
  const { taken, failure, all } = await readAhead(breaking(), () => 'for now', pause);
  expect({ taken, failure }).toEqual({ taken: [1], failure: { error: broken } });
  const read: number[] = [];
  const readOn = async () => {
    for await (const item of all) read.push(item);
  };
  await expect(readOn()).rejects.toBe(broken);
  expect(read).toEqual([1]);
});

import { expect, it } from 'vitest';
import { WalletIndex } from '../../../src/journal/wallet-index.ts';
import { growth, TOO_MUCH } from './cost.ts';

/** Addresses that the hash of the first version put into one slot: it can be undone from its result, word by word. */
function colliding(count: number): string[] {
  const FACTOR = 0x9e3779b1;
  let inverse = FACTOR;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(FACTOR, inverse));
  const step = (mixed: number, word: number) => {
    const product = Math.imul(mixed ^ word, FACTOR);
    return product ^ (product >>> 15);
  };
  return Array.from({ length: count }, (_, i) => {
    const words = [i, i * 7, i ^ 0x5555, ~i];
    const mixed = words.reduce(step, 0);
    // The last word for which the result is 1: the shift and the multiplication are undone, then the xor.
    const last = mixed ^ Math.imul(1, inverse);
    if (step(mixed, last) >>> 0 !== 1) throw new Error('the hash is not undone');
    return `0x${[...words, last].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')}`;
  });
}

it('[69] the index of wallets takes addresses that were made to collide like any others: twice as many, about twice the CPU', async () => {
  const work = async (count: number) => {
    const index = new WalletIndex();
    for (const id of colliding(count)) index.add(id);
    expect(index.size).toBe(count);
  };
  expect(await growth(work, 5_000)).toBeLessThanOrEqual(TOO_MUCH);
});

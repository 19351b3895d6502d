import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWalletIndex } from '../../../src/answers/wallet-index.ts';
import { growth, TOO_MUCH } from '../../helpers/growth.ts';

const hexId = (length: { minLength: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), ...length }).map((digits) => `0x${digits}`);
// Few digits of freedom make repeats and near misses likely.
const evmId = fc.integer({ min: 0, max: 50 }).map((n) => `0x${n.toString(16).padStart(2, '0').repeat(20)}`);

it('numbers wallets in the order of their first appearance, as a Map would', () => {
  const ids = fc.array(
    fc.oneof(evmId, hexId({ minLength: 40, maxLength: 40 }), hexId({ minLength: 1, maxLength: 128 })),
  );
  fc.assert(
    fc.property(ids, (list) => {
      const index = createWalletIndex();
      const model = new Map<string, number>();
      for (const id of list) {
        expect(index.find(id)).toBe(model.get(id) ?? -1);
        if (!model.has(id)) model.set(id, model.size);
        expect(index.add(id)).toBe(model.get(id));
      }
      expect(index.size).toBe(model.size);
    }),
  );
});

it('keeps its numbers as it grows', () => {
  const index = createWalletIndex();
  const id = (n: number) => `0x${'0'.repeat(30)}${n.toString(16).padStart(10, '0')}`;
  for (let n = 0; n < 50_000; n++) index.add(id(n));
  for (let n = 0; n < 50_000; n += 11) expect(index.find(id(n))).toBe(n);
  expect(index.find(id(50_000))).toBe(-1);
});

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

it('[69] takes addresses that were made to collide like any others: twice as many, about twice the CPU', async () => {
  const work = async (count: number) => {
    const index = createWalletIndex();
    for (const id of colliding(count)) index.add(id);
    expect(index.size).toBe(count);
  };
  expect(await growth(work, 5_000)).toBeLessThanOrEqual(TOO_MUCH);
});

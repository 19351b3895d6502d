import { expect, it } from 'vitest';
import { WalletIndex } from '../../../src/journal/wallet-index.ts';
import { fc } from '../../fixtures/properties.ts';

const hexId = (length: { minLength: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), ...length }).map((digits) => `0x${digits}`);
// Few digits of freedom make repeats and near misses likely.
const evmId = fc.integer({ min: 0, max: 50 }).map((n) => `0x${n.toString(16).padStart(2, '0').repeat(20)}`);

// As long as an address, and like one at the beginning.
const nameId = fc.integer({ min: 0, max: 50 }).map((n) => `0x${'0'.repeat(30)}.${n.toString(16).padStart(5, 'n')}.eth`);

it('numbers wallets in order of first appearance', () => {
  const ids = fc.array(
    fc.oneof(evmId, nameId, hexId({ minLength: 40, maxLength: 40 }), hexId({ minLength: 1, maxLength: 128 })),
  );
  fc.assert(
    fc.property(ids, (list) => {
      const index = new WalletIndex();
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

it('the index of wallets keeps its numbers as it grows', () => {
  const index = new WalletIndex();
  const id = (n: number) => `0x${'0'.repeat(30)}${n.toString(16).padStart(10, '0')}`;
  for (let n = 0; n < 50_000; n++) index.add(id(n));
  for (let n = 0; n < 50_000; n += 11) expect(index.find(id(n))).toBe(n);
  expect(index.find(id(50_000))).toBe(-1);
});

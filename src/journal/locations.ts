/** Where the records of wallets are in a file: arrays of numbers beside the wallet index, so that a million cost 12 MB. */
import type { RecordLocation } from '../files/records/block-reader.ts';
import { createWalletIndex } from './wallet-index.ts';

/** Where the records of the file's wallets are. */
export interface RecordLocations {
  readonly size: number;
  has(id: string): boolean;
  /** The record's place without its newline, in bytes; the latest one set counts. */
  find(id: string): (RecordLocation & { readonly number: number }) | undefined;
  /** The same of the wallet with that number: they are counted from 0 in the order in which they came first. */
  at(number: number): (RecordLocation & { readonly number: number }) | undefined;
  set(id: string, location: RecordLocation): void;
}

/** Records in a block. */
const BLOCK = 2_048;

/** No records. Wallets of an `index` that others use, too, need not have one. */
export function createLocations(index = createWalletIndex()): RecordLocations {
  const blocks: { readonly offsets: Float64Array; readonly lengths: Uint32Array }[] = [];
  let size = 0;
  const at = (number: number) => {
    const block = blocks[Math.floor(number / BLOCK)];
    const i = number % BLOCK;
    // No record is empty.
    const length = block?.lengths[i] ?? 0;
    return block && length > 0 ? { number, offset: block.offsets[i] ?? 0, length } : undefined;
  };
  return {
    get size() {
      return size;
    },
    has: (id) => at(index.find(id)) !== undefined,
    find: (id) => at(index.find(id)),
    at,
    set(id, { offset, length }) {
      const number = index.add(id);
      const at = number % BLOCK;
      const block = Math.floor(number / BLOCK);
      blocks[block] ??= { offsets: new Float64Array(BLOCK), lengths: new Uint32Array(BLOCK) };
      const { offsets, lengths } = blocks[block];
      if (lengths[at] === 0) size += 1;
      offsets[at] = offset;
      lengths[at] = length;
    },
  };
}

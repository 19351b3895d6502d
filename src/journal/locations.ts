/** Where the records of wallets are in a file, as typed arrays beside the wallet index: 12 MB for a million. */
import type { RecordLocation } from '../files/records/block-reader.ts';
import { WalletIndex } from './wallet-index.ts';

export type NumberedLocation = RecordLocation & { readonly number: number };

export interface RecordLocations {
  readonly size: number;
  has(id: string): boolean;
  /** Where the wallet's latest record is, without its newline. */
  find(id: string): NumberedLocation | undefined;
  /** The same for the wallet with that number, from 0 in the order of the wallets' first records. */
  at(number: number): NumberedLocation | undefined;
  set(id: string, location: RecordLocation): void;
}

/** No locations at first. In a shared `index` there may be wallets without a record. */
export function createLocations(index = new WalletIndex()): RecordLocations {
  const [offsets, lengths] = [new NumberList(Float64Array), new NumberList(Uint32Array)];
  let size = 0;
  const at = (number: number) => {
    // No record is empty, and no wallet has the number -1, for which arrays would be searched as for a name.
    const length = number < 0 ? 0 : lengths.at(number);
    return length > 0 ? { number, offset: offsets.at(number), length } : undefined;
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
      if (lengths.at(number) === 0) size += 1;
      offsets.set(number, offset);
      lengths.set(number, length);
    },
  };
}

/** Numbers in a block. */
const BLOCK = 2_048;

type NumberBlock = Float64Array | Uint32Array | Uint8Array;

/** Numbers by index, 0 where none was set. In blocks: an array that grows would be copied, and be in memory twice meanwhile. */
export class NumberList {
  private readonly blocks: (NumberBlock | undefined)[] = [];

  constructor(private readonly BlockOf: new (length: number) => NumberBlock) {}

  at(index: number): number {
    return this.blocks[Math.floor(index / BLOCK)]?.[index % BLOCK] ?? 0;
  }

  set(index: number, value: number): void {
    const number = Math.floor(index / BLOCK);
    const block = this.blocks[number] ?? new this.BlockOf(BLOCK);
    this.blocks[number] = block;
    block[index % BLOCK] = value;
  }
}

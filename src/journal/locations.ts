/** Where the records of wallets are in a file: arrays of numbers beside the wallet index, so that a million cost 12 MB. */
import type { RecordLocation } from '../files/records/block-reader.ts';
import { WalletIndex } from './wallet-index.ts';

/** With the number of the wallet. */
export type NumberedLocation = RecordLocation & { readonly number: number };

/** Where the records of the file's wallets are. */
export interface RecordLocations {
  readonly size: number;
  has(id: string): boolean;
  /** Where the record is, without its newline, in bytes; the latest one set counts. */
  find(id: string): NumberedLocation | undefined;
  /** The same of the wallet with that number: they are counted from 0 in the order in which they came first. */
  at(number: number): NumberedLocation | undefined;
  set(id: string, location: RecordLocation): void;
}

/** No records. Wallets of an `index` that others use, too, need not have one. */
export function createLocations(index = new WalletIndex()): RecordLocations {
  const [offsets, lengths] = [new NumberList(Float64Array), new NumberList(Uint32Array)];
  let size = 0;
  const at = (number: number) => {
    // No record is empty.
    const length = lengths.at(number);
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

/** Numbers by index, 0 where none was set. In blocks: an array that grows is copied, and is in memory twice meanwhile. */
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

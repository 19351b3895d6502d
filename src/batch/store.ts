/**
 * What the service said, by wallet: records in a file, their places in memory. The rest of the program does not know
 * whether the file is a journal that stays or a temporary one that is gone with the process.
 */
import { closeSync, ftruncateSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { fileError } from '../file-error.ts';
import { decodeRecord, encodeRecord, type Settled } from './record.ts';
import { openTemporaryFile } from './temporary-file.ts';
import { createWalletIndex } from './wallet-index.ts';

export type StoredAnswer = Settled & {
  /** The wallet's number in this store, from 0; below `known` it was answered before this run. */
  readonly number: number;
};

export interface AnswerStore {
  /** Wallets that need not be asked. */
  readonly size: number;
  /** How many of them there were when the store was opened. */
  readonly known: number;
  /** Whether the answers outlive the process. */
  readonly isKept: boolean;
  has(id: string): boolean;
  /** @throws IoError when the file cannot be read. */
  get(id: string): StoredAnswer | undefined;
  /**
   * On disk, as far as the system is concerned, when it returns: a kill after that loses nothing.
   * @throws IoError when the file cannot take it; the file then ends with the record before.
   */
  append(id: string, settled: Settled): void;
  /** Closing what is closed does nothing. */
  close(): void;
  /** Closes the store and deletes its file: nothing is left to ask. */
  remove(): void;
}

/** Where the records of the file's wallets are. */
export interface RecordPlaces {
  readonly size: number;
  has(id: string): boolean;
  /** The record's place without its newline, in bytes; the latest one set counts. */
  find(id: string): { readonly number: number; readonly offset: number; readonly length: number } | undefined;
  set(id: string, place: { readonly offset: number; readonly length: number }): void;
}

/** Places in a block. */
const BLOCK = 16_384;

/** No records: arrays of numbers beside the wallet index, so that a million places cost 12 MB. */
export function createPlaces(): RecordPlaces {
  const index = createWalletIndex();
  const blocks: { readonly offsets: Float64Array; readonly lengths: Uint32Array }[] = [];
  return {
    get size() {
      return index.size;
    },
    has: (id) => index.find(id) >= 0,
    find(id) {
      const number = index.find(id);
      const block = blocks[Math.floor(number / BLOCK)];
      const at = number % BLOCK;
      return block && { number, offset: block.offsets[at] ?? 0, length: block.lengths[at] ?? 0 };
    },
    set(id, { offset, length }) {
      const number = index.add(id);
      const at = number % BLOCK;
      const block = Math.floor(number / BLOCK);
      if (block === blocks.length) blocks.push({ offsets: new Float64Array(BLOCK), lengths: new Uint32Array(BLOCK) });
      blocks[block]?.offsets.set([offset], at);
      blocks[block]?.lengths.set([length], at);
    },
  };
}

export interface RecordFile {
  /** Open for reading and, if records are to be added, for appending. */
  readonly fd: number;
  /** What the file is called in messages. */
  readonly name: string;
  /** What helps when it cannot be written. */
  readonly hint: string;
  /** Bytes in it; the next record begins there. */
  readonly size: number;
  readonly places: RecordPlaces;
  /** For a file that outlives the process. */
  readonly path?: string;
  /** Called once, after the file was closed. */
  readonly release?: () => void;
}

/** The store whose records are in `file`. Closing it closes the descriptor. */
export function openStore(file: RecordFile): AnswerStore {
  const { fd, places } = file;
  let end = file.size;
  let isOpen = true;
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    closeSync(fd);
    file.release?.();
  }
  return {
    known: places.size,
    isKept: file.path !== undefined,
    get size() {
      return places.size;
    },
    has: places.has,
    get(id) {
      const place = places.find(id);
      return place && { ...decodeRecord(readAt(file, place)), number: place.number };
    },
    append(id, settled) {
      const line = encodeRecord(id, settled);
      writeWhole(file, line, end);
      places.set(id, { offset: end, length: line.length - 1 });
      end += line.length;
    },
    close,
    remove() {
      if (isOpen && file.path !== undefined) unlinkSync(file.path);
      close();
    },
  };
}

/**
 * A store in a temporary file, gone with the process.
 * @throws IoError when there is no room for temporary files.
 */
export function openTemporaryStore(): AnswerStore {
  const file = openTemporaryFile('make room there, point TMPDIR elsewhere, or keep the answers with --journal FILE');
  return openStore({ ...file, size: 0, places: createPlaces() });
}

function readAt(file: RecordFile, place: { readonly offset: number; readonly length: number }): Buffer {
  const line = Buffer.allocUnsafe(place.length);
  let read = 0;
  try {
    while (read < line.length) {
      const got = readSync(file.fd, line, read, line.length - read, place.offset + read);
      if (got === 0) throw new Error('it is shorter than before');
      read += got;
    }
  } catch (error) {
    throw fileError(`${file.name} cannot be read`, { cause: error, hint: 'run the same command again' });
  }
  return line;
}

/** Appends `line`, or leaves the file at `end` bytes: half a record on a full disk must not be in the way of the next. */
export function writeWhole(file: Pick<RecordFile, 'fd' | 'name' | 'hint'>, line: Uint8Array, end: number): void {
  try {
    for (let written = 0; written < line.length; ) written += writeSync(file.fd, line, written);
  } catch (error) {
    try {
      ftruncateSync(file.fd, end);
    } catch {
      // What is left of the record is dropped as torn when the file is opened again.
    }
    throw fileError(`${file.name} cannot be written`, { cause: error, hint: file.hint });
  }
}

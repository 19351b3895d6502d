/**
 * What the service said, by wallet: records in a journal, their places in memory. The rest of the program does not know
 * whether it is this or a temporary store, gone with the process.
 */
import { fstatSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { IoError } from '../errors.ts';
import { writeWhole } from '../files/append-whole.ts';
import { type AtomicHost, syncFolder } from '../files/atomic-file.ts';
import { closeQuietly } from '../files/close-file.ts';
import { fileError } from '../files/file-error.ts';
import { leadsTo } from '../files/identity.ts';
import { patiently } from '../files/in-use.ts';
import { createBlockReader, type RecordPlace } from '../files/records/block-reader.ts';
import { createRoom } from '../files/records/room.ts';
import { createSyncing } from '../files/syncing.ts';
import { type AnswerSizes, createAnswerSizes } from './answer-sizes.ts';
import { decodeRecord, encodeRecord, type Settled } from './record.ts';
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
  /** Whether the answers outlive the process: a journal that was removed or replaced meanwhile keeps nothing. */
  readonly isKept: boolean;
  has(id: string): boolean;
  /** @throws IoError when the file cannot be read, or holds something else there than the wallet's record. */
  get(id: string): StoredAnswer | undefined;
  /**
   * The answer is with the system when this returns, so that a kill after that loses nothing; it is on the disk within about
   * a second.
   * @throws IoError when the file cannot take it; the file then ends with the record before. Also when an earlier record
   * did not get to the disk.
   */
  append(id: string, settled: Settled): void;
  /** Keeps room for so many answers under way. @returns why they could not all be kept; undefined when they can be */
  refusal(answers: number): IoError | undefined;
  /** Resolves when all answers are on the disk. @throws IoError when they cannot be kept. */
  sync(): Promise<void>;
  /** Removes a file that was made for nothing. Never throws; closing what is closed does nothing. */
  close(): void;
  /** Closes the store and deletes its file: nothing is left to ask. What another put in its place stays. @throws IoError */
  remove(): Promise<void>;
}

/** A record's place and its wallet's number. */
interface NumberedPlace extends RecordPlace {
  readonly number: number;
}

/** Where the records of the file's wallets are. */
export interface RecordPlaces {
  readonly size: number;
  has(id: string): boolean;
  /** The record's place without its newline, in bytes; the latest one set counts. */
  find(id: string): NumberedPlace | undefined;
  /** The same of the wallet with that number: they are counted from 0 in the order in which they came first. */
  at(number: number): NumberedPlace | undefined;
  set(id: string, place: RecordPlace): void;
}

/** Places in a block. */
const BLOCK = 16_384;

/** No records: arrays of numbers beside the wallet index, so that a million places cost 12 MB. */
export function createPlaces(): RecordPlaces {
  const index = createWalletIndex();
  const blocks: { readonly offsets: Float64Array; readonly lengths: Uint32Array }[] = [];
  const at = (number: number) => {
    const block = number < index.size ? blocks[Math.floor(number / BLOCK)] : undefined;
    const i = number % BLOCK;
    return block && { number, offset: block.offsets[i] ?? 0, length: block.lengths[i] ?? 0 };
  };
  return {
    get size() {
      return index.size;
    },
    has: (id) => index.find(id) >= 0,
    find: (id) => at(index.find(id)),
    at,
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
  readonly path: string;
  readonly host: AtomicHost;
  /** Whether it was made for this store: it goes when nothing was added to it. */
  readonly isNew?: boolean;
  /** Is called once, after the file was closed. */
  readonly release?: () => void;
}

/** The store whose records are in `file`. Closing it closes the descriptor. */
export function openStore(file: RecordFile): AnswerStore {
  const { fd, path, places } = file;
  const syncing = createSyncing(fd);
  // A file's name is on the disk only when its folder is; whoever made this one may have been killed before that.
  const named = syncFolder(dirname(path));
  if (places.size > 0) syncing.changed();
  const readBlock = createBlockReader(file);
  const room = createRoom(path, file.host);
  const sizes = sizesOf(places);
  let end = file.size;
  let isOpen = true;
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    syncing.close();
    room.close();
    if (file.isNew && end === file.size) quietly(() => removeOwn(file));
    // What could not be written has been told by sync.
    closeQuietly(fd);
    file.release?.();
  }
  function checkDisk(): void {
    if (!syncing.fault) return;
    throw fileError(`${file.name} cannot be written`, { cause: syncing.fault, hint: file.hint });
  }
  return {
    known: places.size,
    get isKept() {
      return leadsTo(path, fd);
    },
    get size() {
      return places.size;
    },
    has: places.has,
    get(id) {
      const place = places.find(id);
      if (!place) return undefined;
      const settled = decodeRecord(readBlock(place, end), id);
      if (!settled) throw changedError(file);
      return { ...settled, number: place.number };
    },
    append(id, settled) {
      const line = encodeRecord(id, settled);
      sizes.learn(line.length);
      room.spend(line.length, () => writeWhole(file, line, end));
      places.set(id, { offset: end, length: line.length - 1 });
      end += line.length;
      syncing.changed();
      checkDisk();
    },
    refusal(answers) {
      const cause = room.refusal(sizes.of(answers), end);
      return cause && fileError(`${file.name} has no room for more answers`, { cause, hint: file.hint });
    },
    async sync() {
      if (!isOpen) return;
      room.close();
      await syncing.finish();
      await named;
      checkDisk();
      if (leadsTo(path, fd)) {
        if (fstatSync(fd).size !== end) throw changedError(file);
        return;
      }
      throw new IoError(
        `${file.name} was removed or replaced while this run was writing to it, and its answers are lost`,
        {
          hint: 'find out what did that, then run the same command again',
        },
      );
    },
    close,
    async remove() {
      if (isOpen) await patiently(() => removeOwn(file), file.host);
      close();
    },
  };
}

/** So many records say how long answers are. */
const SAMPLE = 1_000;

function sizesOf(places: RecordPlaces): AnswerSizes {
  const sizes = createAnswerSizes();
  for (let number = Math.max(0, places.size - SAMPLE); number < places.size; number++) {
    sizes.learn(places.at(number)?.length ?? 0);
  }
  return sizes;
}

/** @throws IoError when the file cannot be removed; one that is not ours is left. */
function removeOwn({ path, fd, name }: RecordFile): void {
  if (!leadsTo(path, fd)) return;
  try {
    unlinkSync(path);
  } catch (cause) {
    throw fileError(`${name} cannot be removed`, {
      cause,
      hint: 'delete it, or the next run will reuse its answers, however old they are',
    });
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The caller has nothing left to lose.
  }
}

function changedError({ name }: RecordFile): IoError {
  return new IoError(`${name} was changed by another program while this run was using it`, {
    code: 'journal_damaged',
    hint: 'find out which one, then run the same command again: complete answers in it are kept',
  });
}

/**
 * What the service said, by wallet: records in a journal, their places in memory. The rest of the program does not know
 * whether it is this or a temporary store, gone with the process.
 */
import { fstatSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { IoError } from '../errors.ts';
import { type AtomicHost, syncFolder } from '../files/atomic-file.ts';
import { closeQuietly } from '../files/close-file.ts';
import { fileError } from '../files/file-error.ts';
import { pointsAt } from '../files/identity.ts';
import { retryWhileInUse } from '../files/in-use.ts';
import type { Lock } from '../files/lock.ts';
import { createBlockReader, type RecordLocation } from '../files/records/block-reader.ts';
import { createSyncing } from '../files/syncing.ts';
import { type AnswerRoom, createAnswerRoom } from './answer-room.ts';
import { MAKE_ROOM, writeWhole } from './journal-file.ts';
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
  /** Aborts with a LockedError when the file is another run's by now: nothing more may be asked. */
  readonly lost?: AbortSignal | undefined;
  /** To be called before each request. @throws LockedError when the file is another run's by now. */
  checkLock(): void;
  has(id: string): boolean;
  /** @throws IoError when the file cannot be read, or holds something else there than the wallet's record. */
  get(id: string): StoredAnswer | undefined;
  /**
   * The answer is with the system when this returns, so that a kill after that loses nothing; it is on the disk within about
   * a second.
   * @throws IoError when the file cannot take it; the file then ends with the record before. Also when an earlier record
   * did not get to the disk. What comes when the file is another run's by now goes to one beside it.
   */
  append(id: string, settled: Settled): void;
  /** Keeps room for so many answers under way. @returns why they could not all be kept; undefined when they can be */
  refusal(answers: number): IoError | undefined;
  /** Lets go of room that the answers under way do not need, for another file on the disk. @returns whether there was any */
  releaseRoom(): boolean;
  /** Resolves when all answers are on the disk. @throws IoError when they cannot be kept. */
  sync(): Promise<void>;
  /** Removes a file that was made for nothing. Never throws; closing what is closed does nothing. */
  close(): void;
  /** Closes the store and deletes its file: nothing is left to ask. What another put in its place stays. @throws IoError */
  remove(): Promise<void>;
}

/** A record's place and its wallet's number. */
interface NumberedLocation extends RecordLocation {
  readonly number: number;
}

/** Where the records of the file's wallets are. */
export interface RecordLocations {
  readonly size: number;
  has(id: string): boolean;
  /** The record's place without its newline, in bytes; the latest one set counts. */
  find(id: string): NumberedLocation | undefined;
  /** The same of the wallet with that number: they are counted from 0 in the order in which they came first. */
  at(number: number): NumberedLocation | undefined;
  set(id: string, place: RecordLocation): void;
}

/** Places in a block. */
const BLOCK = 16_384;

/** No records: arrays of numbers beside the wallet index, so that a million places cost 12 MB. */
export function createLocations(): RecordLocations {
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
  /** Bytes in it; the next record begins there. */
  readonly size: number;
  readonly places: RecordLocations;
  readonly path: string;
  readonly host: AtomicHost;
  /** Whether it was made for this store: it goes when nothing was added to it. */
  readonly isNew?: boolean;
  /** Under which alone the file may be changed; it is released when the file is closed. */
  readonly lock?: Lock | undefined;
  /** Makes a file for the answers that come when the lock is lost. */
  readonly createLate?: () => AnswerStore;
  /** Whether another run may take the file away, and what is in it into account, while it is written. */
  readonly mayBeTaken?: boolean;
}

/** The store whose records are in `file`. Closing it closes the descriptor. */
export function openStore(file: RecordFile): AnswerStore {
  const { fd, path, places } = file;
  const syncing = createSyncing(fd);
  // A file's name is on the disk only when its folder is; whoever made this one may have been killed before that.
  const named = syncFolder(dirname(path));
  if (places.size > 0) syncing.changed();
  const readBlock = createBlockReader(file);
  const room = createAnswerRoom(path, file.host);
  for (let number = Math.max(0, places.size - SAMPLE); number < places.size; number++) {
    room.learn(places.at(number)?.length ?? 0);
  }
  const { lock } = file;
  const isOurs = (maxAgeMs?: number) => lock?.isHeld(maxAgeMs) ?? true;
  const late = createLateAnswers(file, room);
  let end = file.size;
  let isOpen = true;
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    syncing.close();
    room.close();
    if (file.isNew && end === file.size && isOurs(0)) quietly(() => removeOwn(file));
    // What could not be written has been told by sync.
    closeQuietly(fd);
    late.close();
    lock?.release();
  }
  function checkDisk(): void {
    if (!syncing.fault) return;
    throw fileError(`${file.name} cannot be written`, { cause: syncing.fault, ...MAKE_ROOM });
  }
  return {
    known: places.size,
    lost: lock?.lost,
    checkLock: () => lock?.check(),
    get isKept() {
      return lock?.lost.aborted || pointsAt(path, fd);
    },
    get size() {
      return places.size + late.size;
    },
    has: (id) => places.has(id) || late.has(id),
    get(id) {
      const place = places.find(id);
      if (!place) return late.get(id);
      const settled = decodeRecord(readBlock(place, end), id);
      if (!settled) throw changedError(file);
      return { ...settled, number: place.number };
    },
    append(id, settled) {
      if (!isOurs()) return late.append(id, settled);
      const line = encodeRecord(id, settled);
      room.spend(line.length, () => writeWhole(file, line, end));
      places.set(id, { offset: end, length: line.length - 1 });
      end += line.length;
      syncing.changed();
      checkDisk();
    },
    refusal(answers) {
      const cause = room.refusal(answers, end);
      return cause && fileError(`${file.name} has no room for more answers`, { cause, ...MAKE_ROOM });
    },
    releaseRoom: room.release,
    async sync() {
      if (!isOpen) return;
      room.close();
      await syncing.finish();
      await named;
      checkDisk();
      // What has become of the journal is the concern of whoever has it.
      if (!isOurs()) return late.sync();
      if (file.mayBeTaken && !pointsAt(path, fd)) return;
      if (pointsAt(path, fd)) {
        if (fstatSync(fd).size !== end) throw changedError(file);
        return;
      }
      throw new IoError(
        `${file.name} was removed or replaced while this run was writing to it, and its answers are lost`,
        {
          hint: 'find out what did that, then run the same command again',
          isResumable: true,
        },
      );
    },
    close,
    async remove() {
      if (isOpen && isOurs(0)) await retryWhileInUse(() => removeOwn(file), file.host);
      close();
    },
  };
}

/** So many records say how long answers are. */
const SAMPLE = 1_000;

/** Others take late answers in no more often than this while one of them is written. */
const TRIES = 100;

/** The answers that come when the lock is lost: in a file of their own, or in the next one when that was taken in. */
function createLateAnswers({ createLate, name }: RecordFile, room: AnswerRoom) {
  const files: AnswerStore[] = [];
  let fault: unknown;
  const holding = (id: string) => files.find((file) => file.has(id));
  function write(id: string, settled: Settled): void {
    for (let attempt = 0; createLate && attempt < TRIES; attempt++) {
      const last = files.at(-1);
      const file = last?.isKept ? last : createLate();
      if (file !== last) files.push(file);
      file.append(id, settled);
      if (file.isKept) return;
    }
    throw new IoError(`an answer that came when ${name} was taken over cannot be kept`, {
      hint: 'find out what removes the files beside it, then run the same command again',
      isResumable: true,
    });
  }
  return {
    get size() {
      return files.reduce((sum, { size }) => sum + size, 0);
    },
    has: (id: string) => holding(id) !== undefined,
    get(id: string): StoredAnswer | undefined {
      const found = holding(id)?.get(id);
      // It was answered in this run.
      return found && { ...found, number: Number.POSITIVE_INFINITY };
    },
    append(id: string, settled: Settled): void {
      try {
        room.spend(encodeRecord(id, settled).length, () => write(id, settled));
      } catch (error) {
        fault ??= error;
        throw error;
      }
    },
    async sync() {
      await files.at(-1)?.sync();
      if (fault) throw fault;
    },
    close() {
      for (const file of files) file.close();
    },
  };
}

/** @throws IoError when the file cannot be removed; one that is not ours is left. */
function removeOwn({ path, fd, name }: RecordFile): void {
  if (!pointsAt(path, fd)) return;
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
    isResumable: true,
  });
}

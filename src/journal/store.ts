/** What the service said, by wallet: records in a journal, their places in memory. */
import { fstatSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { IoError } from '../errors.ts';
import { type AtomicHost, syncFolder } from '../files/atomic-file.ts';
import { closeQuietly, quietly } from '../files/close-file.ts';
import { fileError, systemCode } from '../files/file-error.ts';
import { pointsAt } from '../files/identity.ts';
import { retryWhileInUse } from '../files/in-use.ts';
import type { Lock } from '../files/lock.ts';
import { createBlockReader } from '../files/records/block-reader.ts';
import { createSyncing } from '../files/syncing.ts';
import { createAnswerRoom } from './answer-room.ts';
import type { AnswerStore } from './answer-store.ts';
import { MAKE_ROOM, writeWhole } from './journal-file.ts';
import { createLateAnswers } from './late-store.ts';
import type { RecordLocations } from './locations.ts';
import { decodeRecord, encodeRecord } from './record.ts';

export interface RecordFile {
  /** Open for reading and, if records are to be added, for appending. */
  readonly fd: number;
  /** What the file is called in messages. */
  readonly name: string;
  /** Bytes in it; the next record begins there. */
  readonly size: number;
  readonly locations: RecordLocations;
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
  const { fd, path, locations } = file;
  const syncing = createSyncing(fd);
  // A file's name is on the disk only when its folder is; whoever made this one may have been killed before that.
  const named = syncFolder(dirname(path));
  if (locations.size > 0 || file.lock) syncing.changed();
  const readBlock = createBlockReader(file);
  const room = createAnswerRoom(path, file.host);
  for (let number = Math.max(0, locations.size - SAMPLE); number < locations.size; number++) {
    room.learn(locations.at(number)?.length ?? 0);
  }
  const { lock } = file;
  const isOurs = (maxAgeMs?: number) => lock?.isHeld(maxAgeMs) ?? true;
  const late = createLateAnswers(file.name, file.createLate, room);
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
    known: locations.size,
    lost: lock?.lost,
    checkLock: () => lock?.check(),
    get isKept() {
      return lock?.lost.aborted || pointsAt(path, fd);
    },
    get size() {
      return locations.size + late.size;
    },
    has: (id) => locations.has(id) || late.has(id),
    get(id) {
      const location = locations.find(id);
      if (!location) return late.get(id);
      const settled = decodeRecord(readBlock(location, end), id);
      if (!settled) throw changedError(file);
      return { ...settled, number: location.number };
    },
    append(id, settled) {
      if (!isOurs()) return late.append(id, settled);
      const line = encodeRecord(id, settled);
      room.spend(line.length, () => writeWhole(file, line, end));
      locations.set(id, { offset: end, length: line.length - 1 });
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
        if (currentSize(file) !== end) throw changedError(file);
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

function currentSize({ fd, name }: RecordFile): number {
  try {
    return fstatSync(fd).size;
  } catch (cause) {
    const hint = 'rerun the same command to resume';
    throw fileError(`${name} cannot be checked`, { cause, hint, isResumable: true });
  }
}

/** So many records say how long answers are. */
const SAMPLE = 1_000;

/** @throws IoError when the file cannot be removed; one that is not ours is left. */
function removeOwn({ path, fd, name }: RecordFile): void {
  if (!pointsAt(path, fd)) return;
  try {
    unlinkSync(path);
  } catch (cause) {
    // Halted between the look and the removal, for so long that another run took the journal over and was done with it.
    if (systemCode(cause) === 'ENOENT') return;
    throw fileError(`${name} cannot be removed`, {
      cause,
      hint: 'delete it, or the next run will reuse its answers, however old they are',
    });
  }
}

function changedError({ name }: RecordFile): IoError {
  return new IoError(`${name} was changed by another program while this run was using it`, {
    code: 'journal_damaged',
    hint: 'find out which one, then run the same command again: complete answers in it are kept',
    isResumable: true,
  });
}

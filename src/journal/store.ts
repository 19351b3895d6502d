/**
 * Answers by wallet. They are records of a file, the journal or a temporary file, and their locations are in memory. The rest of
 * the program does not know which file it is.
 */
import { fstatSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Host } from '../context.ts';
import { IoError } from '../errors.ts';
import { type AtomicHost, syncFolder } from '../files/atomic-file.ts';
import { BackgroundSync } from '../files/background-sync.ts';
import { closeQuietly, ignoreErrors } from '../files/close-file.ts';
import { fileError, systemCode } from '../files/file-error.ts';
import { pointsAt } from '../files/identity.ts';
import { retryWhileInUse } from '../files/in-use.ts';
import type { Lock } from '../files/lock.ts';
import { openTemporaryFile } from '../files/temporary-file.ts';
import { ownCopy } from '../text/own-copy.ts';
import { type Appendable, freeSpaceHint, writeWhole } from './journal-file.ts';
import { createLineReader } from './line-reader.ts';
import { decodeRecord, encodeRecord, type JournalRecord, type WalletResult } from './record.ts';

export type StoredAnswer = JournalRecord & {
  /** Where its record begins, in bytes: no other record begins there. */
  readonly offset: number;
};

export type AnswerStore = ReturnType<typeof openStore>;

interface RecordFile {
  /** Open for reading and, if records are to be added, for writing. */
  readonly fd: number;
  /** The name of the file in messages. */
  readonly name: string;
  /** Its size in bytes: the next record begins there. */
  readonly size: number;
  /** Where the newest record of each wallet begins, in bytes, by the wallet's id. */
  readonly offsets: Map<string, number>;
  /** When the newest record was answered, milliseconds since 1970. */
  readonly newest?: number;
}

export interface OpenJournal extends RecordFile, Appendable {
  readonly host: AtomicHost;
  /** Whether it was made for this store: it is removed when nothing was added. */
  readonly isNew: boolean;
  /** The lock needed to change the file; it is released when the store is closed. */
  readonly lock: Lock;
}

/** The store whose records are in `journal`. */
export function openStore(journal: OpenJournal) {
  const { fd, path, lock } = journal;
  const backgroundSync = new BackgroundSync(fd);
  backgroundSync.changed();
  // A file's name is on the disk only when its folder is synced, and the run that made this file may have been killed before.
  const named = syncFolder(dirname(path)).catch((error: unknown) => error);
  const records = recordsIn(journal, (line, end) => {
    // A run that lost the lock, but was halted before it noticed, may have added a record meanwhile.
    const size = currentSize(journal);
    if (size < end) throw changedError(journal);
    writeWhole(journal, line, size);
    return size + line.length;
  });
  const isInPlace = () => pointsAt(path, fd);
  let isOpen = true;
  const checkDisk = (cause: unknown) => {
    if (cause) throw fileError(`${journal.name} cannot be written`, { cause, ...freeSpaceHint(journal) });
  };
  /** Closes the store; removes a new file to which nothing was added. Never throws; may be called twice. */
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    backgroundSync.close();
    if (journal.isNew && records.end() === journal.size && lock.isHeld(0)) ignoreErrors(() => removeJournal(journal));
    // Failures to write have been reported by sync.
    closeQuietly(fd);
    lock.release();
  }
  return {
    ...records.reading,
    /** How many wallets have an answer or a refusal. */
    get size() {
      return journal.offsets.size;
    },
    /** Where the next record begins, in bytes. */
    get end() {
      return records.end();
    },
    /** When the newest of them was given, milliseconds since 1970; below every time when there is none. */
    get newest() {
      return records.newest();
    },
    /** Whether the answers outlive the process: not if the journal was removed or replaced meanwhile. */
    get isKept() {
      return isInPlace();
    },
    /** To be called before each request, and before rows replace a file. @throws LockedError when another run may write here */
    checkLock: () => lock.check(),
    /**
     * Hands the answer to the system, so that a kill afterwards loses nothing of a journal; it is on the disk within about a
     * second.
     * @throws LockedError as checkLock does, and nothing is written; IoError when the file cannot be written (it then ends with the
     * record before), was cut short, or an earlier record could not be synced
     */
    append(id: string, result: WalletResult): void {
      lock.check();
      records.append(id, result);
      backgroundSync.changed();
      checkDisk(backgroundSync.fault);
    },
    /** Resolves when all answers are on the disk. @throws IoError when they cannot be kept */
    async sync(): Promise<void> {
      if (!isOpen) return;
      await backgroundSync.finish();
      checkDisk(backgroundSync.fault ?? (await named));
      // Another run may be adding to it, or have removed it, once the lock is lost.
      lock.check(0);
      if (!isInPlace()) throw removedError(journal);
      if (currentSize(journal) < records.end()) throw changedError(journal);
    },
    close,
    /** Closes the store and deletes its file, since nothing is left to request; not a file that replaced it. @throws IoError */
    async remove(): Promise<void> {
      if (isOpen && lock.isHeld(0)) await retryWhileInUse(() => removeJournal(journal), journal.host);
      close();
    },
  };
}

const NO_ROOM_HINT =
  'free up disk space there, point TMPDIR (on Windows TEMP) elsewhere, or keep the answers with --journal FILE';

/**
 * A store that is gone with the process, and that nobody else can open. @throws IoError when there is no room for temporary files
 */
export function openTemporaryStore(host: Pick<Host, 'temporaryFolder'>): AnswerStore {
  const temporary = openTemporaryFile(host, NO_ROOM_HINT);
  const file = { fd: temporary.fd, name: temporary.name, size: 0, offsets: new Map<string, number>() };
  const records = recordsIn(file, (line, end) => {
    temporary.write(line, end);
    return end + line.length;
  });
  return {
    ...records.reading,
    get size() {
      return file.offsets.size;
    },
    get end() {
      return records.end();
    },
    /** When the newest of them was given, milliseconds since 1970; below every time when there is none. */
    get newest() {
      return records.newest();
    },
    isKept: false,
    checkLock() {},
    append: records.append,
    sync: async () => {},
    close: temporary.close,
    remove: async () => temporary.close(),
  };
}

/** What both kinds of store share. `write` adds all of the bytes at the `end` of the file, or none, and returns the new end. */
function recordsIn(file: RecordFile, write: (bytes: Uint8Array, end: number) => number) {
  const { offsets } = file;
  const lineAt = createLineReader(file);
  let end = file.size;
  let newest = file.newest ?? Number.NEGATIVE_INFINITY;
  const reading = {
    has: (id: string) => offsets.has(id),
    /** @throws IoError when the file cannot be read, or has something else in place of the wallet's record */
    get(id: string): StoredAnswer | undefined {
      const offset = offsets.get(id);
      if (offset === undefined) return undefined;
      const record = decodeRecord(lineAt(offset, end));
      if (record?.id !== id) throw changedError(file);
      return { ...record, offset };
    },
  };
  function append(id: string, result: WalletResult): void {
    const line = encodeRecord(id, result);
    end = write(line, end);
    newest = Math.max(newest, result.answeredAt);
    // The id may be cut out of a long line of the list.
    offsets.set(ownCopy(id), end - line.length);
  }
  return { reading, append, end: () => end, newest: () => newest };
}

function currentSize({ fd, name }: OpenJournal): number {
  try {
    return fstatSync(fd).size;
  } catch (cause) {
    const hint = 'rerun the same command to resume';
    throw fileError(`${name} cannot be checked`, { cause, hint, isResumable: true });
  }
}

/** @throws IoError when the file cannot be removed; a file that replaced it is left */
function removeJournal({ path, fd, name }: OpenJournal): void {
  if (!pointsAt(path, fd)) return;
  try {
    unlinkSync(path);
  } catch (cause) {
    // This process was halted after the check for so long that another run took over the journal and removed it.
    if (systemCode(cause) === 'ENOENT') return;
    throw fileError(`${name} cannot be removed`, {
      cause,
      hint: 'delete it, or the next run will reuse its answers, however old they are',
    });
  }
}

function changedError({ name }: Pick<RecordFile, 'name'>): IoError {
  return new IoError(`${name} was changed by another program while this run was using it`, {
    code: 'journal_damaged',
    hint: 'find out which one, then run the same command again: complete answers in it are kept',
    isResumable: true,
  });
}

const removedError = ({ name }: Pick<RecordFile, 'name'>): IoError =>
  new IoError(`${name} was removed or replaced while this run was writing to it, and its answers are lost`, {
    hint: 'find out what did that, then run the same command again',
    isResumable: true,
  });

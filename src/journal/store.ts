/** Answers by wallet, as records of a journal whose locations are in memory. */
import { fstatSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { IoError } from '../errors.ts';
import { type AtomicHost, syncFolder } from '../files/atomic-file.ts';
import { closeQuietly, quietly } from '../files/close-file.ts';
import { fileError, systemCode } from '../files/file-error.ts';
import { pointsAt } from '../files/identity.ts';
import { retryWhileInUse } from '../files/in-use.ts';
import type { Lock } from '../files/lock.ts';
import { createBlockReader, type ReadRecord } from '../files/records/block-reader.ts';
import { Syncing } from '../files/syncing.ts';
import type { AnswerStore, StoredAnswer } from './answer-store.ts';
import { MAKE_ROOM, writeWhole } from './journal-file.ts';
import type { RecordLocations } from './locations.ts';
import { decodeRecord, encodeRecord, type Settled } from './record.ts';

export interface JournalRecordFile {
  /** Open for reading and, if records are to be added, for appending. */
  readonly fd: number;
  /** The name of the file in messages. */
  readonly name: string;
  /** Its size in bytes: the next record begins there. */
  readonly size: number;
  readonly locations: RecordLocations;
  readonly path: string;
  readonly host: AtomicHost;
  /** Whether it was made for this store: it is removed when nothing was added. */
  readonly isNew?: boolean;
  /** The lock needed to change the file; it is released when the store is closed. */
  readonly lock?: Lock | undefined;
}

/** The store whose records are in `file`. Closing it closes the descriptor. */
export class JournalStore implements AnswerStore {
  readonly known: number;
  private readonly syncing: Syncing;
  /**
   * The error of syncing its folder, if any: a file's name is on the disk only when its folder is synced, and the run that made
   * this file may have been killed before that.
   */
  private readonly named: Promise<unknown>;
  private readonly readBlock: ReadRecord;
  private end: number;
  private isOpen = true;

  constructor(private readonly file: JournalRecordFile) {
    const { fd, path, locations, lock } = file;
    this.known = locations.size;
    this.end = file.size;
    this.syncing = new Syncing(fd);
    this.named = syncFolder(dirname(path)).catch((error: unknown) => error);
    if (locations.size > 0 || lock) this.syncing.changed();
    this.readBlock = createBlockReader(file);
  }

  get isKept(): boolean {
    return this.isInPlace();
  }

  get size(): number {
    return this.file.locations.size;
  }

  checkLock(): void {
    this.file.lock?.check();
  }

  has(id: string): boolean {
    return this.file.locations.has(id);
  }

  get(id: string): StoredAnswer | undefined {
    const location = this.file.locations.find(id);
    if (!location) return undefined;
    const settled = decodeRecord(this.readBlock(location, this.end), id);
    if (!settled) throw changedError(this.file);
    return { ...settled, number: location.number };
  }

  append(id: string, settled: Settled): void {
    this.checkLock();
    const line = encodeRecord(id, settled);
    writeWhole(this.file, line, this.end);
    this.file.locations.set(id, { offset: this.end, length: line.length - 1 });
    this.end += line.length;
    this.syncing.changed();
    this.checkDisk(this.syncing.fault);
  }

  async sync(): Promise<void> {
    if (!this.isOpen) return;
    await this.syncing.finish();
    this.checkDisk(this.syncing.fault ?? (await this.named));
    // Another run may be adding to it, or have removed it, once the lock is lost.
    this.checkLock();
    if (!this.isInPlace()) throw removedError(this.file);
    if (currentSize(this.file) !== this.end) throw changedError(this.file);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.syncing.close();
    if (this.file.isNew && this.end === this.file.size && this.isOurs()) quietly(() => removeOwn(this.file));
    // Failures to write have been reported by sync.
    closeQuietly(this.file.fd);
    this.file.lock?.release();
  }

  async remove(): Promise<void> {
    if (this.isOpen && this.isOurs()) await retryWhileInUse(() => removeOwn(this.file), this.file.host);
    this.close();
  }

  private isOurs(): boolean {
    return this.file.lock?.isHeld(0) ?? true;
  }

  private isInPlace(): boolean {
    return pointsAt(this.file.path, this.file.fd);
  }

  private checkDisk(cause: unknown): void {
    if (cause) throw fileError(`${this.file.name} cannot be written`, { cause, ...MAKE_ROOM });
  }
}

function currentSize({ fd, name }: JournalRecordFile): number {
  try {
    return fstatSync(fd).size;
  } catch (cause) {
    const hint = 'rerun the same command to resume';
    throw fileError(`${name} cannot be checked`, { cause, hint, isResumable: true });
  }
}

/** @throws IoError when the file cannot be removed; a file that replaced it is left */
function removeOwn({ path, fd, name }: JournalRecordFile): void {
  if (!pointsAt(path, fd)) return;
  try {
    unlinkSync(path);
  } catch (cause) {
    // Halted between the check and the removal, so long that another run took over the journal and removed it.
    if (systemCode(cause) === 'ENOENT') return;
    throw fileError(`${name} cannot be removed`, {
      cause,
      hint: 'delete it, or the next run will reuse its answers, however old they are',
    });
  }
}

function changedError({ name }: JournalRecordFile): IoError {
  return new IoError(`${name} was changed by another program while this run was using it`, {
    code: 'journal_damaged',
    hint: 'find out which one, then run the same command again: complete answers in it are kept',
    isResumable: true,
  });
}

const removedError = ({ name }: JournalRecordFile): IoError =>
  new IoError(`${name} was removed or replaced while this run was writing to it, and its answers are lost`, {
    hint: 'find out what did that, then run the same command again',
    isResumable: true,
  });

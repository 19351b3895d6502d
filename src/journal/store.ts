/**
 * Answers and refusals by wallet. They are records of a file, the journal or a temporary file, and
 * their offsets are in memory. The rest of the program does not know which file it is.
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
import { createLineReader } from '../files/line-reader.ts';
import type { Lock } from '../files/lock.ts';
import { openTemporaryFile } from '../files/temporary-file.ts';
import { ownCopy } from '../text/own-copy.ts';
import { appendOrRollBack, freeSpaceDetails, type OpenFile } from './journal-file.ts';
import { type Answered, decodeRecord, encodeRecord, type JournalRecord, type WalletResult } from './record.ts';

export type StoredResult = JournalRecord & {
  /** Where its record begins, in bytes: no other record begins there. */
  readonly offset: number;
};

interface RecordFile {
  /** Open for reading and, if records are to be added, for writing. */
  readonly fd: number;
  /** The name of the file in messages. */
  readonly name: string;
  /** Where the first new record begins, in bytes: at the end of the file. */
  readonly end: number;
  /** Where the newest record of each wallet begins, in bytes, by the wallet's id. */
  readonly offsets: Map<string, number>;
}

/**
 * How many characters of answers wait in memory for their rows. That is enough for a thousand
 * requests in flight at 1 kB each; their documents take up to 30 times as many bytes.
 */
const MAX_RECENT_LENGTH = 1024 * 1024;

/** The newest record of each wallet in an open file, to which results are added. */
export abstract class ResultStore<File extends RecordFile = RecordFile> {
  private readonly lineAt;
  /** New answers by wallet, which need not be read and parsed again for their rows. */
  private readonly recent = new Map<string, StoredResult & Answered>();
  private recentLength = 0;
  private endOffset: number;
  private newestTime: number;

  constructor(
    protected readonly file: File,
    newestAnsweredAt = Number.NEGATIVE_INFINITY,
  ) {
    this.lineAt = createLineReader(file);
    this.endOffset = file.end;
    this.newestTime = newestAnsweredAt;
  }

  /** Where the next record begins, in bytes. */
  get end(): number {
    return this.endOffset;
  }

  /**
   * When the newest record was answered, milliseconds since 1970; below every time when there is
   * none.
   */
  get newestAnsweredAt(): number {
    return this.newestTime;
  }

  /** How many wallets have an answer or a refusal. */
  get size(): number {
    return this.file.offsets.size;
  }

  has(id: string): boolean {
    return this.file.offsets.has(id);
  }

  /** From now on no wallet has a result; the file is left as it is. */
  forgetAll(): void {
    this.file.offsets.clear();
    this.recent.clear();
    this.recentLength = 0;
  }

  /**
   * @throws IoError when the file cannot be read, or has something else in place of the wallet's
   * record
   */
  get(id: string): StoredResult | undefined {
    const recent = this.takeRecent(id);
    if (recent) return recent;
    const offset = this.file.offsets.get(id);
    if (offset === undefined) return undefined;
    this.flush();
    const record = decodeRecord(this.lineAt(offset, this.end));
    if (record?.id !== id) throw changedError(this.file);
    return { ...record, offset };
  }

  /**
   * Hands the result to the system, so that a kill afterwards loses nothing of a journal; it is on
   * the disk within about a second.
   * @throws LockedError as checkLock does, and nothing is written; IoError when the file cannot be
   * written (it then ends with the record before), was cut short, or an earlier record could not be
   * synced
   */
  append(id: string, result: WalletResult): void {
    const line = encodeRecord(id, result);
    const offset = this.write(line);
    this.endOffset = offset + line.length;
    this.newestTime = Math.max(this.newestTime, result.answeredAt);
    // The id may be cut out of a long line of the list.
    const ownId = ownCopy(id);
    this.file.offsets.set(ownId, offset);
    this.takeRecent(id);
    if ('refusal' in result) return;
    const { answeredAt, text, document } = result;
    if (!document || this.recentLength + text.length > MAX_RECENT_LENGTH) return;
    this.recent.set(ownId, { id: ownId, answeredAt, text, document, offset });
    this.recentLength += text.length;
  }

  /** Removes and returns the answer that is kept in memory; later reads go to the file. */
  private takeRecent(id: string): StoredResult | undefined {
    const recent = this.recent.get(id);
    if (!recent) return undefined;
    this.recent.delete(id);
    this.recentLength -= recent.text.length;
    return recent;
  }

  /** Adds all of the bytes, or none. @returns where they begin */
  protected abstract write(bytes: Uint8Array): number;

  /** Called before the file is read. */
  protected flush(): void {}

  /**
   * Whether the results outlive the process: not if the journal was removed or replaced meanwhile.
   */
  abstract readonly isKept: boolean;
  /**
   * To be called before each request, and before rows replace a file. @throws LockedError when
   * another run may write here
   */
  checkLock(): void {}
  /**
   * Resolves when all results that outlive the process are on the disk. @throws IoError when they
   * cannot be kept
   */
  async sync(): Promise<void> {}
  /**
   * Closes the store; removes a new file to which nothing was added. Never throws; may be called
   * twice.
   */
  abstract close(): void;
  /**
   * Closes the store and deletes its file, since nothing is left to request; not a file that
   * replaced it. @throws IoError
   */
  abstract remove(): Promise<void>;
}

export interface OpenJournal extends RecordFile, OpenFile {
  readonly newestAnsweredAt: number;
  readonly host: AtomicHost;
  /** Whether it was made for this store: it is removed when nothing was added. */
  readonly isNew: boolean;
  /** The lock needed to change the file; it is released when the store is closed. */
  readonly lock: Lock;
}

/** The store whose records are in a journal. */
export class JournalStore extends ResultStore<OpenJournal> {
  private readonly backgroundSync: BackgroundSync;
  /**
   * A file's name is on the disk only when its folder is synced, and the run that made this file
   * may have been killed before.
   */
  private readonly nameSync: Promise<unknown>;
  private isOpen = true;

  constructor(journal: OpenJournal) {
    super(journal, journal.newestAnsweredAt);
    this.backgroundSync = new BackgroundSync(journal.fd);
    this.backgroundSync.changed();
    this.nameSync = syncFolder(dirname(journal.path)).catch((error: unknown) => error);
  }

  get isKept(): boolean {
    return pointsAt(this.file.path, this.file.fd);
  }

  override checkLock(): void {
    this.file.lock.check();
  }

  override append(id: string, result: WalletResult): void {
    this.checkLock();
    super.append(id, result);
    this.backgroundSync.changed();
    this.checkDisk(this.backgroundSync.fault);
  }

  protected write(line: Uint8Array): number {
    // A run that lost the lock, but was halted before it noticed, may have added a record
    // meanwhile.
    const size = currentSize(this.file);
    if (size < this.end) throw changedError(this.file);
    appendOrRollBack(this.file, line, size);
    return size;
  }

  override async sync(): Promise<void> {
    if (!this.isOpen) return;
    await this.backgroundSync.finish();
    this.checkDisk(this.backgroundSync.fault ?? (await this.nameSync));
    // Another run may be adding to it, or have removed it, once the lock is lost.
    this.file.lock.check(0);
    if (!this.isKept) throw removedError(this.file);
    if (currentSize(this.file) < this.end) throw changedError(this.file);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const { fd, isNew, lock } = this.file;
    this.backgroundSync.close();
    const isEmpty = isNew && this.end === this.file.end;
    if (isEmpty && lock.isHeld(0)) ignoreErrors(() => removeJournal(this.file));
    // Failures to write have been reported by sync.
    closeQuietly(fd);
    lock.release();
  }

  async remove(): Promise<void> {
    const { lock, host } = this.file;
    if (this.isOpen && lock.isHeld(0)) await retryWhileInUse(() => removeJournal(this.file), host);
    this.close();
  }

  private checkDisk(cause: unknown): void {
    if (cause) throw fileError(`${this.file.name} cannot be written`, { cause, ...freeSpaceDetails(this.file) });
  }
}

const NO_ROOM_HINT =
  'free up disk space there, point TMPDIR (on Windows TEMP) elsewhere, or keep the answers with --journal FILE';

/** How many bytes of records are written at once. */
const WRITE_BYTES = 64 * 1024;

/** A store that is gone with the process, and that nobody else can open. */
export class TemporaryStore extends ResultStore<RecordFile & ReturnType<typeof openTemporaryFile>> {
  readonly isKept = false;
  /** Records that are not yet in the file: nobody needs them there when the process is gone. */
  private unwritten: Uint8Array[] = [];
  private unwrittenBytes = 0;

  /** @throws IoError when there is no room for temporary files */
  constructor(host: Pick<Host, 'temporaryFolder'>) {
    super({ ...openTemporaryFile(host, NO_ROOM_HINT), end: 0, offsets: new Map() });
  }

  protected write(line: Uint8Array): number {
    this.unwritten.push(line);
    this.unwrittenBytes += line.length;
    if (this.unwrittenBytes >= WRITE_BYTES) this.flush();
    return this.end;
  }

  protected override flush(): void {
    if (this.unwrittenBytes === 0) return;
    this.file.append(Buffer.concat(this.unwritten));
    this.unwritten = [];
    this.unwrittenBytes = 0;
  }

  close(): void {
    this.file.close();
  }

  async remove(): Promise<void> {
    this.close();
  }
}

function currentSize({ fd, name }: OpenJournal): number {
  try {
    return fstatSync(fd).size;
  } catch (cause) {
    const hint = 'run the same command again to resume';
    throw fileError(`${name} cannot be checked`, { cause, hint, isResumable: true });
  }
}

/** @throws IoError when the file cannot be removed; a file that replaced it is left */
function removeJournal({ path, fd, name }: OpenJournal): void {
  if (!pointsAt(path, fd)) return;
  try {
    unlinkSync(path);
  } catch (cause) {
    // This process was halted after the check for so long that another run took over the journal
    // and removed it.
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

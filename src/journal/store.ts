/**
 * Answers by wallet. They are records of a file, the journal or a temporary file, and their
 * locations are in memory. The rest of the program does not know which file it is.
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
import { type Answered, decodeRecord, encodeRecord, type JournalRecord, type WalletResult } from './record.ts';

export type StoredAnswer = JournalRecord & {
  /** The offset of its record, in bytes: no other record starts there. */
  readonly offset: number;
};

interface RecordFile {
  /** Open for reading and, if records are to be added, for writing. */
  readonly fd: number;
  /** The name of the file in messages. */
  readonly name: string;
  /** Its size in bytes: the next record begins there. */
  readonly size: number;
  /** Where the newest record of each wallet begins, in bytes, by the wallet's id. */
  readonly offsets: Map<string, number>;
}

/**
 * How many characters of answers wait in memory for their rows. That is enough for a thousand
 * requests in flight at 1 kB each; their documents take up to 30 times as many bytes.
 */
const MAX_RECENT_LENGTH = 1024 * 1024;

/** The newest record of each wallet in an open file, to which answers are added. */
export abstract class AnswerStore {
  private readonly lineAt;
  /** New answers by wallet, which need not be read and parsed again for their rows. */
  private readonly recent = new Map<string, StoredAnswer & Answered>();
  private recentLength = 0;
  /** The offset of the next record, in bytes. */
  end: number;

  constructor(
    protected readonly file: RecordFile,
    /**
     * When the newest record was answered, milliseconds since 1970; below every time when there is
     * none.
     */
    public newest = Number.NEGATIVE_INFINITY,
  ) {
    this.lineAt = createLineReader(file);
    this.end = file.size;
  }

  /** How many wallets have an answer or a refusal. */
  get size(): number {
    return this.file.offsets.size;
  }

  has(id: string): boolean {
    return this.file.offsets.has(id);
  }

  /** From now on no wallet has an answer; the file is left as it is. */
  forgetAll(): void {
    this.file.offsets.clear();
    this.recent.clear();
    this.recentLength = 0;
  }

  /**
   * @throws IoError when the file cannot be read, or has something else in place of the wallet's
   * record
   */
  get(id: string): StoredAnswer | undefined {
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
   * Hands the answer to the system, so that a kill afterwards loses nothing of a journal; it is on
   * the disk within about a second.
   * @throws LockedError as checkLock does, and nothing is written; IoError when the file cannot be
   * written (it then ends with the record before), was cut short, or an earlier record could not be
   * synced
   */
  append(id: string, result: WalletResult): void {
    const line = encodeRecord(id, result);
    const offset = this.write(line);
    this.end = offset + line.length;
    this.newest = Math.max(this.newest, result.answeredAt);
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

  /** Only the next row of a wallet has its answer from memory. */
  private takeRecent(id: string): StoredAnswer | undefined {
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
   * Whether the answers outlive the process: not if the journal was removed or replaced meanwhile.
   */
  abstract readonly isKept: boolean;
  /**
   * To be called before each request, and before rows replace a file. @throws LockedError when
   * another run may write here
   */
  abstract checkLock(): void;
  /** Resolves when all answers are on the disk. @throws IoError when they cannot be kept */
  abstract sync(): Promise<void>;
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

export interface OpenJournal extends RecordFile, Appendable {
  readonly newest: number;
  readonly host: AtomicHost;
  /** Whether it was made for this store: it is removed when nothing was added. */
  readonly isNew: boolean;
  /** The lock needed to change the file; it is released when the store is closed. */
  readonly lock: Lock;
}

/** The store whose records are in a journal. */
export class JournalStore extends AnswerStore {
  private readonly backgroundSync: BackgroundSync;
  /**
   * A file's name is on the disk only when its folder is synced, and the run that made this file
   * may have been killed before.
   */
  private readonly nameSync: Promise<unknown>;
  private isOpen = true;

  constructor(private readonly journal: OpenJournal) {
    super(journal, journal.newest);
    this.backgroundSync = new BackgroundSync(journal.fd);
    this.backgroundSync.changed();
    this.nameSync = syncFolder(dirname(journal.path)).catch((error: unknown) => error);
  }

  get isKept(): boolean {
    return pointsAt(this.journal.path, this.journal.fd);
  }

  checkLock(): void {
    this.journal.lock.check();
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
    const size = currentSize(this.journal);
    if (size < this.end) throw changedError(this.journal);
    writeWhole(this.journal, line, size);
    return size;
  }

  async sync(): Promise<void> {
    if (!this.isOpen) return;
    await this.backgroundSync.finish();
    this.checkDisk(this.backgroundSync.fault ?? (await this.nameSync));
    // Another run may be adding to it, or have removed it, once the lock is lost.
    this.journal.lock.check(0);
    if (!this.isKept) throw removedError(this.journal);
    if (currentSize(this.journal) < this.end) throw changedError(this.journal);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const { fd, isNew, size, lock } = this.journal;
    this.backgroundSync.close();
    if (isNew && this.end === size && lock.isHeld(0)) ignoreErrors(() => removeJournal(this.journal));
    // Failures to write have been reported by sync.
    closeQuietly(fd);
    lock.release();
  }

  async remove(): Promise<void> {
    const { lock, host } = this.journal;
    if (this.isOpen && lock.isHeld(0)) await retryWhileInUse(() => removeJournal(this.journal), host);
    this.close();
  }

  private checkDisk(cause: unknown): void {
    if (cause) throw fileError(`${this.file.name} cannot be written`, { cause, ...freeSpaceHint(this.journal) });
  }
}

const NO_ROOM_HINT =
  'free up disk space there, point TMPDIR (on Windows TEMP) elsewhere, or keep the answers with --journal FILE';

/** How many bytes of records are written at once. */
const WRITE_BYTES = 64 * 1024;

/** A store that is gone with the process, and that nobody else can open. */
export class TemporaryStore extends AnswerStore {
  private readonly temporary;
  readonly isKept = false;
  /** Records that are not yet in the file: nobody needs them there when the process is gone. */
  private unwritten: Uint8Array[] = [];
  private unwrittenBytes = 0;

  /** @throws IoError when there is no room for temporary files */
  constructor(host: Pick<Host, 'temporaryFolder'>) {
    const temporary = openTemporaryFile(host, NO_ROOM_HINT);
    super({ fd: temporary.fd, name: temporary.name, size: 0, offsets: new Map() });
    this.temporary = temporary;
  }

  protected write(line: Uint8Array): number {
    this.unwritten.push(line);
    this.unwrittenBytes += line.length;
    if (this.unwrittenBytes >= WRITE_BYTES) this.flush();
    return this.end;
  }

  protected override flush(): void {
    if (this.unwrittenBytes === 0) return;
    this.temporary.append(Buffer.concat(this.unwritten));
    this.unwritten = [];
    this.unwrittenBytes = 0;
  }

  checkLock(): void {}

  async sync(): Promise<void> {}

  close(): void {
    this.temporary.close();
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

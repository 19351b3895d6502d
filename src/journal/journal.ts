/**
 * The journal: a file of answers, so that the same command continues where it was stopped. Its
 * header line names the service; each other line is a record. A kill or a full disk can tear the
 * last line, which is dropped silently. Lines that are damaged in another way are reported and left
 * as they are; their wallets are unknown.
 */
import { constants, fstatSync, openSync, unlinkSync } from 'node:fs';
import { IoError, UsageError } from '../errors.ts';
import { closeQuietly, ignoreErrors } from '../files/close-file.ts';
import { shownPath, systemCode } from '../files/file-error.ts';
import { pointsAt } from '../files/identity.ts';
import { type Lock, type LockHost, takeLock } from '../files/lock.ts';
import { visible } from '../text/escape.ts';
import {
  APPENDING,
  alternativeHint,
  appendOrRollBack,
  cannotOpen,
  type JournalOptions,
  openTrustedFile,
  refuseUnsafeFolder,
  truncateTo,
  withJournal,
} from './journal-file.ts';
import { type JournalHeader, journalHeaderLine, journalLines } from './journal-records.ts';
import type { JournalRecord } from './record.ts';
import { JournalStore, type ResultStore } from './store.ts';

interface ScanOptions extends JournalOptions {
  /** Which service the answers come from: `journalBaseUrl(url)`, or SANDBOX_BASE_URL. */
  readonly baseUrl: string;
  /** Whether a record may be reused; its wallet is requested again if not. By default all may. */
  readonly isReusable?: ((record: JournalRecord) => boolean) | undefined;
  /** Whether a record is the first of a new run; the records before it are then not reused. */
  readonly startsNewRun?: ((record: JournalRecord) => boolean) | undefined;
}

interface JournalOpening extends ScanOptions {
  readonly host: LockHost;
  /** Called with a warning about damaged records. */
  readonly onDamage?: (warning: string) => void;
}

/** In place of the base URL of any sandbox: they give the same answers on every port. */
export const SANDBOX_BASE_URL = 'sandbox';

/** The base URL as a journal's header has it: origin and path prefix, without a final slash. */
export function journalBaseUrl(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Opens or creates a journal, locked against other runs until it is closed.
 * @throws LockedError; UsageError when it belongs to another base URL; IoError when its header is
 * damaged, when it is from a newer version, not a journal, not to be trusted, or cannot be used;
 * the signal's reason. The file is then unchanged.
 */
export async function openJournal(options: JournalOpening): Promise<ResultStore> {
  refuseUnsafeFolder(options);
  const lock = await takeLock(`${options.path}.lock`, options.host).catch((error: unknown) => {
    const isUnusableFolder = error instanceof IoError && !error.isResumable && systemCode(error.cause) !== undefined;
    throw isUnusableFolder
      ? new IoError(error.message, { hint: `make its folder writable, or ${alternativeHint(options)}`, cause: error })
      : error;
  });
  const store = await openStore(options, lock).catch((error: unknown) => {
    lock.release();
    throw systemCode(error) === undefined ? error : cannotOpen(options, error);
  });
  // A killed run may have left records that are not yet on the disk, and their wallets will not be
  // requested again. If a power cut lost the header alone, the journal would have no base URL.
  await store.sync().catch((error: unknown) => {
    store.close();
    throw error;
  });
  return store;
}

async function openStore(options: JournalOpening, lock: Lock): Promise<ResultStore> {
  const { path, host, baseUrl, alternative } = options;
  const { fd, isNew } = openOrCreate(options);
  const name = `the journal ${shownPath(path)}`;
  try {
    const { offsets, end, damagedLines, newestAnsweredAt } = await scan(fd, options);
    if (damagedLines > 0) {
      options.onDamage?.(`damaged records in ${name}: ${damagedLines}; their wallets are asked again`);
    }
    // A long journal takes a while to read.
    lock.check();
    const file = { fd, path, host, isNew, name, alternative };
    if (fstatSync(fd).size > end) truncateTo(file, end);
    const header = Buffer.from(journalHeaderLine({ baseUrl }));
    if (end === 0) appendOrRollBack(file, header, 0);
    return new JournalStore({ ...file, offsets, newestAnsweredAt, end: end || header.length, lock });
  } catch (error) {
    if (isNew && pointsAt(path, fd)) ignoreErrors(() => unlinkSync(path));
    closeQuietly(fd);
    throw error;
  }
}

function openOrCreate(file: JournalOptions): { readonly fd: number; readonly isNew: boolean } {
  const { O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    const fd = openSync(file.path, APPENDING | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    return { fd, isNew: true };
  } catch (cause) {
    if (systemCode(cause) !== 'EEXIST') throw cannotOpen(file, cause);
    return { fd: openTrustedFile(file, APPENDING), isNew: false };
  }
}

/**
 * Reads the contents of an existing journal. Neither changes nor locks it.
 * @throws as openJournal, except LockedError
 */
export const readJournal = (options: ScanOptions) => withJournal(options, (fd) => scan(fd, options));

interface ScanResult {
  /** Where the reusable record of each wallet begins, in bytes, by the wallet's id. */
  readonly offsets: Map<string, number>;
  /** Where the last whole line ends, in bytes: 0 when not even the header is whole. */
  readonly end: number;
  readonly damagedLines: number;
  /**
   * The time of the newest reusable record, earlier runs included; -Infinity when there is none.
   */
  readonly newestAnsweredAt: number;
}

async function scan(fd: number, options: ScanOptions): Promise<ScanResult> {
  const { isReusable = () => true, startsNewRun } = options;
  const offsets = new Map<string, number>();
  let damagedLines = 0;
  let newestAnsweredAt = Number.NEGATIVE_INFINITY;
  let end = 0;
  for await (const line of journalLines(fd, options)) {
    end = line.end;
    if (line.kind === 'damage') damagedLines += 1;
    else if (line.kind === 'header') checkBaseUrl(line.header, options);
    else if (isReusable(line.record)) {
      if (startsNewRun?.(line.record)) offsets.clear();
      offsets.set(line.record.id, line.offset);
      newestAnsweredAt = Math.max(newestAnsweredAt, line.record.answeredAt);
    }
  }
  return { offsets, end, damagedLines, newestAnsweredAt };
}

/** @throws UsageError when the answers are from another service */
function checkBaseUrl({ baseUrl }: JournalHeader, options: ScanOptions): void {
  if (baseUrl === options.baseUrl) return;
  const [found, wanted] = [visible(baseUrl), visible(options.baseUrl)];
  throw new UsageError(`the journal ${shownPath(options.path)} holds answers from ${found}, not from ${wanted}`, {
    code: 'journal_base_url',
    hint: `${alternativeHint(options)}, or use the base URL it was made with`,
  });
}

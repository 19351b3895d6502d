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
  cannotOpen,
  cutOff,
  elsewhereThan,
  type JournalFile,
  openTrustedFile,
  refuseUnsafeFolder,
  withJournal,
  writeWhole,
} from './journal-file.ts';
import { type JournalHeader, journalHeaderLine, journalLines } from './journal-records.ts';
import type { JournalRecord } from './record.ts';
import { type AnswerStore, JournalStore } from './store.ts';

interface ScanOptions extends JournalFile {
  /** Which service the answers come from: `journalBase(url)`, or SANDBOX_BASE. */
  readonly base: string;
  /** Whether a record may be reused; its wallet is requested again if not. By default all may. */
  readonly isReusable?: ((record: JournalRecord) => boolean) | undefined;
  /** Whether the records before it, of a run that was given up, are not to be used again. */
  readonly beginsAnew?: ((record: JournalRecord) => boolean) | undefined;
}

interface JournalOpening extends ScanOptions {
  readonly host: LockHost;
  /** Called with a warning about damaged records. */
  readonly onDamage?: (warning: string) => void;
}

/** The base of all sandboxes: they give the same answers on every port. */
export const SANDBOX_BASE = 'sandbox';

/** The base URL as a journal's header has it: origin and path prefix, without a final slash. */
export function journalBase(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Opens or makes a journal, locked against other runs until it is closed.
 * @throws LockedError; UsageError when it belongs to another base URL; IoError when its header is
 * damaged, when it is from a newer version, not a journal, not to be trusted, or cannot be used;
 * the signal's reason. The file is then unchanged.
 */
export async function openJournal(options: JournalOpening): Promise<AnswerStore> {
  refuseUnsafeFolder(options);
  const lock = await takeLock(`${options.path}.lock`, options.host).catch((error: unknown) => {
    const isUnusableFolder = error instanceof IoError && !error.isResumable && systemCode(error.cause) !== undefined;
    throw isUnusableFolder
      ? new IoError(error.message, { hint: `make its folder writable, or ${elsewhereThan(options)}`, cause: error })
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

async function openStore(options: JournalOpening, lock: Lock): Promise<AnswerStore> {
  const { path, host, base, elsewhere } = options;
  const { fd, isNew } = openOrMake(options);
  const name = `the journal ${shownPath(path)}`;
  try {
    const { offsets, end, damagedLines, newest } = await scan(fd, options);
    if (damagedLines > 0) {
      options.onDamage?.(`damaged records in ${name}: ${damagedLines}; their wallets are asked again`);
    }
    // A long journal takes a while to read.
    lock.check();
    const file = { fd, path, host, isNew, name, elsewhere };
    if (fstatSync(fd).size > end) cutOff(file, end);
    const header = Buffer.from(journalHeaderLine({ base }));
    if (end === 0) writeWhole(file, header, 0);
    return new JournalStore({ ...file, offsets, newest, size: end || header.length, lock });
  } catch (error) {
    if (isNew && pointsAt(path, fd)) ignoreErrors(() => unlinkSync(path));
    closeQuietly(fd);
    throw error;
  }
}

function openOrMake(file: JournalFile): { readonly fd: number; readonly isNew: boolean } {
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

/**
 * @returns where the answers begin, by wallet; the `end` of the last whole line, 0 when not even
 * the header is whole; how many lines are damaged; the time of the `newest` reusable record,
 * -Infinity when there is none
 */
async function scan(fd: number, options: ScanOptions) {
  const { isReusable = () => true, beginsAnew } = options;
  const offsets = new Map<string, number>();
  let damagedLines = 0;
  let newest = Number.NEGATIVE_INFINITY;
  let end = 0;
  for await (const line of journalLines(fd, options)) {
    end = line.end;
    if (line.kind === 'damage') damagedLines += 1;
    else if (line.kind === 'header') refuseOther(line.header, options);
    else if (isReusable(line.record)) {
      if (beginsAnew?.(line.record)) offsets.clear();
      offsets.set(line.record.id, line.offset);
      newest = Math.max(newest, line.record.answeredAt);
    }
  }
  return { offsets, end, damagedLines, newest };
}

/** @throws UsageError when the answers are from another service */
function refuseOther({ base }: JournalHeader, at: ScanOptions): void {
  if (base === at.base) return;
  throw new UsageError(
    `the journal ${shownPath(at.path)} holds answers from ${visible(base)}, not from ${visible(at.base)}`,
    {
      code: 'journal_base_url',
      hint: `${elsewhereThan(at)}, or use the base URL it was made with`,
    },
  );
}

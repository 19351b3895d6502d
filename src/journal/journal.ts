/**
 * The journal: answers that stay, so that the same command again goes on where it was stopped. A header line says which
 * service they come from; then a line a record. A kill or a full disk can tear the last line, which is dropped silently. Lines
 * that are damaged otherwise are dropped with a warning; records whose checksums hold are kept.
 */
import { constants, fstatSync, openSync, unlinkSync } from 'node:fs';
import { IoError } from '../errors.ts';
import { closeQuietly, quietly } from '../files/close-file.ts';
import { shownPath, systemCode } from '../files/file-error.ts';
import { pointsAt } from '../files/identity.ts';
import { type Lock, type LockHost, takeLock } from '../files/lock.ts';
import type { AnswerStore } from './answer-store.ts';
import { APPENDING, cannotOpen, cutOff, judgeFolder, openRegular, writeWhole } from './journal-file.ts';
import { headerLine } from './journal-records.ts';
import { createLateFile, eachAnswer, takeInLateAnswers } from './late-answers.ts';
import { createLocations, type RecordLocations } from './locations.ts';
import { markAsStaying, mend } from './mend.ts';
import { type FutureAnswers, type ScanOptions, scan } from './scan.ts';
import { JournalStore } from './store.ts';

export interface JournalOptions extends ScanOptions {
  /** Told, in a line, that there are answers from after `answered.until`. */
  readonly onFuture?: (told: string) => void;
  /** Whether it is kept for good from now on, which its header says. */
  readonly stays?: boolean;
  /** Other outputs of the run, for which a new journal is to be found, too. */
  readonly outputs?: readonly string[] | undefined;
  /** Told what was dropped of a damaged journal, in a line. */
  readonly onDamage?: (told: string) => void;
  /** Told, in a line, that a run is awaited which has lost the lock to this one. */
  readonly onWait?: (told: string) => void;
}

/** Every sandbox gives the same answers, on whatever port it is. */
export const SANDBOX_BASE = 'sandbox';

/** The base URL as a journal knows it: origin and path prefix, without a final slash. */
export function journalBase(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

interface JournalOpening extends JournalOptions {
  readonly path: string;
  readonly host: LockHost;
  readonly lock: Lock;
}

/**
 * Opens or makes the journal at `path`, locked against other runs until it is closed.
 * @throws LockedError; UsageError when it belongs to another base URL; IoError when its header is damaged, when it is
 * newer, no journal, not to be believed, or cannot be used; the signal's reason. In all of these cases the file is as
 * it was.
 */
export async function openJournal(path: string, options: Omit<JournalOpening, 'path' | 'lock'>): Promise<AnswerStore> {
  judgeFolder({ ...options, path });
  const lock = await lockJournal(path, options).catch((error: unknown) => {
    const isNoPlace = error instanceof IoError && !error.isResumable && systemCode(error.cause) !== undefined;
    throw isNoPlace ? new IoError(error.message, { hint: ELSEWHERE, cause: error }) : error;
  });
  const opening = { ...options, path, lock };
  const store = await takeInLate(opening)
    .then(() => open(opening, lock))
    .catch((error: unknown) => {
      lock.release();
      throw systemCode(error) === undefined ? error : cannotOpen(opening, error);
    });
  // Who wrote what is in it may have been killed before that was on the disk, and nobody is going to ask for it again. A header
  // that a power cut has turned to NULs under records that are whole would make a journal of nobody's.
  await store.sync().catch((error: unknown) => {
    store.close();
    throw error;
  });
  return store;
}

/** Where no lock can be made no journal can be, and the user may not have named this place: it can follow from the list's. */
const ELSEWHERE = 'make its folder writable, or keep the answers elsewhere with --journal FILE';

/** As long as a holder needs to notice that the lock is gone, and its requests to be answered as after a signal. */
const FORMER_HOLDER_MS = 15_000;
const PAUSE_MS = 50;

/**
 * Takes the lock of the journal at `path`. Where somebody has deleted the lock of a run that goes on, that run is about to
 * notice and stop: what it has asked already is not asked again if its answers are waited for.
 * @throws LockedError, IoError, the signal's reason.
 */
export async function lockJournal(
  path: string,
  { host, signal, onWait }: Pick<JournalOpening, 'host' | 'signal' | 'onWait'>,
): Promise<Lock> {
  const lock = await takeLock(`${path}.lock`, host);
  try {
    for (let waited = 0; waited < FORMER_HOLDER_MS; waited += PAUSE_MS) {
      const former = lock.formerHolder();
      if (former === undefined) break;
      if (waited === PAUSE_MS) {
        const limit = FORMER_HOLDER_MS / 1000;
        onWait?.(
          `waiting up to ${limit} s for process ${former}, which used the journal ${shownPath(path)} when its lock was removed, to stop and to keep its last answers`,
        );
      }
      await host.sleep(PAUSE_MS, signal);
    }
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Takes in what earlier runs could not write to the journal. Only for the holder of its lock. */
export function takeInLate(options: Omit<JournalOpening, 'answered' | 'keepsRefusals'>): Promise<void> {
  const opening = { ...options, answered: undefined, keepsRefusals: false };
  return takeInLateAnswers({ ...options, open: () => open(opening) });
}

/** @param owned the lock, if it is to be released with the store. */
async function open(options: JournalOpening, owned?: Lock): Promise<AnswerStore> {
  const { path, host, base, lock, stays, outputs } = options;
  const { fd, isNew, locations, end, future } = await openWhole(options);
  tellFuture(future, options);
  try {
    // A long journal takes a while to read.
    lock.check();
    const file = { fd, path, host, isNew, name: `the journal ${shownPath(path)}` };
    if (fstatSync(fd).size > end) cutOff(file, end);
    const header = Buffer.from(headerLine({ base, stays, outputs }));
    if (end === 0) writeWhole(file, header, 0);
    const createLate = () => createLateFile({ path, base, host });
    return new JournalStore({ ...file, locations, size: end || header.length, lock: owned, createLate });
  } catch (error) {
    giveUp({ fd, isNew }, options);
    throw error;
  }
}

/** Opens or makes the journal; first replaces one with damaged lines, and one that is to stay and does not say so. */
async function openWhole(options: JournalOpening) {
  let opened = await scanned(openOrMake(options), options);
  const { damagedLines, damagedBytes } = opened;
  if (damagedLines > 0) {
    const aside = await mend(opened.fd, options);
    opened = await scanned(reopen(options), options);
    const lines = damagedLines === 1 ? '1 damaged line' : `${damagedLines} damaged lines`;
    const answers = opened.locations.size === 1 ? '1 answer' : `${opened.locations.size} answers`;
    options.onDamage?.(
      `dropped ${lines} (${damagedBytes} bytes) from the journal ${shownPath(options.path)} and kept ${answers}; the original is saved as ${shownPath(aside)}`,
    );
  }
  if (options.stays && opened.header && !opened.header.stays) {
    await markAsStaying(opened.fd, options);
    opened = await scanned(reopen(options), options);
  }
  return opened;
}

interface OpenFile {
  readonly fd: number;
  readonly isNew: boolean;
}

function openOrMake(options: JournalOpening): OpenFile {
  const { O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    const fd = openSync(options.path, APPENDING | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    return { fd, isNew: true };
  } catch (cause) {
    if (systemCode(cause) !== 'EEXIST') throw cannotOpen(options, cause);
    return reopen(options);
  }
}

const reopen = (options: JournalOpening): OpenFile => ({ fd: openRegular(options, APPENDING), isNew: false });

/** Scans the journal that is open as `file`, and closes it when that fails. */
async function scanned(file: OpenFile, options: JournalOpening) {
  try {
    return { ...file, ...(await scan(file.fd, options)) };
  } catch (error) {
    giveUp(file, options);
    throw error;
  }
}

/** Closes the journal, and removes a new one in which nothing was written. */
function giveUp({ fd, isNew }: OpenFile, { path }: Pick<JournalOpening, 'path'>): void {
  if (isNew && pointsAt(path, fd)) quietly(() => unlinkSync(path));
  closeQuietly(fd);
}

function tellFuture(future: FutureAnswers, { path, onFuture }: Pick<JournalOpening, 'path' | 'onFuture'>): void {
  const told = future.message(path);
  if (told !== undefined) onFuture?.(told);
}

/**
 * Which wallets the journal at `path` holds; none when there is no such file. Changes and locks nothing.
 * @throws the same as openJournal, but for LockedError.
 */
export async function readJournal(
  path: string,
  options: JournalOptions,
): Promise<Pick<RecordLocations, 'has' | 'size'>> {
  let fd: number;
  try {
    judgeFolder({ ...options, path });
    fd = openRegular({ ...options, path }, constants.O_RDONLY);
  } catch (error) {
    if (error instanceof IoError && systemCode(error.cause) === 'ENOENT') return createLocations();
    throw error;
  }
  try {
    const { locations, future } = await scan(fd, { ...options, path }, eachAnswer);
    tellFuture(future, { ...options, path });
    return locations;
  } finally {
    closeQuietly(fd);
  }
}

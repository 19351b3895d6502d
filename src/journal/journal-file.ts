/**
 * The file of a journal: who may own it, how it is opened, and how a record is added so that the file never ends with half of
 * one.
 */
import { constants, fstatSync, ftruncateSync, lstatSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { IoError } from '../errors.ts';
import { writeFully } from '../files/atomic-file.ts';
import { closeQuietly } from '../files/close-file.ts';
import { fileError, shownPath, systemCode } from '../files/file-error.ts';
import { isWritable, refuseUntrusted } from '../files/file-trust.ts';
import { identityOf, isSameFile } from '../files/identity.ts';
import { commandLine } from '../secrets/withhold.ts';

/** A journal, and who may own it. */
export interface JournalFile {
  readonly path: string;
  /** The user who may own the file, besides root; undefined, as on Windows, checks no owners and modes. */
  readonly uid?: number | undefined;
  /** Ends the reading of a long journal. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it is an argument of the command line: then no hint may suggest --journal. */
  readonly isArgument?: boolean;
}

export const withFlag = ({ isArgument }: Pick<JournalFile, 'isArgument'>) => (isArgument ? '' : ' with --journal');

/** The hint when it cannot be written. */
export const MAKE_ROOM = {
  hint: 'free up disk space or choose another file with --journal, then run the same command again',
  isResumable: true,
};

export const APPENDING = constants.O_RDWR | constants.O_APPEND;

/** Opens a regular file that can be trusted, and nothing else. @throws IoError */
export function openRegular(options: Omit<JournalFile, 'signal'>, flags: number): number {
  const { path } = options;
  let fd: number | undefined;
  try {
    if (!lstatSync(path).isFile()) throw new Error('it is not a regular file');
    fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    refuseUnsafeFile(fd, options);
    return fd;
  } catch (cause) {
    closeQuietly(fd);
    throw cause instanceof IoError ? cause : cannotOpen(options, cause);
  }
}

/** @throws IoError for a journal that another user could have written, or with a second name, which would have another lock */
function refuseUnsafeFile(fd: number, { path, uid, isArgument }: JournalFile): void {
  const elsewhere = `choose another file${withFlag({ isArgument })}`;
  const stats = fstatSync(fd);
  if (stats.nlink > 1) {
    throw new IoError(`the journal ${shownPath(path)} has a second name (a hard link), so two runs could write to it`, {
      hint: `remove the other link, or ${elsewhere}`,
    });
  }
  if (uid === undefined) return;
  refuseUntrusted(path, { stats, uid, elsewhere });
}

/** @throws IoError when anybody could replace the journal with their own */
export function judgeFolder(file: Omit<JournalFile, 'signal'>): void {
  const { path, uid } = file;
  const folder = dirname(path);
  let stats: Stats;
  try {
    stats = statSync(folder);
  } catch (cause) {
    throw cannotOpen(file, cause);
  }
  if (uid === undefined || !isWritable(stats)) return;
  throw new IoError(`anyone can write to ${shownPath(folder)}, so a journal there could contain forged answers`, {
    hint: `run ${commandLine(['chmod', 'o-w', folder], 'linux')}, or choose a journal in another folder${withFlag(file)}`,
  });
}

export function cannotOpen({ path, isArgument }: Omit<JournalFile, 'signal'>, cause: unknown): IoError {
  const hint = `${isArgument ? '' : 'with --journal, '}choose a file in a folder that you can write to`;
  return fileError(`the journal ${shownPath(path)} cannot be opened`, { cause, hint });
}

/**
 * Calls `use` with the existing journal, open with `flags`.
 * @throws IoError when there is none, or it cannot be trusted or used
 */
export async function withJournal<T>(
  file: JournalFile,
  use: (fd: number) => Promise<T>,
  flags: number = constants.O_RDONLY,
): Promise<T> {
  const fd = openJournalFile(file, flags);
  try {
    return await use(fd);
  } finally {
    closeQuietly(fd);
  }
}

/** Opens an existing journal. @throws IoError as withJournal does */
export function openJournalFile(file: JournalFile, flags: number = constants.O_RDONLY): number {
  try {
    judgeFolder(file);
    return openRegular(file, flags);
  } catch (error) {
    if (!(error instanceof IoError) || systemCode(error.cause) !== 'ENOENT') throw error;
    throw new IoError(`there is no journal ${shownPath(file.path)}`, {
      hint: 'name one that riskcli profile has kept: that of its --journal, or FILE.journal beside its -o FILE',
      cause: error.cause,
    });
  }
}

export const ASIDE = {
  hint: 'move it away and run the same command again, which asks for its wallets again',
  isResumable: true,
};

export interface Appendable {
  /**
   * Open for appending: if two runs ever write at once, as after a long halt, neither overwrites the other's records.
   */
  readonly fd: number;
  readonly path: string;
  /** The name of the file in messages. */
  readonly name: string;
}

/** Appends `bytes` after `end`, or leaves the file unchanged: half a record, as of a full disk, is cut off. */
export function writeWhole(file: Appendable, bytes: Uint8Array, end: number): void {
  try {
    writeFully(file.fd, bytes);
  } catch (error) {
    try {
      // Only our own bytes, not what something else has appended.
      if (fstatSync(file.fd).size < end + bytes.length) cutOff(file, end);
    } catch {
      // The rest of the record is dropped as torn when the file is opened again.
    }
    throw fileError(`${file.name} cannot be written`, { cause: error, ...MAKE_ROOM });
  }
}

/**
 * Truncates the file to `end`, unless another file has its name now. On Windows a file open for appending cannot be truncated,
 * so it is opened once more.
 */
export function cutOff({ fd, path }: Pick<Appendable, 'fd' | 'path'>, end: number): void {
  const cutting = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    if (isSameFile(identityOf(cutting), identityOf(fd))) ftruncateSync(cutting, end);
  } finally {
    closeQuietly(cutting);
  }
}

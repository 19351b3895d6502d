/**
 * The file of a journal: who may own it, how it is opened, and how a record is added so that the
 * file never ends with half a record.
 */
import { constants, fstatSync, ftruncateSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { IoError } from '../errors.ts';
import { closeQuietly } from '../files/close-file.ts';
import { fileError, shownPath, systemCode } from '../files/file-error.ts';
import { isWritableByOthers, refuseUntrusted } from '../files/file-trust.ts';
import { writeFully } from '../files/fully.ts';
import { identityOf, isSameFile } from '../files/identity.ts';
import { openRegular } from '../files/open-regular.ts';
import { commandLine } from '../secrets/redact.ts';

/** Which journal to open, and who may own it. */
export interface JournalOptions {
  readonly path: string;
  /**
   * The user who may own the file, besides root; undefined, as on Windows, checks no owners and
   * modes.
   */
  readonly uid?: number | undefined;
  /** Ends the reading of a long journal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How to use another one, in hints: `keep reviews elsewhere with --keep DIR`. The default fits a
   * journal that is an argument.
   */
  readonly alternative?: string | undefined;
}

/** How to use another journal, as a part of a hint. */
export const alternativeHint = ({ alternative }: Pick<JournalOptions, 'alternative'>) =>
  alternative ?? 'choose another file';

/** The details of the error for a journal that cannot be written. */
export const freeSpaceDetails = (file: Pick<JournalOptions, 'alternative'>) => ({
  hint: `free up disk space or ${alternativeHint(file)}, then run the same command again`,
  isResumable: true,
});

export const APPENDING = constants.O_RDWR | constants.O_APPEND;

/** Opens a regular file that can be trusted, and nothing else. @throws IoError */
export function openTrustedFile(file: JournalOptions, flags: number): number {
  let fd: number | undefined;
  try {
    fd = openRegular(file.path, flags);
    refuseUnsafeFile(fd, file);
    return fd;
  } catch (cause) {
    closeQuietly(fd);
    throw cause instanceof IoError ? cause : cannotOpen(file, cause);
  }
}

/**
 * @throws IoError for a journal that another user could have written, or with a second name, which
 * would have another lock
 */
function refuseUnsafeFile(fd: number, file: JournalOptions): void {
  const { path, uid } = file;
  const alternative = alternativeHint(file);
  const stats = fstatSync(fd);
  if (stats.nlink > 1) {
    throw new IoError(`the journal ${shownPath(path)} has a second name (a hard link), so two runs could write to it`, {
      hint: `remove the other link, or ${alternative}`,
    });
  }
  refuseUntrusted(path, { stats, uid, alternative });
}

/** @throws IoError when anybody could replace the journal with their own */
export function refuseUnsafeFolder(file: JournalOptions): void {
  const { path, uid } = file;
  const folder = dirname(path);
  let stats: Stats;
  try {
    stats = statSync(folder);
  } catch (cause) {
    throw cannotOpen(file, cause);
  }
  if (!isWritableByOthers(stats, uid)) return;
  const chmod = commandLine(['chmod', 'o-w', folder], 'linux');
  throw new IoError(`anyone can write to ${shownPath(folder)}, so a journal there could contain forged answers`, {
    hint: `run ${chmod}; where its mode cannot be changed, ${alternativeHint(file)}, in another folder`,
  });
}

export function cannotOpen(file: JournalOptions, cause: unknown): IoError {
  const hint = `check the modes of the file and its folder, or ${alternativeHint(file)}`;
  return fileError(`the journal ${shownPath(file.path)} cannot be opened`, { cause, hint });
}

/**
 * Calls `use` with the existing journal, open with `flags`.
 * @throws IoError when there is none, or it cannot be trusted or used
 */
export async function withJournal<T>(
  file: JournalOptions,
  use: (fd: number) => Promise<T>,
  flags: number = constants.O_RDONLY,
): Promise<T> {
  const fd = openExisting(file, flags);
  try {
    return await use(fd);
  } finally {
    closeQuietly(fd);
  }
}

function openExisting(file: JournalOptions, flags: number): number {
  try {
    refuseUnsafeFolder(file);
    return openTrustedFile(file, flags);
  } catch (error) {
    if (!(error instanceof IoError) || systemCode(error.cause) !== 'ENOENT') throw error;
    throw new IoError(`there is no journal ${shownPath(file.path)}`, {
      hint: 'name a file that riskcli profile --journal FILE has kept, or FILE.journal beside the FILE of its -o',
      cause: error.cause,
    });
  }
}

/** The details of the error for a journal that riskcli cannot use. */
export const MOVE_ASIDE = {
  hint: 'move it away and run the same command again, which asks for its wallets again',
  isResumable: true,
};

/** A file of records that is open for appending. */
export interface OpenFile {
  /**
   * Open for appending: if two runs ever write at once, as after a long halt, neither overwrites
   * the other's records.
   */
  readonly fd: number;
  readonly path: string;
  /** The name of the file in messages. */
  readonly name: string;
  readonly alternative?: string | undefined;
}

/**
 * Appends `bytes` after `end`, or leaves the file unchanged: half a record, as a full disk leaves
 * it, is cut off.
 */
export function appendOrRollBack(file: OpenFile, bytes: Uint8Array, end: number): void {
  try {
    writeFully(file.fd, bytes);
  } catch (error) {
    try {
      // Only our own bytes, not what something else has appended.
      if (fstatSync(file.fd).size < end + bytes.length) truncateTo(file, end);
    } catch {
      // The rest of the record is dropped as torn when the file is opened again.
    }
    throw fileError(`${file.name} cannot be written`, { cause: error, ...freeSpaceDetails(file) });
  }
}

/**
 * Truncates the file to `end`, unless another file has its name now. On Windows a file open for
 * appending cannot be truncated, so it is opened once more.
 */
export function truncateTo({ fd, path }: Pick<OpenFile, 'fd' | 'path'>, end: number): void {
  const writable = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    if (isSameFile(identityOf(writable), identityOf(fd))) ftruncateSync(writable, end);
  } finally {
    closeQuietly(writable);
  }
}

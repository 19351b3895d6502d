/** Errors of the system about files, in the same words for every file. */
import { IoError, RiskcliError } from '../errors.ts';
import { visibleName } from '../secrets/redact.ts';
import { posixQuoted } from '../text/shell.ts';

/**
 * A path in messages: in full, since the user may have to delete or move that file, and quoted for
 * a shell. `commandLine` makes a whole command.
 */
export const shownPath = (path: string) => posixQuoted(visibleName(path));

/** The path of a file that was written: in quotes only if it has blanks, quotes or escapes. */
export function madePath(path: string): string {
  const name = visibleName(path);
  return /[\s'"\\]/.test(name) ? shownPath(path) : name;
}

/**
 * A code beside the system's, for a new file that was removed or replaced before it was put in
 * place.
 */
export const REPLACED = 'ERR_REPLACED';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of its path is not a directory',
  EEXIST: 'something else is in its place',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EBUSY: 'another program is using it',
  ENAMETOOLONG: 'its name is too long',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file size limit is reached (ulimit -f)',
  [REPLACED]: 'the new file beside it was removed or replaced meanwhile',
};

/**
 * The system's code of a failed call, `ENOENT`; undefined for any other error, such as a signal's
 * reason.
 */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof RiskcliError) return undefined;
  return (error as NodeJS.ErrnoException).code;
}

/** Whether the file system cannot sync at all, which says nothing against the file. */
export const cannotSync = (error: unknown): boolean =>
  ['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EROFS'].includes(systemCode(error) ?? '');

/** Why a call failed: in words, or as the code that the system gave. */
export function systemReason(error: unknown): string {
  const code = systemCode(error) ?? (error instanceof Error ? error.message : 'unknown');
  return REASONS[code] ?? code;
}

/** `message` with the system's reason in `cause`. */
export function fileError(
  message: string,
  details: { readonly cause: unknown; readonly hint: string; readonly isResumable?: boolean },
): IoError {
  return new IoError(`${message}: ${systemReason(details.cause)}`, details);
}

/** `error` with `message` if it is the system's; any other error unchanged. */
export function asFileError(error: unknown, message: string, help: Omit<Parameters<typeof fileError>[1], 'cause'>) {
  return systemCode(error) === undefined ? error : fileError(message, { cause: error, ...help });
}

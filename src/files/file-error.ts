/** How messages say that the system refused a file: in the same words, whichever file it is. */
import { IoError, RiskcliError } from '../errors.ts';
import { visibleName } from '../secrets/withhold.ts';

/** A path as messages show it: in full, since the user may have to delete or move that very file. */
export const shownPath = (path: string) => `'${visibleName(path)}'`;

/** One that was made: in quotes only where it might be read as something else, for a blank in it or what had to be escaped. */
export function madePath(path: string): string {
  const name = visibleName(path);
  return /[\s'"\\]/.test(name) ? shownPath(path) : name;
}

/** The code of a new file that is no longer what was made, in the place of one of the system's. */
export const REPLACED = 'ERR_REPLACED';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EBUSY: 'another program is using it',
  ENAMETOOLONG: 'its name is too long',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file size limit is reached',
  [REPLACED]: 'the new file beside it was removed or replaced meanwhile',
};

/** The system's code of a failed call, `ENOENT`; undefined for anything else that was thrown, as a signal's reason. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof RiskcliError) return undefined;
  return (error as NodeJS.ErrnoException).code;
}

export const isDiskFull = (error: unknown): error is Error => ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '');

/** Of a file system that cannot sync at all: nothing is wrong with the file. */
export const cannotSync = (error: unknown): boolean =>
  ['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EROFS'].includes(systemCode(error) ?? '');

/** Why a call failed: in words, or as the code that the system gave. */
export function systemReason(error: unknown): string {
  const code = systemCode(error) ?? (error instanceof Error ? error.message : 'unknown');
  return REASONS[code] ?? code;
}

/** `message`, and why, as the system gave it in `cause`. */
export function fileError(
  message: string,
  details: { readonly cause: unknown; readonly hint: string; readonly isResumable?: boolean },
): IoError {
  return new IoError(`${message}: ${systemReason(details.cause)}`, details);
}

/** The system's `error` as one that says so; any other as it is. */
export function asFileError(error: unknown, message: string, help: Omit<Parameters<typeof fileError>[1], 'cause'>) {
  return systemCode(error) === undefined ? error : fileError(message, { cause: error, ...help });
}

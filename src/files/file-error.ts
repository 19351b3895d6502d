/** How messages say that the system refused a file: in the same words, whichever file it is. */
import { IoError } from '../errors.ts';
import { visibleName } from '../secrets/withhold.ts';

/** A path as messages show it: in full, since the user may have to delete or move that very file. */
export const shownPath = (path: string) => `'${visibleName(path)}'`;

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
};

/** The system's code of a failed call, `ENOENT`; undefined for anything else that was thrown. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

export const isDiskFull = (error: unknown): error is Error => ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '');

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

/** How this room says that a file of its own cannot be used. */
import { IoError } from './errors.ts';
import { visibleName } from './output/escape.ts';

/** A path as messages show it: in full, since the user may have to delete or move that very file. */
export const shownPath = (path: string) => `'${visibleName(path)}'`;

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it may not grow any more',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'no such file or folder',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a symbolic link',
};

/** The system's code of a failed call, `ENOENT`; undefined for anything else that was thrown. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** `message`, and why, as the system gave it in `cause`. */
export function fileError(
  message: string,
  { cause, hint }: { readonly cause: unknown; readonly hint: string },
): IoError {
  const code = systemCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown');
  return new IoError(`${message} (${REASONS[code] ?? code})`, { hint, cause });
}

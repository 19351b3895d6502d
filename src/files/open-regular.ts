/**
 * Opens a regular file, and nothing else, for what another user or program may have put something
 * in the place of: a link could point at anything, and a FIFO would wait for a writer.
 */
import { constants, lstatSync, openSync, type Stats } from 'node:fs';

/**
 * What is at a path is no regular file. Its message says what it is, as the system's reasons do.
 */
export class IrregularFileError extends Error {
  /** @param kind `a directory` */
  constructor(
    readonly kind: string,
    readonly isLink: boolean,
  ) {
    super(`it is ${kind}`);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a directory';
  return stats.isFIFO() ? 'a FIFO' : 'not a regular file';
}

/** @throws IrregularFileError, or the system's error */
export function openRegular(path: string, flags: number = constants.O_RDONLY): number {
  const stats = lstatSync(path);
  if (!stats.isFile()) throw new IrregularFileError(kindOf(stats), stats.isSymbolicLink());
  // Should something else take its place right now.
  return openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** Closes files whose close cannot lose anything. */
import { closeSync } from 'node:fs';

/** Whether `work` succeeded, for work whose failure does no harm. */
export function ignoreErrors(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/**
 * For a file that was only read, is already synced, or is given up. Never throws: the descriptor is
 * closed even if the system reports an error (close(2)). Does nothing if none was opened.
 */
export const closeQuietly = (fd: number | undefined): void =>
  void ignoreErrors(() => fd !== undefined && closeSync(fd));

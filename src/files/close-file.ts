/** Closes files whose close cannot lose anything, and ends the wait for the other end of a FIFO. */
import { closeSync, constants, openSync } from 'node:fs';

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
 * For a file that was only read, is already synced, or is given up. Never throws: the descriptor is closed even if the system
 * reports an error (close(2)). Does nothing if none was opened.
 */
export const closeQuietly = (fd: number | undefined): void =>
  void ignoreErrors(() => fd !== undefined && closeSync(fd));

/**
 * Ends the wait of this process for the other end of the FIFO at `path`, by opening that end until the result is called: an open
 * that waits cannot be cancelled, and node does not end before it. Never throws: if this is not allowed, a signal ends the process.
 */
export function releaseFifo(path: string): () => void {
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    return () => closeQuietly(fd);
  } catch {
    return () => {};
  }
}

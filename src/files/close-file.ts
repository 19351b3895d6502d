/** Letting go of files: of one on which nothing hangs any more, and of a FIFO whose other end nobody opens. */
import { closeSync, constants, openSync } from 'node:fs';

/** Whether `work` succeeded: for what is in nobody's way when it does not. */
export function quietly(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/**
 * For a file that was only read, is on the disk already, or is given up. Never throws: the descriptor is gone whatever the
 * system says (close(2)), and what it says is of no use here. Where none was opened nothing is done.
 */
export const closeQuietly = (fd: number | undefined): void => void quietly(() => fd !== undefined && closeSync(fd));

/**
 * Ends the wait of this process for the other end of the FIFO at `path`, by being that end until what it returns is called:
 * an open that waits cannot be cancelled, and node does not end before it. Never throws: where this is not allowed, a signal
 * ends the process.
 */
export function releaseFifo(path: string): () => void {
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    return () => closeQuietly(fd);
  } catch {
    return () => {};
  }
}

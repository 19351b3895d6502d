/** Closing a file on which nothing hangs any more: it was only read, is on the disk already, or is given up. */
import { closeSync } from 'node:fs';

/** Never throws: the descriptor is gone whatever the system says (close(2)), and what it says is of no use here. */
export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // As above.
  }
}

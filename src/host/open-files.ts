/** How many files, sockets among them, the system lets this process open. */
import { readFileSync } from 'node:fs';

/** The limit in proc(5); Infinity on systems other than Linux, which do not say. */
export function maxOpenFiles(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft ? Number(soft) : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

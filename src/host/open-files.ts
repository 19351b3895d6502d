/** How many files, sockets among them, the system lets this process open. */
import { readFileSync } from 'node:fs';

/** As proc(5) says it; Infinity where the system does not say (Linux does). */
export function maxOpenFiles(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft ? Number(soft) : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

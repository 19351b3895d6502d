/** The limits under which the system lets this process run. */
import { readFileSync } from 'node:fs';

/** As proc(5) calls it, `Max open files` for example; infinity where the system does not say (Linux does). */
export function softLimit(name: string): number {
  try {
    const [, soft] = new RegExp(`^${name} +(\\d+)`, 'm').exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft ? Number(soft) : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

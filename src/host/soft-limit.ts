/** The limits under which the system lets this process run. */
import { readFileSync } from 'node:fs';

/** @param name as in proc(5), such as `Max open files`. @returns Infinity where the system does not say (Linux does) */
export function softLimit(name: string): number {
  try {
    const [, soft] = new RegExp(`^${name} +(\\d+)`, 'm').exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft ? Number(soft) : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

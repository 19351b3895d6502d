/**
 * How many sockets this process may hold open. Cron jobs and containers run under low limits, and a request that finds
 * no file descriptor fails: better to have fewer in flight. Node raises its soft limit to the hard one by itself.
 */
import { readFileSync } from 'node:fs';

/** The files that node, the list, the journal, the output and code still to be loaded need besides (node alone has 20 open). */
const RESERVED_FILES = 28;

/**
 * Returns at most `most` and at least one. Where the system does not tell its limit (Linux does, in proc(5)), it is `most`.
 * @param filesEach open files that a connection costs: two where both of its ends are in this process.
 */
export function socketsAllowed(most: number, { filesEach = 1 }: { readonly filesEach?: number } = {}): number {
  const free = openFileLimit() - RESERVED_FILES;
  return Math.max(1, Math.min(most, Math.floor(free / filesEach)));
}

function openFileLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft ? Number(soft) : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Time limits. A process that was halted (SIGSTOP, or Ctrl-Z and fg) finds its timers due, and what it has waited for unread in
 * its sockets and pipes. So the time of a halt does not count, and what has arrived is read before a limit ends anything:
 * otherwise an answer that was paid for would be lost.
 */

import type { Clock } from '../context.ts';
import { MAX_TIMER_MS, takeTurn } from './clock.ts';

type HaltClock = Pick<Clock, 'halted'> & Partial<Pick<Clock, 'watchHalts'>>;

/** A monotonic clock that does not run while the process is halted, in milliseconds. */
export function running({ monotonic, halted }: Pick<Clock, 'monotonic' | 'halted'>): number {
  const now = monotonic();
  return now - halted(now);
}

/** The least time that a limit leaves after a halt, in milliseconds: the length of a halt is known only roughly. */
const MIN_AFTER_HALT_MS = 1_000;

/** Calls `expire` after `ms` milliseconds, 24 days at most. The result cancels it. */
export function startTimeLimit(ms: number, expire: () => void, clock: HaltClock): () => void {
  const unwatch = clock.watchHalts?.();
  const halts = countHalts(ms, clock);
  let immediate: NodeJS.Immediate | undefined;
  let timer = setTimeout(due, Math.min(Math.max(0, ms), MAX_TIMER_MS));
  function due(): void {
    const moreMs = halts();
    if (moreMs > 0) {
      timer = setTimeout(due, Math.min(moreMs, MAX_TIMER_MS));
      return;
    }
    unwatch?.();
    immediate = setImmediate(expire);
  }
  return () => {
    unwatch?.();
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** The same as a promise. @throws the signal's reason when it aborts */
export async function waitForLimit(
  ms: number,
  clock: HaltClock & Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  const unwatch = clock.watchHalts?.();
  try {
    const halts = countHalts(ms, clock);
    for (let leftMs = ms; leftMs > 0; leftMs = halts()) await clock.sleep(leftMs, signal);
    await takeTurn(signal);
  } finally {
    unwatch?.();
  }
}

/** @returns by how many milliseconds to extend a limit of `ms` for halts since the last call */
function countHalts(ms: number, clock: HaltClock): () => number {
  let counted = clock.halted();
  return () => {
    const lostMs = clock.halted() - counted;
    counted += lostMs;
    return lostMs > 0 ? Math.max(MIN_AFTER_HALT_MS, Math.min(ms, lostMs)) : 0;
  };
}

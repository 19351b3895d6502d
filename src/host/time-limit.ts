/**
 * Limits of time for what others have to do. A process that was halted (SIGSTOP, Ctrl-Z and fg) finds its timers due, and
 * what it has waited for unread in its sockets and pipes. So the time in which it did not run does not count, and what has
 * arrived is read before a limit ends anything: an answer that was paid for would be lost.
 */

import type { Clock } from '../context.ts';
import { MAX_TIMER_MS, takeTurn } from './clock.ts';

type HaltClock = Pick<Clock, 'halted'> & Partial<Pick<Clock, 'watchHalts'>>;

/** A monotonic clock that stands still while the process is halted, in milliseconds. */
export const running = ({ monotonic, halted }: Pick<Clock, 'monotonic' | 'halted'>) => monotonic() - halted();

/** After a halt there is this much time at least, in milliseconds: its length is known roughly. */
const MIN_AFTER_HALT_MS = 1_000;

/** Calls `expire` when the time is up, `ms` milliseconds or 24 days at most. The result calls it off. */
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

/** The same as a wait that `clock` makes. @throws the signal's reason when it aborts. */
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

/** Tells how many milliseconds more a limit of `ms` has for what was lost to halts since it was asked last. */
function countHalts(ms: number, clock: HaltClock): () => number {
  let counted = clock.halted();
  return () => {
    const lostMs = clock.halted() - counted;
    counted += lostMs;
    return lostMs > 0 ? Math.max(MIN_AFTER_HALT_MS, Math.min(ms, lostMs)) : 0;
  };
}

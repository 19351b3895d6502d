/** Time in this process: a clock that never steps, waits that can be aborted, and time limits. */
import type { Clock } from '../context.ts';

/** The longest timer of node. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const monotonic = () => performance.now();

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > MAX_TIMER_MS) return wait(MAX_TIMER_MS, signal).then(() => sleep(ms - MAX_TIMER_MS, signal));
  return wait(Math.max(0, ms), signal);
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Lets the event loop handle what has arrived, signals included. @throws the reason of `signal` if
 * it aborts
 */
export function yieldToEvents(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => setImmediate(() => (signal?.aborted ? reject(signal.reason) : resolve())));
}

/**
 * Calls `expire` after `ms` milliseconds, 24 days at most. If the process was stopped or the
 * machine slept meanwhile, the timer is due before what was waited for has been read, so that is
 * read first. The returned function cancels the limit.
 */
export function startTimeLimit(ms: number, expire: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const onTimer = () => {
    immediate = setImmediate(expire);
  };
  const timer = setTimeout(onTimer, Math.min(Math.max(0, ms), MAX_TIMER_MS));
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** The real clock, and random numbers. */
export const clock: Clock = { now: Date.now, monotonic, sleep, random: Math.random };

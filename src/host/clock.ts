/** Time as the process measures it: a clock that never steps, waits that can be aborted, and whether there is any left. */
import type { Clock } from '../context.ts';
import { onAbort } from './abort.ts';

/** A timer of node cannot be set further ahead. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Like performance.now(), whose module takes 2 ms to load. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** How often it is looked whether the process runs, in milliseconds: no more than twice a second, as long as nothing else happens. */
const LOOK_EVERY_MS = 500;
/** Between two looks that are further apart, the process was halted: a busy one is late by less. */
const MAX_GAP_MS = 1_250;

/** Looks as long as somebody watches: of a list of ten wallets a minute, looks all the time would be a quarter of the work. */
export function createHaltMeter(now = monotonic): Pick<Clock, 'halted' | 'watchHalts'> {
  let haltedMs = 0;
  let lookedAt = 0;
  let watchers = 0;
  let ticker: NodeJS.Timeout | undefined;
  function look(): number {
    if (watchers === 0) return haltedMs;
    const time = now();
    const gap = time - lookedAt;
    if (gap > MAX_GAP_MS) haltedMs += gap - LOOK_EVERY_MS;
    lookedAt = time;
    return haltedMs;
  }
  function watchHalts(): () => void {
    if (watchers === 0) {
      lookedAt = now();
      ticker = setInterval(look, LOOK_EVERY_MS).unref();
    }
    watchers += 1;
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      if (watchers === 1) {
        look();
        clearInterval(ticker);
      }
      watchers -= 1;
    };
  }
  return { halted: look, watchHalts };
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let left = Math.max(0, ms);
  for (; left > MAX_TIMER_MS; left -= MAX_TIMER_MS) await wait(MAX_TIMER_MS, signal);
  await wait(left, signal);
}

/** Like node:timers/promises, which takes a millisecond to load, and whose listener on the signal takes as long as the timer. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      forget?.();
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const forget = signal && onAbort(signal, stop);
  });
}

/** Lets the event loop deal with all that has arrived, a signal among it. @throws the reason of `signal` if it aborts */
export function takeTurn(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => setImmediate(() => (signal?.aborted ? reject(signal.reason) : resolve())));
}

/** The real clock, and chance. */
export const clock: Clock = { now: Date.now, monotonic, ...createHaltMeter(), sleep, random: Math.random };

/** The load of the event loop over a shorter while means nothing, in milliseconds. */
const LOAD_MS = 100;
/** A loop that idles for less than a tenth of the time is at its limit. */
const BUSY_SHARE = 0.9;

export function createLoadMeter(): () => boolean {
  // The first look is at all that has passed since the start, which has kept the process busy.
  let from: ReturnType<typeof performance.eventLoopUtilization> | undefined;
  let isBusy = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    // Each answer asks, and a look takes as long as counting the answer.
    const now = monotonic();
    if (now - lookedAt < LOAD_MS) return isBusy;
    lookedAt = now;
    const { idle, active, utilization } = performance.eventLoopUtilization(from);
    if (idle + active < LOAD_MS) return isBusy;
    isBusy = utilization > BUSY_SHARE;
    from = performance.eventLoopUtilization();
    return isBusy;
  };
}

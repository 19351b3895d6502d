/** Time in this process: a clock that never steps, waits that can be aborted, halts, and the load of the event loop. */
import type { Clock } from '../context.ts';
import { onAbort } from './abort.ts';

/** The longest timer of node. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Like performance.now(), whose module takes 2 ms to load. */
function monotonic(): number {
  // An array with seconds and nanoseconds would leave three times as much behind, fourteen times a wallet.
  return Number(process.hrtime.bigint()) / 1e6;
}

/** How often a timer checks that the process runs, in milliseconds: at most twice a second, as long as nothing else happens. */
const CHECK_EVERY_MS = 500;
/** Other activity delays the timer by this step, in milliseconds, so that a busy list is not woken by it. */
const DELAY_EVERY_MS = 250;
/** A longer time between two checks means a halt: a busy process is late by less. */
const MAX_GAP_MS = 1_250;

/** Checks only while somebody watches: for a list of ten wallets a minute, constant checks would be a quarter of the work. */
export function createHaltMeter(now = monotonic): Pick<Clock, 'halted' | 'watchHalts'> {
  let haltedMs = 0;
  let checkedAt = 0;
  let watchers = 0;
  const timer = createCheckTimer(halted);

  function halted(time = now()): number {
    if (watchers === 0) return haltedMs;
    const gap = time - checkedAt;
    if (gap > MAX_GAP_MS) haltedMs += gap - CHECK_EVERY_MS;
    checkedAt = time;
    timer.delay(time);
    return haltedMs;
  }

  function watchHalts(): () => void {
    if (watchers === 0) {
      checkedAt = now();
      timer.set(checkedAt);
    }
    watchers += 1;
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      if (watchers === 1) {
        halted();
        timer.clear();
      }
      watchers -= 1;
    };
  }

  return { halted, watchHalts };
}

/** A timer that calls `check`; other checks delay it. Times are those of the monotonic clock. */
function createCheckTimer(check: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let setAt = Number.NEGATIVE_INFINITY;
  const onTimer = () => {
    setAt = Number.NEGATIVE_INFINITY;
    check();
  };
  const set = (time: number) => {
    clearTimeout(timer);
    timer = setTimeout(onTimer, CHECK_EVERY_MS).unref();
    setAt = time;
  };
  return {
    set,
    delay(time: number) {
      if (time - setAt > DELAY_EVERY_MS) set(time);
    },
    clear: () => clearTimeout(timer),
  };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > MAX_TIMER_MS) return wait(MAX_TIMER_MS, signal).then(() => sleep(ms - MAX_TIMER_MS, signal));
  return wait(Math.max(0, ms), signal);
}

/** Like node:timers/promises, which takes a millisecond to load, and whose listener on the signal costs as much as the timer. */
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

/** Lets the event loop handle what has arrived, signals included. @throws the reason of `signal` if it aborts */
export function takeTurn(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => setImmediate(() => (signal?.aborted ? reject(signal.reason) : resolve())));
}

/** The real clock, and random numbers. */
export const clock: Clock = { now: Date.now, monotonic, ...createHaltMeter(), sleep, random: Math.random };

/** The shortest time, in milliseconds, over which the load of the event loop is measured. */
const LOAD_MS = 100;
/** A loop that idles for less than a tenth of the time is at its limit. */
const BUSY_SHARE = 0.9;

export function createLoadMeter(): () => boolean {
  // The first measurement covers everything since the start, which has kept the process busy.
  let before = { idle: 0, active: 0 };
  let isBusy = false;
  let measuredAt = Number.NEGATIVE_INFINITY;
  return () => {
    // Called for each answer, and a measurement takes as long as counting the answer.
    const now = monotonic();
    if (now - measuredAt < LOAD_MS) return isBusy;
    measuredAt = now;
    const load = performance.eventLoopUtilization();
    const active = load.active - before.active;
    const passed = load.idle - before.idle + active;
    if (passed < LOAD_MS) return isBusy;
    isBusy = active > BUSY_SHARE * passed;
    before = load;
    return isBusy;
  };
}

/** Time as the process measures it: a clock that never steps, waits that can be aborted, and whether there is any left. */
import type { Clock } from '../context.ts';
import { onAbort } from './abort.ts';

/** A timer of node cannot be set further ahead. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Like performance.now(), whose module takes 2 ms to load. */
function monotonic(): number {
  // Taken apart by a pattern it would leave four objects behind, twenty times a wallet.
  const time = process.hrtime();
  return time[0] * 1e3 + time[1] / 1e6;
}

/** How often it is looked whether the process runs, in milliseconds: no more than twice a second, as long as nothing else happens. */
const LOOK_EVERY_MS = 500;
/** What happens besides puts the timer off, so that a list with something to do all the time is not woken by it. Milliseconds. */
const PUT_OFF_EVERY_MS = 250;
/** Between two looks that are further apart, the process was halted: a busy one is late by less. */
const MAX_GAP_MS = 1_250;

/** Looks as long as somebody watches: of a list of ten wallets a minute, looks all the time would be a quarter of the work. */
export function createHaltMeter(now = monotonic): Pick<Clock, 'halted' | 'watchHalts'> {
  let haltedMs = 0;
  let lookedAt = 0;
  let watchers = 0;
  let timer: NodeJS.Timeout | undefined;
  let setAt = 0;
  function setTimer(time: number): void {
    clearTimeout(timer);
    timer = setTimeout(onTimer, LOOK_EVERY_MS).unref();
    setAt = time;
  }
  function onTimer(): void {
    setAt = Number.NEGATIVE_INFINITY;
    look();
  }
  function look(): number {
    if (watchers === 0) return haltedMs;
    const time = now();
    const gap = time - lookedAt;
    if (gap > MAX_GAP_MS) haltedMs += gap - LOOK_EVERY_MS;
    lookedAt = time;
    if (time - setAt > PUT_OFF_EVERY_MS) setTimer(time);
    return haltedMs;
  }
  function watchHalts(): () => void {
    if (watchers === 0) {
      lookedAt = now();
      setTimer(lookedAt);
    }
    watchers += 1;
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      if (watchers === 1) {
        look();
        clearTimeout(timer);
      }
      watchers -= 1;
    };
  }
  return { halted: look, watchHalts };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > MAX_TIMER_MS) return wait(MAX_TIMER_MS, signal).then(() => sleep(ms - MAX_TIMER_MS, signal));
  return wait(Math.max(0, ms), signal);
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
  let before = { idle: 0, active: 0 };
  let isBusy = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    // Each answer asks, and a look takes as long as counting the answer.
    const now = monotonic();
    if (now - lookedAt < LOAD_MS) return isBusy;
    lookedAt = now;
    const load = performance.eventLoopUtilization();
    const active = load.active - before.active;
    const passed = load.idle - before.idle + active;
    if (passed < LOAD_MS) return isBusy;
    isBusy = active > BUSY_SHARE * passed;
    before = load;
    return isBusy;
  };
}

/**
 * When the next request may start: a state machine without a clock of its own (time is an argument, milliseconds on a
 * monotonic clock), so that it can be simulated against limiters.
 */
import type { Observation } from './gate.ts';

/** An observation with the send that it belongs to. */
export interface Answer extends Observation {
  readonly sentAt: number;
  /** What `sent` returned. */
  readonly sequence: number;
}

export interface PacerOptions {
  /** The key's limit as an earlier run learned it, requests a second. */
  readonly limit?: number;
  /** --rate: a cap, requests a second. */
  readonly rate?: number;
  /** --concurrency: a cap on requests in flight. */
  readonly concurrency?: number;
}

export interface PacerState {
  /** Requests a second that may start now. */
  readonly rate: number;
  /** Limit as last told, or as remembered. */
  readonly limit?: number;
  readonly inFlight: number;
  /** Milliseconds until the next request may start, when something other than the rate holds it. */
  readonly heldMs?: number;
  /** The same in words: `197/s of 200/s, 612 in flight`. */
  readonly words: string;
}

export interface Pacer {
  /** When one more may start: at or before `now` when it may at once, Infinity when an answer has to come first. */
  readyAt(now: number): number;
  /** Takes the place that `readyAt` granted; followed by `release` or `sent`. */
  take(now: number): void;
  release(): void;
  /** Notes that the request left. Returns its number. */
  sent(now: number): number;
  answered(answer: Answer, now: number): void;
  state(now: number): PacerState;
}

const COLD_RATE = 10;
const MARGIN = 0.015;
const CATCH_UP_MS = 50;
const MOST_IN_FLIGHT = 2_000;

export function createPacer({
  limit: known,
  rate: cap = Infinity,
  concurrency = MOST_IN_FLIGHT,
}: PacerOptions = {}): Pacer {
  let limit = known;
  let next = Number.NEGATIVE_INFINITY;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let inFlight = 0;
  let sends = 0;
  const rate = () => Math.min(cap, limit === undefined ? COLD_RATE : limit * (1 - MARGIN));
  return {
    readyAt: () => (inFlight >= concurrency ? Infinity : Math.max(next, pausedUntil)),
    take(now) {
      inFlight++;
      next = Math.max(next, now - CATCH_UP_MS) + 1000 / rate();
    },
    release() {
      inFlight--;
    },
    sent: () => sends++,
    answered({ status, rate, retryAfterMs }, now) {
      inFlight--;
      limit = rate.limit ?? limit;
      if (status === 429) pausedUntil = Math.max(pausedUntil, now + (retryAfterMs ?? rate.resetMs ?? 1_000));
    },
    state: (now) => ({
      rate: rate(),
      limit,
      inFlight,
      words: `${Math.round(rate())}/s, ${inFlight} in flight`,
      heldMs: Math.max(0, pausedUntil - now) || undefined,
    }),
  };
}

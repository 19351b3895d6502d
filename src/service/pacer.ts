/**
 * When the next request may start. What is certain are our own sends, so they are what is counted; what answers say of
 * the limit is seconds old and only corrects the pace. A state machine without a clock of its own (time is an argument,
 * milliseconds on a monotonic clock): test/bench/pacing runs it against limiters, and each rule here earns its place there.
 */
import type { Observation } from './gate.ts';
import { createHeadroom } from './headroom.ts';
import { type RateLimit, SHORTEST_WAIT_MS } from './rate-limit.ts';
import { createSendLog } from './send-log.ts';

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
  /** Limit as last told, or as remembered; requests a second. */
  readonly limit?: number;
  readonly inFlight: number;
  /** Milliseconds for which refusals hold every request back. */
  readonly heldMs?: number;
  /** The same in words: `197/s of 200/s, 612 in flight`. */
  readonly words: string;
}

export interface Pacer {
  /** When one more may start: at once when that is past, Infinity when an answer has to come first. */
  readyAt(): number;
  /** Takes the place that `readyAt` granted; followed by `release`, or by `sent` and `answered`. */
  take(now: number): void;
  release(): void;
  sent(now: number): void;
  answered(sentAt: number, observation: Observation, now: number): void;
  state(now: number): PacerState;
}

const SECOND_MS = 1_000;

/** Until an answer tells Limit: what the smallest plan allows in a second (contract, section 8). */
const COLD_PER_SECOND = 10;
/** Spacing of these first ones, as a rate: wider than a round trip, so that a refusal stops the rest of them. */
const COLD_RATE = 20;
/** The pace begins at this share of a Limit just told, so that others on the key show before it is reached. */
const FIRST_SHARE = 0.5;
/** Growth a second: while nothing was refused; later where Remaining would show too much; later without Remaining. */
const GROWTH = { unrefused: 0.25, told: 0.09, blind: 0.005 };
/** The pace never falls below this share of Limit, so that answers keep coming and a way back is seen. */
const LEAST_SHARE = 0.02;

/**
 * Kept free of Limit, against requests that reach the server closer together than they left. Each refusal adds `step`,
 * quiet gives `ease` back a second: 1.5% is what 20 ms give or take 5 need, three times the jitter needs 3%.
 */
const MARGIN = { first: 0.015, step: 0.0075, most: 0.03, least: 0.003, ease: 0.000_05 };

/** A late timer may be made up for by this much of the schedule and no more. */
const CATCH_UP_MS = 50;

/** As many of the last second's requests, and this share of them, refused: the whole gate waits. */
const STORM = { requests: 2, share: 0.02 };
/** The pace after that, of what was accepted; and of the pace before, since a hiccup may refuse everything. */
const AFTER_STORM = 0.95;
const LEAST_AFTER_STORM = 1 / 3;

/** A Remaining whose Reset is further away belongs to a quota and says nothing of this second. */
const LONGEST_WINDOW_MS = 10_000;

/** In flight at most: the pace times twice the slowest usual answer (5 s), at least 20, at most 2,000 sockets. */
const IN_FLIGHT = { seconds: 10, least: 20, most: 2_000 };

/** Sends are looked back at for as long as an answer to one of them may take. */
const LOOK_BACK_MS = 30_000;

export function createPacer(options: PacerOptions = {}): Pacer {
  const { limit: remembered, rate: cap = Number.POSITIVE_INFINITY, concurrency = IN_FLIGHT.most } = options;
  const sends = createSendLog(LOOK_BACK_MS);
  const refusals = createSendLog(LOOK_BACK_MS);
  const accepted = (from: number, to: number) => sends.count(from, to) - refusals.count(from, to);
  const headroom = createHeadroom(accepted);
  let limit = remembered;
  let inFlight = 0;
  /** Whether an answer has come: until then the pace is a guess and does not grow. */
  let isWarm = false;
  let isTold = false;
  let wasRefused = false;
  let pace = remembered === undefined ? COLD_RATE : remembered * (1 - MARGIN.first);
  let paceAt = 0;
  let margin = MARGIN.first;
  let marginAt = 0;
  let next = Number.NEGATIVE_INFINITY;
  let heldUntil = Number.NEGATIVE_INFINITY;

  function rate(now: number): number {
    if (isWarm) {
      const growth = !wasRefused ? GROWTH.unrefused : isTold ? GROWTH.told : GROWTH.blind;
      pace *= 1 + (growth * Math.max(0, now - paceAt)) / SECOND_MS;
      if (limit !== undefined)
        pace = Math.max(LEAST_SHARE * limit, Math.min(pace, headroom.rate(now, { limit, margin })));
      paceAt = now;
    }
    return Math.min(cap, pace);
  }

  /** Sends allowed in any trailing second. */
  function perSecond(): number {
    const untold = isWarm ? Number.POSITIVE_INFINITY : COLD_PER_SECOND;
    const allowed = headroom.isBucket ? Number.POSITIVE_INFINITY : (limit ?? untold);
    return Math.max(1, Math.floor(Math.min(allowed, cap)));
  }

  function mostInFlight(): number {
    return Math.min(concurrency, IN_FLIGHT.most, Math.max(IN_FLIGHT.least, IN_FLIGHT.seconds * pace));
  }

  function learn(sentAt: number, told: RateLimit, now: number): void {
    if (!isWarm) {
      isWarm = true;
      next = now;
      paceAt = now;
      if (limit === undefined) pace = COLD_PER_SECOND;
    }
    if (limit === undefined && told.limit !== undefined) pace = FIRST_SHARE * told.limit;
    limit = told.limit ?? limit;
    if (limit === undefined || told.remaining === undefined || (told.resetMs ?? 0) > LONGEST_WINDOW_MS) return;
    isTold = true;
    const wasBucket = headroom.isBucket;
    headroom.observe(sentAt, { limit, remaining: told.remaining });
    // A bucket's tokens are proof enough: the pace jumps to what they allow.
    if (headroom.isBucket && !wasBucket) pace = Number.POSITIVE_INFINITY;
  }

  function refused({ rate: told, retryAfterMs }: Observation, now: number): void {
    wasRefused = true;
    margin = Math.min(MARGIN.most, margin + MARGIN.step);
    const lately = refusals.count(now - SECOND_MS, now);
    const isStorm = lately >= STORM.requests && lately >= STORM.share * sends.count(now - SECOND_MS, now);
    if (!isStorm || now < heldUntil) return;
    heldUntil = now + Math.max(SHORTEST_WAIT_MS, retryAfterMs ?? told.resetMs ?? 0);
    pace = Math.min(pace, Math.max(AFTER_STORM * accepted(now - SECOND_MS, now), pace * LEAST_AFTER_STORM));
    paceAt = now;
  }

  function words(now: number): string {
    if (heldUntil > now) return `held back by the rate limit for ${Math.ceil((heldUntil - now) / 1000)} s`;
    const flying = `${inFlight} in flight`;
    if (inFlight >= mostInFlight()) return `waiting for answers, ${flying}`;
    if (limit === undefined && !isWarm) return `waiting to learn the rate limit, ${flying}`;
    const shown = rate(now);
    const pacing = `${shown < 10 ? shown.toFixed(1) : Math.round(shown)}/s`;
    return limit === undefined ? `${pacing}, ${flying}` : `${pacing} of ${limit}/s, ${flying}`;
  }

  return {
    readyAt() {
      if (inFlight >= mostInFlight()) return Number.POSITIVE_INFINITY;
      return Math.max(heldUntil, next, sends.last(perSecond()) + SECOND_MS);
    },
    take(now) {
      inFlight++;
      next = Math.max(next, now - CATCH_UP_MS) + SECOND_MS / rate(now);
    },
    release() {
      inFlight--;
    },
    sent: (now) => sends.push(now),
    answered(sentAt, observation, now) {
      inFlight--;
      if (observation.status === undefined) return;
      const isRefusal = observation.status === 429;
      if (isRefusal) refusals.push(sentAt);
      learn(sentAt, observation.rate, now);
      margin = Math.max(MARGIN.least, margin - (MARGIN.ease * Math.max(0, now - marginAt)) / SECOND_MS);
      marginAt = now;
      if (isRefusal) refused(observation, now);
    },
    state: (now) => ({
      rate: rate(now),
      limit,
      inFlight,
      heldMs: heldUntil > now ? heldUntil - now : undefined,
      words: words(now),
    }),
  };
}

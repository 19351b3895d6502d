/**
 * How fast: the pace in requests a second, from what answers say of the limit and from what was refused. The pacer asks
 * for it at each send. Times are milliseconds on a monotonic clock.
 */
import { LONGEST_WINDOW_S } from './believable.ts';
import { createHeadroom, type Headroom } from './headroom.ts';
import type { RateLimit } from './rate-limit.ts';

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
 * quiet gives `ease` back a second. With 2.5% and the request that a limit of 50 rounds up, 45 ms of delay more or less do
 * no harm: a network, or a process that others keep from running.
 */
const MARGIN = { first: 0.025, step: 0.0075, most: 0.03, least: 0.003, ease: 0.000_05 };
/**
 * The same in requests, for small limits: a limiter that takes the last window for evenly spread (a sliding counter) counts
 * up to one too many, a tenth of 10 a second.
 */
const ROUNDING = { step: 0.15, most: 1.2 };

/** The pace after a storm of refusals, of what was accepted; and of the pace before, since a hiccup may refuse everything. */
const AFTER_STORM = 0.95;
const LEAST_AFTER_STORM = 1 / 3;

/** A Remaining whose Reset is further away belongs to a quota and says nothing of this second. */
const LONGEST_WINDOW_MS = LONGEST_WINDOW_S * 1_000;

/** What is known so far; written by the functions below and by nobody else. */
export interface Pace {
  readonly headroom: Headroom;
  /** Limit as last told, or as remembered; requests a second. */
  limit: number | undefined;
  /** Requests a second, as of `at`. */
  perSecond: number;
  at: number;
  margin: number;
  marginAt: number;
  /** Whether an answer has come: until then the pace is a guess and does not grow. */
  isWarm: boolean;
  /** Whether Remaining was told. */
  isTold: boolean;
  wasRefused: boolean;
}

/** @param accepted how many of our requests sent after `from` and up to `to` were not refused, as far as is known. */
export function createPace(limit: number | undefined, accepted: (from: number, to: number) => number): Pace {
  return {
    headroom: createHeadroom(accepted),
    limit,
    perSecond: limit === undefined ? COLD_RATE : limit * (1 - MARGIN.first),
    at: 0,
    margin: MARGIN.first,
    marginAt: 0,
    isWarm: false,
    isTold: false,
    wasRefused: false,
  };
}

/** The pace now, requests a second. */
export function paceAt({ headroom, limit, margin, ...pace }: Pace, now: number): number {
  if (!pace.isWarm) return pace.perSecond;
  const growth = !pace.wasRefused ? GROWTH.unrefused : pace.isTold ? GROWTH.told : GROWTH.blind;
  const grown = pace.perSecond * (1 + (growth * Math.max(0, now - pace.at)) / SECOND_MS);
  if (limit === undefined) return grown;
  // What others use is measured with its rounding.
  const sharedMargin = Math.min(margin, MARGIN.most);
  return Math.max(LEAST_SHARE * limit, Math.min(grown, headroom.rate(now, { limit, margin, sharedMargin })));
}

/** The pace now, from which it goes on. */
export function keepPace(pace: Pace, now: number): number {
  pace.perSecond = paceAt(pace, now);
  pace.at = now;
  return pace.perSecond;
}

/** Requests that may leave in any second, however fast the pace is. */
export function mostPerSecond({ headroom, isWarm, limit }: Pace): number {
  if (headroom.isBucket) return Number.POSITIVE_INFINITY;
  return limit ?? (isWarm ? Number.POSITIVE_INFINITY : COLD_PER_SECOND);
}

/** Takes in what the answer to a request that left at `sentAt` told. */
export function learn(pace: Pace, told: RateLimit, { sentAt, now }: { sentAt: number; now: number }): void {
  if (!pace.isWarm) warmUp(pace, now);
  if (pace.limit === undefined && told.limit !== undefined) pace.perSecond = FIRST_SHARE * told.limit;
  pace.limit = told.limit ?? pace.limit;
  pace.margin = Math.max(MARGIN.least, pace.margin - (MARGIN.ease * Math.max(0, now - pace.marginAt)) / SECOND_MS);
  pace.marginAt = now;
  if (pace.limit === undefined || told.remaining === undefined || (told.resetMs ?? 0) > LONGEST_WINDOW_MS) return;
  pace.isTold = true;
  const { headroom } = pace;
  const wasBucket = headroom.isBucket;
  headroom.observe(sentAt, { limit: pace.limit, remaining: told.remaining });
  // A bucket's tokens are proof enough: the pace jumps to what they allow.
  if (headroom.isBucket && !wasBucket) pace.perSecond = Number.POSITIVE_INFINITY;
}

function warmUp(pace: Pace, now: number): void {
  pace.isWarm = true;
  pace.at = now;
  if (pace.limit === undefined) pace.perSecond = COLD_PER_SECOND;
}

/** A request was refused: more of Limit is kept free. */
export function widenMargin(pace: Pace): void {
  const { limit = Number.POSITIVE_INFINITY } = pace;
  pace.wasRefused = true;
  const wider = pace.margin + Math.max(MARGIN.step, ROUNDING.step / limit);
  pace.margin = Math.min(wider, Math.max(MARGIN.most, ROUNDING.most / limit));
}

/** Many were refused: the pace falls below what was accepted in the last second. */
export function slowDown(pace: Pace, accepted: number, now: number): void {
  const floor = pace.perSecond * LEAST_AFTER_STORM;
  pace.perSecond = Math.min(pace.perSecond, Math.max(AFTER_STORM * accepted, floor));
  pace.at = now;
}

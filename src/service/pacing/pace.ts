/**
 * The pace in requests a second, made from what answers report of the limit and from what was refused. The pacer asks for
 * it at each send. Times are milliseconds on a monotonic clock.
 */

import { SECOND_MS } from '../../text/when.ts';
import { createHeadroom, type Headroom } from './headroom.ts';
import { MAX_WINDOW_S, type RateLimit } from './rate-limit.ts';

/**
 * A pace up to this, in requests a second, needs no proof: it is five times that of the largest plan (contract, section 8).
 * A faster one is possible only after the first answer, and the pacer limits what it has in flight to what answers have earned.
 */
export const PROVEN_PACE = 1_000;
/** The pace until an answer reports Limit: what the smallest plan allows in a second (contract, section 8). */
const COLD_PER_SECOND = 10;
/** The spacing of these first requests, as a rate: wider than a round trip, so that a refusal stops the rest of them. */
const COLD_RATE = 20;
/**
 * When Limit is first reported, the pace starts at this share of it, so that other users of the key are noticed before the limit is
 * reached.
 */
const FIRST_SHARE = 0.5;
/**
 * Growth of the pace in a second: `unrefused` until the first refusal; afterwards `watched` if Remaining would show that the pace
 * is too fast, else `blind`.
 */
const GROWTH = { unrefused: 0.25, watched: 0.09, blind: 0.005 };
/** The pace never falls below this share of Limit, so that answers keep coming and a way back is seen. */
const MIN_SHARE = 0.02;

/**
 * The share of Limit that is kept free, because requests may reach the server closer together than they left. Each refusal
 * adds `step`, and each second without one gives `ease` back. With 2.5% and the request that a limit of 50 rounds up, 45 ms
 * of delay more or less do no harm, whether a network causes it or a process that others keep from running.
 */
const SAFETY_MARGIN = { first: 0.025, step: 0.0075, most: 0.03, least: 0.003, ease: 0.000_05 };
/**
 * The same margin in requests, for small limits: a limiter that takes the last window for evenly spread (a sliding counter) counts
 * up to one too many, a tenth of 10 a second.
 */
const ROUNDING_MARGIN = { step: 0.15, most: 1.2 };

/**
 * The pace after a storm of refusals is this share of what was accepted, but at least MIN_AFTER_STORM of the pace before: a hiccup
 * may refuse everything.
 */
const AFTER_STORM = 0.95;
const MIN_AFTER_STORM = 1 / 3;

/** A Remaining whose Reset is further away belongs to a quota and says nothing of this second. */
const MAX_WINDOW_MS = MAX_WINDOW_S * 1_000;

/** What is known so far. Only the functions below write it. */
export interface Estimate {
  readonly headroom: Headroom;
  /** Limit as last reported, or as remembered, in requests a second. */
  limit: number | undefined;
  /** The pace at the time `at`, in requests a second. */
  perSecond: number;
  at: number;
  margin: number;
  marginAt: number;
  /** Whether an answer has come: until then the pace is a guess and does not grow. */
  isWarm: boolean;
  wasRefused: boolean;
}

/** @param accepted how many of our requests sent after `from` and up to `to` were not refused, as far as is known. */
export function createEstimate(limit: number | undefined, accepted: (from: number, to: number) => number): Estimate {
  return {
    headroom: createHeadroom(accepted),
    limit,
    perSecond: limit === undefined ? COLD_RATE : Math.min(PROVEN_PACE, limit * (1 - SAFETY_MARGIN.first)),
    at: 0,
    margin: SAFETY_MARGIN.first,
    marginAt: 0,
    isWarm: false,
    wasRefused: false,
  };
}

/** The pace at `now`, in requests a second. */
export function paceAt(estimate: Estimate, now: number): number {
  const { headroom, limit, margin } = estimate;
  if (!estimate.isWarm) return estimate.perSecond;
  const growth = !estimate.wasRefused ? GROWTH.unrefused : headroom.isWatched ? GROWTH.watched : GROWTH.blind;
  const grown = estimate.perSecond * (1 + (growth * Math.max(0, now - estimate.at)) / SECOND_MS);
  if (limit === undefined) return grown;
  // The use of others is measured with its rounding included, so small limits need no further margin here.
  const sharedMargin = Math.min(margin, SAFETY_MARGIN.most);
  return Math.max(MIN_SHARE * limit, Math.min(grown, headroom.rate(now, { limit, margin, sharedMargin })));
}

/** Updates the pace to that at `now`, from which it grows on, and returns it. */
export function updatePace(estimate: Estimate, now: number): number {
  estimate.perSecond = paceAt(estimate, now);
  estimate.at = now;
  return estimate.perSecond;
}

/** How many requests may leave in any second, however fast the pace is. */
export function maxPerSecond({ headroom, isWarm, limit }: Estimate): number {
  if (headroom.isBucket) return Number.POSITIVE_INFINITY;
  return limit ?? (isWarm ? Number.POSITIVE_INFINITY : COLD_PER_SECOND);
}

/** Learns from what was reported by the answer to a request that left at `sentAt`. */
export function learn(estimate: Estimate, reported: RateLimit, sentAt: number, now: number): void {
  if (!estimate.isWarm) warmUp(estimate, now);
  if (estimate.limit === undefined && reported.limit !== undefined) estimate.perSecond = FIRST_SHARE * reported.limit;
  estimate.limit = reported.limit ?? estimate.limit;
  estimate.margin = Math.max(
    SAFETY_MARGIN.least,
    estimate.margin - (SAFETY_MARGIN.ease * Math.max(0, now - estimate.marginAt)) / SECOND_MS,
  );
  estimate.marginAt = now;
  if (estimate.limit === undefined || reported.remaining === undefined || (reported.resetMs ?? 0) > MAX_WINDOW_MS)
    return;
  const { headroom } = estimate;
  const wasBucket = headroom.isBucket;
  headroom.observe(sentAt, { limit: estimate.limit, remaining: reported.remaining });
  // A bucket's tokens are proof enough: the pace jumps to what they allow.
  if (headroom.isBucket && !wasBucket) estimate.perSecond = Number.POSITIVE_INFINITY;
}

function warmUp(estimate: Estimate, now: number): void {
  estimate.isWarm = true;
  estimate.at = now;
  estimate.perSecond = estimate.limit === undefined ? COLD_PER_SECOND : estimate.limit * (1 - SAFETY_MARGIN.first);
}

/** Keeps more of Limit free after a refusal, and ignores Remaining from now on if it said that requests were left. */
export function widenMargin(estimate: Estimate, { remaining = 0 }: RateLimit): void {
  const { limit = Number.POSITIVE_INFINITY, headroom } = estimate;
  if (remaining > 0) headroom.ignoreRemaining();
  estimate.wasRefused = true;
  const wider = estimate.margin + Math.max(SAFETY_MARGIN.step, ROUNDING_MARGIN.step / limit);
  estimate.margin = Math.min(wider, Math.max(SAFETY_MARGIN.most, ROUNDING_MARGIN.most / limit));
}

/** Lowers the pace below what was accepted, in requests a second, because many of the latest requests were refused. */
export function slowDown(estimate: Estimate, accepted: number, now: number): void {
  const floor = estimate.perSecond * MIN_AFTER_STORM;
  estimate.perSecond = Math.min(estimate.perSecond, Math.max(AFTER_STORM * accepted, floor));
  estimate.at = now;
}

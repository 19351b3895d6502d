/**
 * The pace in requests a second, made from what answers report of the limit and from which requests
 * were rate-limited. The pacer asks for it at each send. Times are milliseconds on a monotonic
 * clock.
 */

import { SECOND_MS } from '../../text/when.ts';
import { Headroom } from './headroom.ts';
import { MAX_WINDOW_S, type RateLimit } from './rate-limit.ts';

/**
 * A pace up to this, in requests a second, is plausible without proof: it is five times that of the
 * largest plan (docs/service.md, Plans). A faster one is possible only after the first answer, and
 * the pacer lets the number in flight grow only with the answers.
 */
export const PLAUSIBLE_PACE = 1_000;
/**
 * The pace until an answer reports Limit: what the smallest plan allows in a second
 * (docs/service.md, Plans).
 */
const COLD_PER_SECOND = 10;
/**
 * The spacing of these first requests, as a rate: wider than a round trip, so that a 429 stops the
 * rest of them.
 */
const COLD_SPACING_RATE = 20;
/**
 * When Limit is first reported, the pace starts at this share of it, so that other users of the key
 * are noticed before the limit is reached.
 */
const FIRST_SHARE = 0.5;
/**
 * Growth of the pace in a second: `atFirst` until the first 429; afterwards `withFeedback` if
 * Remaining would show that the pace is too fast, else `withoutFeedback`.
 */
const GROWTH = { atFirst: 0.25, withFeedback: 0.09, withoutFeedback: 0.005 };
/**
 * The pace never falls below this share of Limit, so that answers keep coming and show when it may
 * grow again.
 */
const MIN_SHARE = 0.02;

/**
 * The share of Limit that is kept free, because requests may reach the server closer together than
 * they left. Each 429 adds `step`, and each second without one gives `ease` back. With 2.5% (at a
 * limit of 50 that is one request, rounded), jitter of 45 ms causes no 429, whether it comes from
 * the network or from a busy machine.
 */
const SAFETY_MARGIN = { first: 0.025, step: 0.0075, most: 0.03, least: 0.003, ease: 0.000_05 };
/**
 * The same margin in requests, for small limits: a sliding counter assumes that the requests of the
 * last window were evenly spread, and so counts up to one too many, which is a tenth of 10 a
 * second.
 */
const ROUNDING_MARGIN = { step: 0.15, most: 1.2 };

/**
 * The pace after a storm is this share of what was accepted, but at least MIN_AFTER_STORM of the
 * pace before: in a hiccup every request may be rate-limited.
 */
const AFTER_STORM = 0.95;
const MIN_AFTER_STORM = 1 / 3;

/** A Remaining whose Reset is further away belongs to a quota and says nothing of this second. */
const MAX_WINDOW_MS = MAX_WINDOW_S * 1_000;

/** When a request was sent and answered, on the monotonic clock, and whether by a 429. */
interface AnswerTiming {
  readonly isRateLimited: boolean;
  readonly sentAt: number;
  readonly now: number;
}

/** The limit as far as it is known, and the pace that follows from it. */
export class Pace {
  /** Limit as last reported, or as remembered, in requests a second. */
  limit: number | undefined;
  /** Whether an answer has come: until then the pace is a guess and does not grow. */
  isWarm = false;
  /** The pace at the time `setAt`, in requests a second. */
  perSecond: number;
  private setAt = 0;
  private margin = SAFETY_MARGIN.first;
  private marginAt = 0;
  private wasRateLimited = false;
  private readonly headroom: Headroom;

  /**
   * @param accepted how many of our requests sent after `from` and up to `to` were not
   * rate-limited, as far as is known.
   */
  constructor(limit: number | undefined, accepted: (from: number, to: number) => number) {
    this.limit = limit;
    this.perSecond =
      limit === undefined ? COLD_SPACING_RATE : Math.min(PLAUSIBLE_PACE, limit * (1 - SAFETY_MARGIN.first));
    this.headroom = new Headroom(accepted);
  }

  /** The pace at `now`, in requests a second. */
  at(now: number): number {
    const { headroom, limit, margin } = this;
    if (!this.isWarm) return this.perSecond;
    const grown = this.perSecond * (1 + (this.growth() * Math.max(0, now - this.setAt)) / SECOND_MS);
    if (limit === undefined) return grown;
    // The use of others is measured with its rounding included, so small limits need no further
    // margin here.
    const sharedMargin = Math.min(margin, SAFETY_MARGIN.most);
    return Math.max(MIN_SHARE * limit, Math.min(grown, headroom.rate(now, { limit, margin, sharedMargin })));
  }

  /** Lets the pace grow up to `now`, and returns it. */
  growUntil(now: number): number {
    this.set(this.at(now), now);
    return this.perSecond;
  }

  private growth(): number {
    if (!this.wasRateLimited) return GROWTH.atFirst;
    return this.headroom.hasFeedback ? GROWTH.withFeedback : GROWTH.withoutFeedback;
  }

  /** How many requests may leave in any second, however fast the pace is. */
  maxPerSecond(): number {
    if (this.headroom.isBucket) return Number.POSITIVE_INFINITY;
    return this.limit ?? (this.isWarm ? Number.POSITIVE_INFINITY : COLD_PER_SECOND);
  }

  /** Learns from what was reported by the answer to a request that left at `sentAt`. */
  learn(reported: RateLimit, { isRateLimited, sentAt, now }: AnswerTiming): void {
    if (!this.isWarm) this.warmUp(now);
    if (this.limit === undefined && reported.limit !== undefined) this.perSecond = FIRST_SHARE * reported.limit;
    this.limit = reported.limit ?? this.limit;
    this.easeMargin(now);
    this.learnHeadroom(reported, sentAt);
    if (isRateLimited) this.learnRateLimited(reported);
  }

  /**
   * Lowers the pace below what was accepted, in requests a second, because many of the latest
   * requests were rate-limited.
   */
  slowDown(accepted: number, now: number): void {
    const floor = this.perSecond * MIN_AFTER_STORM;
    this.set(Math.min(this.perSecond, Math.max(AFTER_STORM * accepted, floor)), now);
  }

  private set(perSecond: number, now: number): void {
    this.perSecond = perSecond;
    this.setAt = now;
  }

  private warmUp(now: number): void {
    this.isWarm = true;
    this.set(this.limit === undefined ? COLD_PER_SECOND : this.limit * (1 - SAFETY_MARGIN.first), now);
  }

  private easeMargin(now: number): void {
    const eased = (SAFETY_MARGIN.ease * Math.max(0, now - this.marginAt)) / SECOND_MS;
    this.margin = Math.max(SAFETY_MARGIN.least, this.margin - eased);
    this.marginAt = now;
  }

  private learnHeadroom({ remaining, resetMs = 0 }: RateLimit, sentAt: number): void {
    const { headroom, limit } = this;
    if (limit === undefined || remaining === undefined || resetMs > MAX_WINDOW_MS) return;
    const wasBucket = headroom.isBucket;
    headroom.observe(sentAt, { limit, remaining });
    // A bucket's tokens are proof enough: the pace jumps to what they allow, since `at` caps it at
    // the headroom.
    if (headroom.isBucket && !wasBucket) this.perSecond = Number.POSITIVE_INFINITY;
  }

  /**
   * Keeps more of Limit free after a 429, and ignores Remaining from now on if it said that
   * requests were left.
   */
  private learnRateLimited({ remaining = 0 }: RateLimit): void {
    const { limit = Number.POSITIVE_INFINITY } = this;
    if (remaining > 0) this.headroom.ignoreRemaining();
    this.wasRateLimited = true;
    const wider = this.margin + Math.max(SAFETY_MARGIN.step, ROUNDING_MARGIN.step / limit);
    this.margin = Math.min(wider, Math.max(SAFETY_MARGIN.most, ROUNDING_MARGIN.most / limit));
  }
}

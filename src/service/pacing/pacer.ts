/**
 * Decides when the next request may start. Only our own sends are certain, so they are counted;
 * what answers say of the limit is seconds old and only corrects the pace. The words:
 *
 * - limit: how many requests a second the service allows the key; the header Limit reports it.
 * - remaining: how many of them the service has left, by the header Remaining.
 * - window: the span of time in which a limiter counts requests, here a second.
 * - bucket: a limiter that refills tokens at the limit, one for each request (token bucket, GCRA).
 * - pace: how many requests a second we start.
 * - headroom: the part of the limit that other users of the key leave to us.
 * - margin: the share of the limit that we keep free, since requests may arrive closer together.
 * - in flight: sent, and not answered.
 * - rate-limited: answered with the status 429.
 * - storm: so many rate-limited requests in a second that the pace must be too fast. All requests
 *   then wait.
 * - cold: before the first answer. The pace is then a guess; the first answer makes it warm.
 *
 * The pacer is a state machine without a clock of its own: time is an argument, in milliseconds on
 * a monotonic clock. test/bench/pacing runs it against limiters, and each rule earns its place
 * there.
 */

import { SECOND_MS } from '../../text/when.ts';
import { MeanLatency, TimeLog } from './measures.ts';
import { Pace, PLAUSIBLE_PACE } from './pace.ts';
import type { Observation } from './rate-limit.ts';

export interface PacerOptions {
  /** The key's limit as an earlier run learned it, requests a second. */
  readonly limit?: number;
  /** --rate: a cap, requests a second. */
  readonly rate?: number;
  /** A cap on requests in flight: --concurrency, or what the limit of open files allows. */
  readonly concurrency?: number;
}

/** Milliseconds that the schedule may catch up after a late timer. */
const CATCH_UP_MS = 50;

/**
 * The whole gate waits when so many of the latest requests, and this share of them, were
 * rate-limited. The latest are those of the last second, but at least the last `of` requests: at a
 * slow pace two 429s within a second are rare.
 */
const STORM = { requests: 2, share: 0.02, of: 10 };

/** The most requests in flight, whatever the pace: each has a socket. */
export const MAX_IN_FLIGHT = 2_000;
/**
 * The fewest that may be in flight: a pace that has just begun to grow needs answers to grow by.
 */
const MIN_IN_FLIGHT = 20;
/**
 * As many requests may be in flight as the pace needs at the present latency, times this: so the
 * pace holds when the service slows down.
 */
const IN_FLIGHT_FACTOR = 2;
/**
 * Beyond what PLAUSIBLE_PACE needs, the number in flight grows as in the slow start of TCP: each
 * answer allows so many more.
 */
const EXTRA_BY_ANSWER = 0.25;

/**
 * Milliseconds for which sends are remembered: as long as an answer to one of them may take.
 */
const LOOK_BACK_MS = 30_000;

export class Pacer {
  /** --rate, requests a second. */
  private readonly cap: number;
  private readonly maxInFlight: number;
  private readonly pace: Pace;
  private readonly sends = new TimeLog(LOOK_BACK_MS);
  /** The times at which requests left that were rate-limited. */
  private readonly rateLimited = new TimeLog(LOOK_BACK_MS);
  private readonly latency = new MeanLatency();
  private inFlight = 0;
  /** How many may be in flight beyond what PLAUSIBLE_PACE needs. */
  private extraInFlight = MIN_IN_FLIGHT;
  /** The time at which the schedule has the next request. */
  private next = Number.NEGATIVE_INFINITY;
  private heldUntil = Number.NEGATIVE_INFINITY;

  constructor({ limit, rate, concurrency = MAX_IN_FLIGHT }: PacerOptions = {}) {
    this.cap = rate ?? Number.POSITIVE_INFINITY;
    this.maxInFlight = Math.min(concurrency, MAX_IN_FLIGHT);
    this.pace = new Pace(limit, (from, to) => this.accepted(from, to));
  }

  /**
   * When one more request may start: a time in the past means at once, Infinity not before an
   * answer.
   */
  readyAt(): number {
    if (this.isFull()) return Number.POSITIVE_INFINITY;
    const inASecond = Math.max(1, Math.floor(Math.min(this.pace.maxPerSecond(), this.cap)));
    return Math.max(this.heldUntil, this.next, this.sends.last(inASecond) + SECOND_MS);
  }

  /**
   * Takes the place that `readyAt` granted. Call `release` afterwards, or `sent` and then
   * `answered`.
   */
  take(now: number): void {
    this.inFlight++;
    this.next = Math.max(this.next, now - CATCH_UP_MS) + SECOND_MS / Math.min(this.cap, this.pace.growUntil(now));
  }

  release(): void {
    this.inFlight--;
  }

  sent(now: number): void {
    this.sends.push(now);
  }

  answered(sentAt: number, { status, rateLimit, waitMs = 0 }: Observation, now: number): void {
    const { pace } = this;
    const wasFull = this.isFull();
    this.inFlight--;
    if (status === undefined) return;
    const isRateLimited = status === 429;
    // A 429 does not show how long an answer takes.
    if (isRateLimited) this.rateLimited.push(sentAt);
    else this.learnLatency(now - sentAt, now, wasFull);
    // The schedule of the first requests was a guess, so it starts anew.
    if (!pace.isWarm) this.next = now;
    pace.learn(rateLimit, { isRateLimited, sentAt, now });
    if (!isRateLimited) return;
    const from = this.latestFrom(now);
    if (now < this.heldUntil || !this.isStorm(from, now)) return;
    // All requests wait, once for however many 429s, and then continue at a slower pace.
    this.heldUntil = now + waitMs;
    pace.slowDown((this.accepted(from, now) * SECOND_MS) / (now - from), now);
  }

  /** Describes the pacer and changes nothing. */
  state(now: number) {
    const pace = Math.min(this.cap, this.pace.at(now));
    const heldMs = this.heldUntil > now ? this.heldUntil - now : undefined;
    const perSecond = `${pace < 10 ? pace.toFixed(1) : Math.round(pace)}/s`;
    const { limit } = this.pace;
    return {
      inFlight: this.inFlight,
      /** For how many milliseconds a storm still holds every request back. */
      heldMs,
      /** The pace, requests a second. */
      pace,
      /** The same in words: `197/s of 200/s`. */
      paceWords: limit === undefined ? perSecond : `${perSecond} of ${limit}/s`,
      /**
       * In words, what holds the next request back if it is not the pace: `waiting for answers, in
       * flight 612`.
       */
      waiting: this.waitingWords(heldMs),
    };
  }

  private accepted(from: number, to: number): number {
    return this.sends.count(from, to) - this.rateLimited.count(from, to);
  }

  /** Whether an answer has to come before one more may start. */
  private isFull(): boolean {
    const needed = this.inFlightFor(this.pace.perSecond);
    const most = Math.min(Math.max(MIN_IN_FLIGHT, needed), this.extraInFlight + this.inFlightFor(PLAUSIBLE_PACE));
    return this.inFlight >= Math.min(this.maxInFlight, most);
  }

  /** How many may be in flight at that pace. */
  private inFlightFor(perSecond: number): number {
    return (IN_FLIGHT_FACTOR * Math.min(this.cap, perSecond) * this.latency.meanMs()) / SECOND_MS;
  }

  private learnLatency(ms: number, now: number, wasFull: boolean): void {
    this.latency.observe(ms, now, wasFull);
    if (wasFull) this.extraInFlight += EXTRA_BY_ANSWER;
  }

  /**
   * When the latest requests begin: a second ago, or earlier, at the last `STORM.of` requests, if
   * all of those left since the last wait of all.
   */
  private latestFrom(now: number): number {
    const first = this.sends.last(STORM.of);
    return Math.min(now - SECOND_MS, first > this.heldUntil ? first : now);
  }

  /** A single 429 delays its own wallet only; several mean that the pace is too fast. */
  private isStorm(from: number, now: number): boolean {
    const rateLimited = this.rateLimited.count(from, now);
    return rateLimited >= STORM.requests && rateLimited >= STORM.share * this.sends.count(from, now);
  }

  private waitingWords(heldMs: number | undefined): string {
    if (heldMs !== undefined) return `rate limited for ${Math.ceil(heldMs / 1000)} s`;
    const counted = `in flight ${this.inFlight}`;
    if (this.isFull()) return `waiting for answers, ${counted}`;
    const isKnown = this.pace.limit !== undefined || this.pace.isWarm;
    return isKnown ? counted : `waiting to learn the rate limit, ${counted}`;
  }
}

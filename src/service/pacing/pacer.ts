/**
 * Decides when the next request may start. Only our own sends are certain, so they are counted;
 * what answers say of the limit is seconds old and only corrects the pace. The words:
 *
 * - limit: how many requests a second the service allows the key; the header Limit reports it.
 * - remaining: how many of them the service has left, by the header Remaining.
 * - window: a limiter that counts the requests of each second.
 * - bucket: a limiter that refills tokens at the limit, one for each request (token bucket, GCRA).
 * - pace: how many requests a second we start.
 * - headroom: the part of the limit that other users of the key leave to us.
 * - margin: the share of the limit that we keep free, since requests may arrive closer together.
 * - in flight: sent, and not answered.
 * - refusal: an answer with the status 429.
 * - storm: so many refusals in a second that the pace must be too fast. All requests then wait.
 * - cold: before the first answer. The pace is then a guess; the first answer makes it warm.
 *
 * The pacer is a state machine without a clock of its own: time is an argument, in milliseconds on
 * a monotonic clock. test/bench/pacing runs it against limiters, and each rule earns its place
 * there.
 */

import { SECOND_MS } from '../../text/when.ts';
import { Pace, PROVEN_PACE } from './pace.ts';
import type { Observation } from './rate-limit.ts';

export interface PacerOptions {
  /** The key's limit as an earlier run learned it, requests a second. */
  readonly limit?: number;
  /** --rate: a cap, requests a second. */
  readonly rate?: number;
  /** A cap on requests in flight: the number that was typed, or that of the sockets there are. */
  readonly concurrency?: number;
}

/** Milliseconds that the schedule may catch up after a late timer. */
const CATCH_UP_MS = 50;

/**
 * The whole gate waits when so many of the latest requests, and this share of them, were refused.
 * The latest are those of the last second, and at least `of`: a slow pace is seldom refused twice
 * in a second.
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
const IN_FLIGHT_HEADROOM = 2;
/**
 * The latency assumed before the first answer, in milliseconds: the longest that is usual
 * (docs/service.md, Profiles).
 */
const FIRST_LATENCY_MS = 5_000;
/**
 * The weight of the newest answer in the mean latency, which is then about the mean of the last
 * twenty.
 */
const LATENCY_WEIGHT = 0.05;
/**
 * While as many requests are in flight as allowed, answers wait for each other, at the service or
 * in this process, and more requests would only wait longer. So the mean latency then grows by at
 * most this share a second, which still follows a service that slows down.
 */
const FULL_GROWTH = 0.5;
/**
 * Beyond what PROVEN_PACE needs, requests in flight are earned: each answer allows so many more.
 */
const EARNED_BY_ANSWER = 0.25;

/**
 * Milliseconds for which sends are remembered: as long as an answer to one of them may take.
 */
const LOOK_BACK_MS = 30_000;

export class Pacer {
  /** --rate, requests a second. */
  private readonly cap: number;
  private readonly maxInFlight: number;
  private readonly pace: Pace;
  private readonly sends = createSendLog(LOOK_BACK_MS);
  /** The times at which requests left that were refused. */
  private readonly refusals = createSendLog(LOOK_BACK_MS);
  private readonly latency = createLatency();
  private inFlight = 0;
  /** How many may be in flight beyond what PROVEN_PACE needs. */
  private earned = MIN_IN_FLIGHT;
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
    this.next = Math.max(this.next, now - CATCH_UP_MS) + SECOND_MS / Math.min(this.cap, this.pace.update(now));
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
    const isRefusal = status === 429;
    // A refusal says nothing of how long an answer takes.
    if (isRefusal) this.refusals.push(sentAt);
    else this.learnLatency(now - sentAt, now, wasFull);
    // The schedule of the first requests was a guess, so it starts anew.
    if (!pace.isWarm) this.next = now;
    pace.learn(rateLimit, { isRefusal, sentAt, now });
    if (!isRefusal) return;
    const from = this.latestFrom(now);
    if (now < this.heldUntil || !this.isStorm(from, now)) return;
    // All requests wait, once for however many refusals, and then continue at a slower pace.
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
      /** For how many milliseconds refusals still hold every request back. */
      heldMs,
      /** Requests a second that may start now. */
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
    return this.sends.count(from, to) - this.refusals.count(from, to);
  }

  /** Whether an answer has to come before one more may start. */
  private isFull(): boolean {
    const needed = this.inFlightFor(this.pace.perSecond);
    const most = Math.min(Math.max(MIN_IN_FLIGHT, needed), this.earned + this.inFlightFor(PROVEN_PACE));
    return this.inFlight >= Math.min(this.maxInFlight, most);
  }

  /** How many may be in flight at that pace. */
  private inFlightFor(perSecond: number): number {
    return (IN_FLIGHT_HEADROOM * Math.min(this.cap, perSecond) * this.latency.meanMs()) / SECOND_MS;
  }

  private learnLatency(ms: number, now: number, wasFull: boolean): void {
    this.latency.observe(ms, now, wasFull);
    if (wasFull) this.earned += EARNED_BY_ANSWER;
  }

  /**
   * Where the latest requests begin: a second ago, or earlier if too few have left since all had to
   * wait.
   */
  private latestFrom(now: number): number {
    const first = this.sends.last(STORM.of);
    return Math.min(now - SECOND_MS, first > this.heldUntil ? first : now);
  }

  /** One refusal is its own wallet's affair; several mean that we are too fast. */
  private isStorm(from: number, now: number): boolean {
    const refused = this.refusals.count(from, now);
    return refused >= STORM.requests && refused >= STORM.share * this.sends.count(from, now);
  }

  private waitingWords(heldMs: number | undefined): string {
    if (heldMs !== undefined) return `rate limited for ${Math.ceil(heldMs / 1000)} s`;
    const counted = `in flight ${this.inFlight}`;
    if (this.isFull()) return `waiting for answers, ${counted}`;
    const isKnown = this.pace.limit !== undefined || this.pace.isWarm;
    return isKnown ? counted : `waiting to learn the rate limit, ${counted}`;
  }
}

/** Measures how long recent answers have taken. */
function createLatency() {
  let mean = FIRST_LATENCY_MS;
  let observed = 0;
  let observedAt = 0;
  return {
    meanMs: () => mean,
    /** @param wasFull whether as many requests were in flight as were allowed */
    observe(ms: number, now: number, wasFull: boolean): void {
      const seconds = Math.max(0, now - observedAt) / SECOND_MS;
      observedAt = now;
      const newest = mean + (ms - mean) * Math.max(LATENCY_WEIGHT, 1 / ++observed);
      if (observed === 1) mean = newest;
      else mean = wasFull ? Math.min(newest, mean * (1 + FULL_GROWTH * seconds)) : newest;
    },
  };
}

/** Entries are dropped in bulk, so that each costs the same however many there are. */
const SWEEP_EVERY = 4_096;

/**
 * When things happened in the last `keepMs` milliseconds: what the pacer knows for certain, since
 * it did them itself.
 */
function createSendLog(keepMs: number) {
  let times: number[] = [];
  let sweep = SWEEP_EVERY;

  /** How many were at or before `time`: a binary search. */
  function upTo(time: number): number {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((times[middle] ?? time) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    /** A time before the last one counts as the last one. */
    push(time: number): void {
      const at = Math.max(time, times[times.length - 1] ?? time);
      times.push(at);
      if (times.length < sweep) return;
      times = times.slice(upTo(at - keepMs));
      sweep = times.length + SWEEP_EVERY;
    },
    /** How many there were after `from` and up to and including `to`. */
    count: (from: number, to: number): number => Math.max(0, upTo(to) - upTo(from)),
    /**
     * The time of the `n`-th from the end, counting from 1; -Infinity when there were not that
     * many.
     */
    last: (n: number): number => times[times.length - n] ?? Number.NEGATIVE_INFINITY,
  };
}

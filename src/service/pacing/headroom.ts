/**
 * Estimates from Remaining how much of the key's limit is ours. An answer is 1 to 5 s old when it
 * arrives, so Remaining is compared with what we had sent at that time. There are two kinds of
 * limiter. One counts in a window: what Remaining lacks beyond our own requests was used by others.
 * The other is a bucket (token bucket, GCRA, leaky queue), recognised by a Remaining that reaches
 * Limit: what it loses beyond our own requests was used by others.
 */
import { SECOND_MS } from '../../text/when.ts';
import { BURST } from './rate-limit.ts';

/** The report of one answer. */
interface LimitSample {
  readonly limit: number;
  readonly remaining: number;
}

interface Allowance {
  /** Requests a second for the key. */
  readonly limit: number;
  /** The share of it to keep free in a window that we have to ourselves. */
  readonly margin: number;
  /** The share to keep free where others use the key, too. */
  readonly sharedMargin: number;
}

/** Counts our accepted requests after `from` and up to `to`, in milliseconds. */
type CountOwn = (from: number, to: number) => number;

export class Headroom {
  private window: WindowEstimate;
  private bucket: BucketEstimate;
  private isIgnored = false;
  /** Whether Remaining would show that the pace is too fast. */
  hasFeedback = false;

  constructor(private readonly own: CountOwn) {
    this.window = new WindowEstimate(own);
    this.bucket = new BucketEstimate(own);
  }

  /** Learns from the answer to a request that left at `sentAt`, milliseconds. */
  observe(sentAt: number, sample: LimitSample): void {
    if (this.isIgnored) return;
    this.hasFeedback = true;
    this.window.observe(sentAt, sample);
    this.bucket.observe(sentAt, sample);
  }

  /**
   * Forgets what Remaining has shown, and ignores it from now on: requests are rate-limited
   * although it says that some are left.
   */
  ignoreRemaining(): void {
    this.isIgnored = true;
    this.hasFeedback = false;
    this.window = new WindowEstimate(this.own);
    this.bucket = new BucketEstimate(this.own);
  }

  /**
   * How many requests a second may be ours. The rate exceeds `limit` only while a bucket has tokens
   * to spare.
   */
  rate(now: number, allowance: Allowance): number {
    return this.isBucket ? this.bucket.rate(now, allowance.limit) : this.window.rate(now, allowance);
  }

  /** Whether Remaining has shown a bucket: only then may more than Limit leave in a second. */
  get isBucket(): boolean {
    return this.bucket.isFound;
  }
}

/** Windows are a second long: Limit is requests per second (docs/service.md, Rate limits). */
const WINDOW_MS = 1_000;
/**
 * How many seconds of sends are judged together. An answer takes up to 5 s, so fewer would be
 * mostly unanswered.
 */
const COHORTS = 4;
/**
 * A shortage of up to `requests` plus `share` of Limit is noise: our own requests overtake each
 * other in the network.
 */
const NOISE = { requests: 1, share: 0.01 };
/**
 * The largest of several rounded samples lies above the true use by about this. Simulated: with 0
 * we yield too much, with 0.3 too little.
 */
const ROUNDING_ALLOWANCE = 0.2;

/**
 * Models a limiter that counts in a window. Of the requests of one second, the one whose answer
 * shows the largest shortage was sent as a window ended, so it shows all of the others' use,
 * whatever the phase of the windows.
 */
class WindowEstimate {
  private readonly cohorts: { readonly second: number; shortage: number }[] = [];

  constructor(private readonly own: CountOwn) {}

  observe(sentAt: number, { limit, remaining }: LimitSample): void {
    const { cohorts, own } = this;
    const second = Math.floor(sentAt / WINDOW_MS);
    const shortage = limit - remaining - own(sentAt - WINDOW_MS, sentAt);
    const cohort = cohorts.find((known) => known.second === second);
    if (cohort) cohort.shortage = Math.max(cohort.shortage, shortage);
    else cohorts.push({ second, shortage });
    if (cohorts.length > 2 * COHORTS) cohorts.shift();
  }

  rate(now: number, { limit, margin, sharedMargin }: Allowance): number {
    const oldest = Math.floor(now / WINDOW_MS) - COHORTS;
    let usedByOthers = 0;
    for (const { second, shortage } of this.cohorts)
      if (second >= oldest) usedByOthers = Math.max(usedByOthers, shortage);
    const ours = limit * (1 - margin);
    if (usedByOthers <= NOISE.requests + NOISE.share * limit) return ours;
    return Math.min(ours, limit * (1 - sharedMargin) - usedByOthers + ROUNDING_ALLOWANCE);
  }
}

/** The share of a bucket that is kept back, for what others may take before we can see it. */
const RESERVE = 0.1;
/**
 * The weight of the newest second in the estimate of the others' use: with 1 it would follow the
 * rounding of Remaining.
 */
const OTHERS_WEIGHT = 0.6;
/** A bucket that is this full may have overflowed: what it lost then says nothing of others. */
const FULL = 0.95;
/**
 * The largest share of Limit that others are believed to use: with no requests of our own, nothing
 * more would be learned.
 */
const MAX_OTHERS_SHARE = 0.9;

/** Models a limiter whose tokens come back at Limit a second. */
class BucketEstimate {
  isFound = false;
  /** The most that Remaining has ever said: the bucket's size. */
  private size = 0;
  /** Tokens that others take in a second. */
  private usedByOthers = 0;
  private newest = { at: Number.NEGATIVE_INFINITY, remaining: 0 };
  /** The earlier sample with which the newest is compared. */
  private anchor: typeof this.newest | undefined;

  constructor(private readonly own: CountOwn) {}

  observe(sentAt: number, { limit, remaining }: LimitSample): void {
    this.size = Math.max(this.size, remaining);
    // A window that has counted this request has less than Limit left.
    this.isFound ||= remaining >= limit;
    if (sentAt <= this.newest.at) return;
    this.newest = { at: sentAt, remaining };
    this.learnUseOfOthers(limit);
  }

  /**
   * Our share of the tokens that are refilled in a second and of those to spare: other processes
   * may use the key, too.
   */
  rate(now: number, limit: number): number {
    const { size, usedByOthers, newest } = this;
    const refilled = ((limit - usedByOthers) * (now - newest.at)) / SECOND_MS;
    const tokens = Math.min(size, newest.remaining + refilled - this.own(newest.at, now));
    return Math.min(BURST * limit, (limit - usedByOthers) * (1 + (tokens - RESERVE * size) / limit));
  }

  /**
   * Compares two samples a second or more apart: refill, less our own, less the change, is what
   * others took.
   */
  private learnUseOfOthers(limit: number): void {
    const { newest, size } = this;
    this.anchor ??= newest;
    const { anchor } = this;
    const seconds = (newest.at - anchor.at) / SECOND_MS;
    if (seconds < 1) return;
    const taken = limit - (this.own(anchor.at, newest.at) + newest.remaining - anchor.remaining) / seconds;
    const learned =
      anchor.remaining < FULL * size
        ? this.usedByOthers + OTHERS_WEIGHT * (taken - this.usedByOthers)
        : this.usedByOthers;
    this.usedByOthers = Math.min(MAX_OTHERS_SHARE * limit, Math.max(0, learned));
    this.anchor = newest;
  }
}

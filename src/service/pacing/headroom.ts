/**
 * Estimates from Remaining how much of the key's limit is ours. An answer is 1 to 5 s old when it
 * arrives, so Remaining is compared with what we had sent at that time. There are two kinds of
 * limiter. One counts in a window: what Remaining lacks beyond our own requests was used by others.
 * The other is a bucket (token bucket, GCRA, leaky queue), recognised by a Remaining that reaches
 * Limit: what it loses beyond our own requests was used by others.
 */
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
  private window: ReturnType<typeof createWindowEstimate>;
  private bucket: ReturnType<typeof createBucketEstimate>;
  private isIgnored = false;
  /** Whether Remaining would show that the pace is too fast. */
  isWatched = false;

  constructor(private readonly own: CountOwn) {
    this.window = createWindowEstimate(own);
    this.bucket = createBucketEstimate(own);
  }

  /** Learns from the answer to a request that left at `sentAt`, milliseconds. */
  observe(sentAt: number, reading: LimitSample): void {
    if (this.isIgnored) return;
    this.isWatched = true;
    this.window.observe(sentAt, reading);
    this.bucket.observe(sentAt, reading);
  }

  /**
   * Remaining says nothing about what is refused: what was learned from it is forgotten, and
   * nothing is from now on.
   */
  ignoreRemaining(): void {
    this.isIgnored = true;
    this.isWatched = false;
    this.window = createWindowEstimate(this.own);
    this.bucket = createBucketEstimate(this.own);
  }

  /** How many requests a second may be ours; more than `limit` only to spend a bucket's tokens. */
  rate(now: number, allowance: Allowance): number {
    return this.isBucket ? this.bucket.rate(now, allowance.limit) : this.window.rate(now, allowance);
  }

  /** Whether Remaining has shown a bucket: only then may more than Limit leave in a second. */
  get isBucket(): boolean {
    return this.bucket.isFound();
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
 * A shortage up to this, and this share of Limit, is our own requests overtaking each other in the
 * network.
 */
const NOISE = { requests: 1, share: 0.01 };
/**
 * The largest of several rounded readings lies above the true use by about this. Simulated: with 0
 * we yield too much, with 0.3 too little.
 */
const ROUNDING_ALLOWANCE = 0.2;

/**
 * Models a limiter that counts in a window. Among the answers to one second's requests, the one
 * that lacks most was sent as a window ended, so it shows all of the others' use, whatever the
 * phase of the windows.
 */
function createWindowEstimate(own: CountOwn) {
  const cohorts: { readonly second: number; shortage: number }[] = [];
  return {
    observe(sentAt: number, { limit, remaining }: LimitSample): void {
      const second = Math.floor(sentAt / WINDOW_MS);
      const shortage = limit - remaining - own(sentAt - WINDOW_MS, sentAt);
      const cohort = cohorts.find((known) => known.second === second);
      if (cohort) cohort.shortage = Math.max(cohort.shortage, shortage);
      else cohorts.push({ second, shortage });
      if (cohorts.length > 2 * COHORTS) cohorts.shift();
    },
    rate(now: number, { limit, margin, sharedMargin }: Allowance): number {
      const oldest = Math.floor(now / WINDOW_MS) - COHORTS;
      let foreign = 0;
      for (const { second, shortage } of cohorts) if (second >= oldest) foreign = Math.max(foreign, shortage);
      const ours = limit * (1 - margin);
      if (foreign <= NOISE.requests + NOISE.share * limit) return ours;
      return Math.min(ours, limit * (1 - sharedMargin) - foreign + ROUNDING_ALLOWANCE);
    },
  };
}

/** The share of a bucket that is kept back, for what others may take before we can see it. */
const RESERVE = 0.1;
/**
 * The weight of the newest second in the estimate of the others' use: with 1 it would follow the
 * rounding of Remaining.
 */
const FOREIGN_WEIGHT = 0.6;
/** A bucket that is this full may have overflowed: what it lost then says nothing of others. */
const FULL = 0.95;
/**
 * The largest share of Limit that others are believed to use: with no requests of our own, nothing
 * more would be learned.
 */
const MAX_FOREIGN_SHARE = 0.9;

/** Models a limiter whose tokens come back at Limit a second. */
function createBucketEstimate(own: CountOwn) {
  /** The most that Remaining has ever said: the bucket's size. */
  let size = 0;
  let isFound = false;
  let foreign = 0;
  let newest = { at: Number.NEGATIVE_INFINITY, remaining: 0 };
  let anchor: typeof newest | undefined;

  /**
   * Compares two readings a second or more apart: refill, less our own, less the change, is what
   * others took.
   */
  function compare(limit: number): void {
    anchor ??= newest;
    const seconds = (newest.at - anchor.at) / 1000;
    if (seconds < 1) return;
    const taken = limit - (own(anchor.at, newest.at) + newest.remaining - anchor.remaining) / seconds;
    if (anchor.remaining < FULL * size) foreign += FOREIGN_WEIGHT * (taken - foreign);
    foreign = Math.min(MAX_FOREIGN_SHARE * limit, Math.max(0, foreign));
    anchor = newest;
  }

  return {
    isFound: () => isFound,
    observe(sentAt: number, { limit, remaining }: LimitSample): void {
      size = Math.max(size, remaining);
      // A window that has counted this request has less than Limit left.
      isFound ||= remaining >= limit;
      if (sentAt <= newest.at) return;
      newest = { at: sentAt, remaining };
      compare(limit);
    },
    /**
     * The tokens that are refilled, and those to spare within a second; of both only our share,
     * since other processes may use the key.
     */
    rate(now: number, limit: number): number {
      const refilled = ((limit - foreign) * (now - newest.at)) / 1000;
      const tokens = Math.min(size, newest.remaining + refilled - own(newest.at, now));
      return Math.min(BURST * limit, (limit - foreign) * (1 + (tokens - RESERVE * size) / limit));
    },
  };
}

/** What the pacer measures: when requests left, and how long answers took. */
import { SECOND_MS } from '../../text/when.ts';

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

/** How long recent answers have taken. */
export class MeanLatency {
  private mean = FIRST_LATENCY_MS;
  private observed = 0;
  private observedAt = 0;

  meanMs(): number {
    return this.mean;
  }

  /** @param wasFull whether as many requests were in flight as were allowed */
  observe(ms: number, now: number, wasFull: boolean): void {
    const { mean } = this;
    const seconds = Math.max(0, now - this.observedAt) / SECOND_MS;
    this.observedAt = now;
    this.observed++;
    const updated = mean + (ms - mean) * Math.max(LATENCY_WEIGHT, 1 / this.observed);
    const isCapped = wasFull && this.observed > 1;
    this.mean = isCapped ? Math.min(updated, mean * (1 + FULL_GROWTH * seconds)) : updated;
  }
}

/** Entries are dropped in bulk, so that each costs the same however many there are. */
const SWEEP_EVERY = 4_096;

/**
 * When things happened in the last `keepMs` milliseconds: what the pacer knows for certain, since
 * it did them itself.
 */
export class TimeLog {
  private times: number[] = [];
  private sweepAt = SWEEP_EVERY;

  constructor(private readonly keepMs: number) {}

  /** A time before the last one counts as the last one. */
  push(time: number): void {
    const { times } = this;
    const latest = Math.max(time, times[times.length - 1] ?? time);
    times.push(latest);
    if (times.length < this.sweepAt) return;
    this.times = times.slice(this.upTo(latest - this.keepMs));
    this.sweepAt = this.times.length + SWEEP_EVERY;
  }

  /** How many there were after `from` and up to and including `to`. */
  count(from: number, to: number): number {
    return Math.max(0, this.upTo(to) - this.upTo(from));
  }

  /** The time of the `n`-th from the end, counting from 1; -Infinity when there were fewer. */
  last(n: number): number {
    return this.times[this.times.length - n] ?? Number.NEGATIVE_INFINITY;
  }

  /** How many were at or before `time`: a binary search. */
  private upTo(time: number): number {
    const { times } = this;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((times[middle] ?? time) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

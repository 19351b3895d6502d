/**
 * Estimates the time left of a list: pure, time is an argument. Wallets not yet sent are sent at the measured pace, and requests
 * under way take as long as answers take; the estimate is the median time at which none is open any more.
 * test/simulate/time-left.test.ts compares it with simulated runs.
 */

export interface ListState {
  /** Wallets to be asked in this run, as counted before it; those that a journal answers are not among them. */
  readonly toAsk: number;
  /** How many of these are settled. */
  readonly answers: number;
  /** Requests under way. */
  readonly inFlight: number;
  /** Requests a second that may start now. */
  readonly rate: number;
  /** The key's limit, requests a second, if it is known. */
  readonly limit?: number | undefined;
  /** --rate, if that was typed. */
  readonly maxRate?: number | undefined;
  /** How many requests may be under way at once, if that was typed. */
  readonly concurrency?: number | undefined;
  /** How long every request is held back, milliseconds. */
  readonly heldMs?: number | undefined;
}

/** How long answers take. */
interface Latency {
  /** The share of requests that still have no answer `ms` after they were sent. */
  openShare(ms: number): number;
  /** When the slowest of them is expected. */
  readonly longestMs: number;
  readonly meanMs: number;
}

const SECOND_MS = 1_000;
/**
 * The pace is measured over this share of the run since its first answer, and over ten seconds at least: refusals, bursts and the
 * pauses after them are a part of it. Before that answer the key's limit is a guess.
 */
const MEASURED_SHARE = 2 / 3;
const MIN_MEASURED_MS = 10_000;
/** The pacer's rate counts as much as a measurement of this length: shorter measurements say little. */
const ALLOWED_WEIGHT_MS = 3_000;
/** A pace above the key's limit for no longer than this may be a burst. */
const BURST_MS = 3_000;
/** The least time between samples of the pace; when there are too many, the older half is thinned. */
const SAMPLE_MS = 200;
const MAX_SAMPLES = 1_000;
/** As many latest answers are remembered as requests are under way, and at least this many: an outage is soon forgotten. */
const MIN_ANSWERS = 100;
/** Resolution: steps of the share of open requests, and groups in which the wallets to be sent are counted. */
const STEPS = 200;
const MAX_GROUPS = 100;
/** With this many expected to be open, the last answer has come with a probability of 1/2: e ** -LAST_OPEN. */
const LAST_OPEN = Math.LN2;
const PRECISION_MS = 50;

export class TimeLeft {
  private readonly pace = new Pace();
  /** How long the latest answers took. */
  private recent: number[] = [];
  /** When the requests under way were sent, oldest first, as far as is known. */
  private readonly sentTimes: number[] = [];
  private readAt = 0;

  /** An answer has come at `now`, `ms` after its request. */
  answered(ms: number, now: number): void {
    const { recent, sentTimes } = this;
    recent.push(ms);
    const sentAt = now - ms;
    if (sentAt > this.readAt) return;
    const found = sentTimes.findIndex((time) => time >= sentAt);
    const later = found < 0 ? sentTimes.length : found;
    const distance = (i: number) => Math.abs((sentTimes[i] ?? Number.POSITIVE_INFINITY) - sentAt);
    sentTimes.splice(distance(later - 1) < distance(later) ? later - 1 : later, 1);
  }

  /**
   * Milliseconds left at `now`, on a monotonic clock; undefined before there is an estimate, and when nothing is left. To be
   * called several times a second.
   */
  at(now: number, state: ListState): number | undefined {
    const { toAsk, answers, inFlight, heldMs = 0 } = state;
    this.update(now, inFlight);
    this.pace.note(now, state);
    if (this.recent.length === 0 || answers === 0 || answers >= toAsk) return undefined;
    const ages = this.sentTimes.map((time) => now - time);
    const latency = latencyOf(this.recent, ages);
    const unsent = Math.max(0, toAsk - answers - inFlight);
    if (unsent === 0) return lastAnswerIn({ ages, unsent, firstMs: 0, sendingMs: 0 }, latency);
    const sendingMs = (unsent * SECOND_MS) / this.pace.perSecond(now, state, latency.meanMs);
    return lastAnswerIn({ ages, unsent, firstMs: heldMs, sendingMs }, latency);
  }

  /** Requests since the last call are taken to be spread evenly. A refusal comes at once: it was one of the newest. */
  private update(now: number, inFlight: number): void {
    const { sentTimes, readAt } = this;
    const sent = inFlight - sentTimes.length;
    for (let i = 1; i <= sent; i++) sentTimes.push(readAt + ((now - readAt) * i) / sent);
    sentTimes.length = inFlight;
    this.readAt = now;
    this.recent = this.recent.slice(-Math.max(MIN_ANSWERS, inFlight));
  }
}

/** Wallets without an answer. */
interface OpenWallets {
  /** The ages of the requests under way, milliseconds. */
  readonly ages: readonly number[];
  /** Wallets still to be sent, evenly over `sendingMs`, which begins in `firstMs`. */
  readonly unsent: number;
  readonly firstMs: number;
  readonly sendingMs: number;
}

/** In how many milliseconds the last answer is expected. */
function lastAnswerIn(wallets: OpenWallets, latency: Latency): number {
  let from = wallets.firstMs + wallets.sendingMs;
  let to = from + latency.longestMs;
  while (to - from > PRECISION_MS) {
    const middle = (from + to) / 2;
    if (expectedOpen(middle, wallets, latency) > LAST_OPEN) from = middle;
    else to = middle;
  }
  return from;
}

/** How many wallets are expected to be open in `ms`, once all of them are sent. */
function expectedOpen(ms: number, { ages, unsent, firstMs, sendingMs }: OpenWallets, { openShare }: Latency): number {
  const groups = Math.min(MAX_GROUPS, unsent);
  let open = 0;
  for (const age of ages) open += openShare(age + ms) / openShare(age) || 0;
  for (let i = 0; i < groups; i++) {
    open += (unsent / groups) * openShare(ms - firstMs - (sendingMs * (i + 0.5)) / groups);
  }
  return open;
}

/** How fast wallets are sent. */
class Pace {
  /** `begun`: wallets settled or under way. */
  private samples: { readonly at: number; readonly begun: number }[] = [];
  private firstAnswerAt: number | undefined;

  note(now: number, state: ListState): void {
    if (state.answers > 0) this.firstAnswerAt ??= now;
    if (now - (this.samples.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < SAMPLE_MS) return;
    this.samples.push({ at: now, begun: begunOf(state) });
    if (this.samples.length <= MAX_SAMPLES) return;
    this.samples = this.samples.filter((_, i) => i >= MAX_SAMPLES / 2 || i % 2 === 0);
  }

  /** Wallets a second that are sent and not refused, when an answer takes `meanMs` on average. */
  perSecond(now: number, state: ListState, meanMs: number): number {
    const { rate, limit = rate } = state;
    const { maxRate = Number.POSITIVE_INFINITY, concurrency = Number.POSITIVE_INFINITY } = state;
    const runMs = now - (this.firstAnswerAt ?? now);
    const from = now - Math.min(runMs, Math.max(MIN_MEASURED_MS, runMs * MEASURED_SHARE));
    const first = this.samples.find(({ at }) => at >= from) ?? { at: now, begun: begunOf(state) };
    // After a refusal the pacer gets faster again, up to what the key and the user allow.
    const usual = (rate + Math.min(limit, Math.max(rate, maxRate))) / 2;
    const allowed = Math.min(limit, usual, (concurrency * SECOND_MS) / meanMs);
    // A refused request no longer counts as begun.
    const sent = Math.max(0, begunOf(state) - first.begun) + (allowed * ALLOWED_WEIGHT_MS) / SECOND_MS;
    const measured = (sent * SECOND_MS) / (now - first.at + ALLOWED_WEIGHT_MS);
    return runMs < BURST_MS ? Math.min(limit, measured) : measured;
  }
}

const begunOf = ({ answers, inFlight }: ListState) => answers + inFlight;

/**
 * The Kaplan-Meier estimate: each answer reduces the share of open requests by one of those that were open for as long. So
 * requests still open (for `ages`) count too; without them the estimate would be of the quick answers only. One more request,
 * never answered, represents those slower than any so far: the curve continues at its average slope.
 */
function latencyOf(recent: readonly number[], ages: readonly number[]): Latency {
  const times = Float64Array.from(recent).sort();
  const open = Float64Array.from(ages).sort();
  const quickest = times[0] ?? 0;
  const slowest = times.at(-1) ?? 0;
  const stepMs = slowest / STEPS || 1;
  const shares = [1];
  let share = 1;
  let older = 0;
  for (const [i, time] of times.entries()) {
    while (shares.length * stepMs < time && shares.length < STEPS) shares.push(share);
    while ((open[older] ?? Number.POSITIVE_INFINITY) < time) older++;
    share *= 1 - 1 / (times.length - i + open.length - older + 1);
  }
  shares.push(share);
  const restMs = (share * (slowest - quickest)) / (1 - share);
  return {
    openShare(ms) {
      if (ms >= slowest) return restMs > 0 ? Math.max(0, share * (1 - (ms - slowest) / restMs)) : 0;
      const step = Math.max(0, ms) / stepMs;
      const before = shares[Math.floor(step)] ?? 0;
      return before + ((shares[Math.floor(step) + 1] ?? share) - before) * (step % 1);
    },
    longestMs: slowest + restMs,
    meanMs: shares.reduce((sum, value) => sum + value * stepMs, (share * restMs) / 2),
  };
}

/**
 * How long a list will take yet, from what is seen of it: a pure estimator, to which time is an argument. What is left is the
 * time until the last wallet is sent, and the time that the last answer takes from there. The pace is that of sending, since
 * answers are seconds late; it is measured from the first answer on, since before it the key's limit is a guess, and it is no
 * faster than that limit, since a burst does not last. test/simulate/time-left.test.ts holds it against simulated runs.
 */

export interface ListState {
  /** Wallets to be asked in this run, as counted before it; those that a journal answers are not among them. */
  readonly toAsk: number;
  /** Wallets of these that are settled. */
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
  /** For how many milliseconds every request is held back. */
  readonly heldMs?: number | undefined;
}

export interface TimeLeft {
  /** An answer has come at `now`, `ms` after its request. */
  answered(ms: number, now: number): void;
  /**
   * Milliseconds left at `now`, on a monotonic clock; undefined while nobody can tell, and when nothing is left. To be called
   * several times a second.
   */
  at(now: number, state: ListState): number | undefined;
}

/** Of how things stood. */
interface Sample {
  readonly at: number;
  readonly answers: number;
  /** Wallets settled or under way. */
  readonly begun: number;
}

const SECOND_MS = 1_000;
/**
 * The pace is measured over this share of the run, and over ten seconds at least: refusals, bursts and the pauses after them are a
 * part of it.
 */
const MEASURED_SHARE = 2 / 3;
const MIN_MEASURED_MS = 10_000;
/** What the pacer allows counts for as much as so long a measurement: a short one says little. */
const ALLOWED_WEIGHT_MS = 3_000;
/** Samples are so far apart at least; when there are too many, the older half is thinned. */
const SAMPLE_MS = 200;
const PRECISION_MS = 50;
const MAX_SAMPLES = 1_000;
/** How many answers are remembered. */
const MAX_ANSWERS = 1_000;
/** The last answer has come, as likely as not, when so many are expected to be open: e to the power of this, negated, is a half. */
const LAST_OPEN = Math.LN2;
/** Before a run has taken so many times as long as a slow answer, those that have come were the quick ones. */
const EARLY_SHARE = 2;
/** The slowest answer takes so many times as long as what has come first, when everything was sent at once. */
const SLOWEST_SHARE = 5 / 3;

export function createTimeLeft(): TimeLeft {
  const recent: { readonly sentAt: number; readonly ms: number }[] = [];
  let answered = 0;
  let samples: Sample[] = [];
  let firstAnswerAt: number | undefined;
  let newest: Sample = { at: 0, answers: 0, begun: 0 };
  /** When a wallet was last sent, as far as can be seen. */
  let lastSentAt = 0;
  /** What all requests together have spent under way, milliseconds. */
  let spentMs = 0;

  function note(now: number, { answers, inFlight }: ListState): void {
    const begun = answers + inFlight;
    if (samples.length > 0) spentMs += inFlight * (now - newest.at);
    if (begun > newest.begun) lastSentAt = now;
    newest = { at: now, answers, begun };
    if (answers > 0) firstAnswerAt ??= now;
    if (now - (samples.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < SAMPLE_MS) return;
    samples.push(newest);
    if (samples.length > MAX_SAMPLES) samples = samples.filter((_, i) => i >= MAX_SAMPLES / 2 || i % 2 === 0);
  }

  /** Wallets a second that are sent and not refused. */
  function pace(state: ListState): number {
    const { rate, limit = rate } = state;
    const { maxRate = Number.POSITIVE_INFINITY, concurrency = Number.POSITIVE_INFINITY } = state;
    const { at: now, answers, begun } = newest;
    const runMs = now - (firstAnswerAt ?? now);
    const from = now - Math.min(runMs, Math.max(MIN_MEASURED_MS, runMs * MEASURED_SHARE));
    const first = samples.find(({ at }) => at >= from) ?? newest;
    // A pacer that has just been refused gets faster again, up to what its key and its user allow.
    const usual = (rate + Math.min(limit, Math.max(rate, maxRate))) / 2;
    const allowed = Math.min(limit, usual, (concurrency * answers * SECOND_MS) / spentMs);
    const sent = begun - first.begun + (allowed * ALLOWED_WEIGHT_MS) / SECOND_MS;
    return Math.min(state.limit ?? Number.POSITIVE_INFINITY, (sent * SECOND_MS) / (now - first.at + ALLOWED_WEIGHT_MS));
  }

  /** How long a slow answer takes among as many as are under way: the slowest of them is waited for. */
  function slowMs(inFlight: number): number {
    const sorted = recent.map(({ ms }) => ms).sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor((inFlight / (inFlight + 1)) * sorted.length))] ?? 0;
  }

  /** The share of the requests sent at least `ms` ago that still have no answer: theirs takes longer than any that has come. */
  function openShare(ms: number): number {
    const until = newest.at - ms;
    const sent = samples.findLast(({ at }) => at <= until)?.begun ?? 0;
    if (sent === 0 || answered > MAX_ANSWERS) return 0;
    const isOld = recent.filter(({ sentAt }) => sentAt <= until).length;
    return Math.min(1, Math.max(0, 1 - isOld / sent));
  }

  /**
   * How long the last of `open` answers takes from now on, which were asked for at an even pace until `passedMs` ago. Of answers that
   * take as long as those that have come, `excess` of a time is how much longer they take than that, on average.
   */
  function lastAnswerMs(open: number, passedMs: number, slower: number): number {
    const excess = (ms: number) =>
      recent.reduce((sum, answer) => sum + Math.max(0, answer.ms * slower - ms), 0) / recent.length;
    const now = excess(passedMs);
    if (now === 0) return 0;
    let [from, to] = [0, recent.reduce((most, { ms }) => Math.max(most, ms * slower), 0)];
    while (to - from > PRECISION_MS) {
      const middle = (from + to) / 2;
      if ((open * excess(passedMs + middle)) / now > LAST_OPEN) from = middle;
      else to = middle;
    }
    return from;
  }

  /** How long `open` answers take at the pace at which they come: those that have come may have been the quick ones. */
  function untilAllCome(open: number, slowMs: number): number {
    const from = Math.max(firstAnswerAt ?? newest.at, newest.at - Math.max(SECOND_MS, slowMs / 2));
    const before = samples.find(({ at }) => at >= from) ?? newest;
    const measuredMs = newest.at - before.at;
    const perMs = measuredMs >= SECOND_MS / 2 ? (newest.answers - before.answers) / measuredMs : 0;
    return perMs > 0 ? Math.max(0, Math.min(open / perMs, SLOWEST_SHARE * slowMs - newest.at + lastSentAt)) : 0;
  }

  const meanMs = () => recent.reduce((sum, { ms }) => sum + ms, 0) / recent.length;

  return {
    answered(ms, now) {
      recent[answered++ % MAX_ANSWERS] = { sentAt: now - ms, ms };
    },
    at(now, state) {
      note(now, state);
      const { toAsk, answers, inFlight, heldMs = 0 } = state;
      if (answered === 0 || answers === 0 || answers >= toAsk) return undefined;
      const slow = slowMs(inFlight);
      const slower = 1 + openShare(slow);
      const unsent = toAsk - newest.begun;
      if (unsent <= 0) {
        return Math.max(lastAnswerMs(inFlight, newest.at - lastSentAt, slower), untilAllCome(inFlight, slow));
      }
      const perMs = pace(state) / SECOND_MS;
      const open = Math.min(unsent + inFlight, perMs * meanMs() * slower);
      const isEarly = now - (samples[0]?.at ?? now) < EARLY_SHARE * slow;
      const last = isEarly ? slow * slower : lastAnswerMs(open, 0, slower);
      return heldMs + unsent / perMs + last;
    },
  };
}

/** When things happened, over the last while: what the pacer knows for certain, since it did them itself. */

export interface SendLog {
  /** Notes one more at `time`, milliseconds; a time before the last one counts as the last one. */
  push(time: number): void;
  /** How many there were after `from` and up to and including `to`. */
  count(from: number, to: number): number;
  /** The time of the `n`-th from the end, counting from 1; -Infinity when there were not that many. */
  last(n: number): number;
}

/** Entries are dropped in bulk, so that each costs the same however many there are. */
const SWEEP_EVERY = 4_096;

/** Opens a log that answers for the last `keepMs` milliseconds. */
export function createSendLog(keepMs: number): SendLog {
  let times: number[] = [];

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

  let sweep = SWEEP_EVERY;
  return {
    push(time) {
      const at = Math.max(time, times.at(-1) ?? time);
      times.push(at);
      if (times.length < sweep) return;
      times = times.slice(upTo(at - keepMs));
      sweep = times.length + SWEEP_EVERY;
    },
    count: (from, to) => Math.max(0, upTo(to) - upTo(from)),
    last: (n) => times.at(-n) ?? Number.NEGATIVE_INFINITY,
  };
}

/**
 * The population stability index, by which risk departments judge whether scores as a whole have shifted: the sum of
 * (now - before) * ln(now / before) over ten ranges with equally many rows in the earlier run.
 */
import { bisectRight } from 'd3-array';

const RANGES = 10;
/** The share of a range without rows, so that its logarithm is finite. */
const MIN_SHARE = 0.0001;

export interface Stability {
  readonly psi: number;
  /** Whether both sides have enough numbers for the index to mean something. */
  readonly isTelling: boolean;
}

const TELLING = 100;

/** Compares `now` with `before`; undefined if the earlier numbers are too few or too alike for two ranges. */
export function stabilityIndex(before: Float64Array, now: Float64Array): Stability | undefined {
  const sorted = before.filter((value) => !Number.isNaN(value)).sort();
  const limits = new Set<number>();
  for (let range = 1; range < RANGES; range++) {
    const limit = sorted[Math.floor((range * sorted.length) / RANGES)];
    if (limit !== undefined && limit > (sorted[0] ?? limit)) limits.add(limit);
  }
  if (limits.size === 0) return undefined;
  const edges = [...limits];
  const [earlier, later] = [sharesIn(sorted, edges), sharesIn(now, edges)];
  if (!later || !earlier) return undefined;
  const psi = earlier.reduce((sum, share, i) => sum + ((later[i] ?? 0) - share) * Math.log((later[i] ?? 0) / share), 0);
  const rows = now.reduce((sum, value) => (Number.isNaN(value) ? sum : sum + 1), 0);
  return { psi, isTelling: Math.min(rows, sorted.length) >= TELLING };
}

/** Undefined if there are no numbers. */
function sharesIn(values: Float64Array, edges: readonly number[]): readonly number[] | undefined {
  const counts = new Array<number>(edges.length + 1).fill(0);
  let rows = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    const range = bisectRight(edges, value);
    counts[range] = (counts[range] ?? 0) + 1;
    rows += 1;
  }
  return rows === 0 ? undefined : counts.map((count) => Math.max(MIN_SHARE, count / rows));
}

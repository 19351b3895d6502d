/**
 * The numbers of a run as its charts show them: quantiles, and how many wallets are in each of a
 * few ranges.
 */
import type { Node } from '../../document/node.ts';
import { cellText } from '../../document/write.ts';
import { parseDecimal } from '../../row/decimal.ts';
import { roundNumbers } from '../../text/round-numbers.ts';
import { isInRange, type Measure, type Range } from './page-data.ts';

/** Larger numbers, and numbers closer to 0 than its inverse, cannot be drawn on an axis. */
const MAX_MAGNITUDE = 1e300;

/** The number in `node` as a double, for charts; NaN if it is not a number or cannot be drawn. */
export function numberOrNaN(node: Node | undefined): number {
  const value = parseDecimal(cellText(node))?.double ?? Number.NaN;
  const size = Math.abs(value);
  return size === 0 || (size <= MAX_MAGNITUDE && size >= 1 / MAX_MAGNITUDE) ? value : Number.NaN;
}

/** Quantiles by nearest rank: each is the value of a row, never interpolated. */
export interface Summary {
  /** Wallets with a number. */
  readonly count: number;
  readonly lowest: number;
  readonly quartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly highest: number;
}

/** Quantiles with their names, from lowest to highest. */
export const quantiles = ({ lowest, quartile, median, upperQuartile, highest }: Summary) =>
  [
    ['lowest', lowest],
    ['lower quartile', quartile],
    ['median', median],
    ['upper quartile', upperQuartile],
    ['highest', highest],
  ] as const;

export interface Bin extends Range {
  readonly count: number;
  /** How many of its wallets a rule matched. */
  readonly matched: number;
}

/** The distribution of one measure over all wallets. */
export interface Distribution {
  readonly measure: Measure;
  /** Undefined where no wallet has a number. */
  readonly summary: Summary | undefined;
  readonly bins: readonly Bin[];
  /** Values that are no number, or none that a chart can show, and the first of them. */
  readonly unread: number;
  readonly example: string | undefined;
}

/** @param matched the values of those wallets that a rule matched */
export function distributionOf(
  measure: Measure,
  values: readonly number[],
  matched: readonly number[],
): Pick<Distribution, 'measure' | 'summary' | 'bins'> {
  const sorted = Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort();
  if (sorted.length === 0) return { measure, summary: undefined, bins: [] };
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  const summary = {
    count: sorted.length,
    lowest: at(0),
    quartile: at(0.25),
    median: at(0.5),
    upperQuartile: at(0.75),
    highest: at(1),
  };
  const ranges =
    measure === 'score' ? scoreRanges(summary.lowest, summary.highest, barsFor(sorted.length)) : dollarRanges(sorted);
  const [counts, marked] = [countsIn(sorted, ranges), countsIn(matched, ranges)];
  const bins = ranges.map((range, i) => ({ ...range, count: counts[i] ?? 0, matched: marked[i] ?? 0 }));
  return { measure, summary, bins };
}

/** Approximate number of bars for a long list. */
const BARS = 24;
/** A short list has fewer bars, by the Rice rule: otherwise most would be empty. */
const barsFor = (rows: number) => Math.min(BARS, Math.max(5, Math.ceil(2 * Math.cbrt(rows))));

/** Equal ranges with round limits. */
function scoreRanges(lowest: number, highest: number, bars: number): readonly Range[] {
  const edges = roundNumbers(lowest, highest, bars);
  // The numbers may be equal, or too close to have round ones between them.
  return rangesBetween(edges.length < 2 ? [lowest, highest] : edges);
}

/** $1 to $1T: amounts differ by orders of magnitude. */
const POWERS = Array.from({ length: 13 }, (_, i) => 10 ** i);

/** A range for each power of ten, one for negative amounts and one for 0. */
function dollarRanges(sorted: Float64Array): readonly Range[] {
  const [lowest = 0, highest = 0] = [sorted[0], sorted.at(-1)];
  const least = sorted.find((value) => value > 0);
  return [
    ...(lowest < 0 ? [{ from: lowest, to: 0, isClosed: false }] : []),
    ...(sorted.includes(0) ? [{ from: 0, to: 0, isClosed: true }] : []),
    ...(least === undefined ? [] : rangesBetween(powersAround(least, highest))),
  ];
}

/** Amounts below the first power, or from the last one up, share one range. */
function powersAround(least: number, highest: number): readonly number[] {
  const first = POWERS.findLast((power) => power <= least) ?? least;
  const last = POWERS.find((power) => power > highest) ?? highest;
  return [first, ...POWERS.filter((power) => power > first && power < last), last];
}

const rangesBetween = (edges: readonly number[]): readonly Range[] =>
  edges.slice(1).map((to, i) => ({ from: edges[i] ?? to, to, isClosed: i === edges.length - 2 }));

function countsIn(values: Iterable<number>, ranges: readonly Range[]): readonly number[] {
  const counts = ranges.map(() => 0);
  for (const value of values) {
    const range = ranges.findIndex((one) => isInRange(value, one));
    if (range >= 0) counts[range] = (counts[range] ?? 0) + 1;
  }
  return counts;
}

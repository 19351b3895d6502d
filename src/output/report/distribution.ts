/** The numbers of a run as its charts show them: quantiles, and how many rows are in each of a few ranges. */
import { scaleLinear } from 'd3-scale';
import type { Node } from '../../document/node.ts';
import { cellText } from '../../document/write.ts';
import { parseDecimal } from '../../row/decimal.ts';
import { isInRange, type Measure, type Range } from './page-data.ts';

/** A number of each row, NaN where it has none that a chart can show: 16 MB for a million rows, and the quantiles are exact. */
export type Measured = Readonly<Record<Measure, readonly number[]>>;

/** Larger numbers, and numbers closer to 0 than its inverse, cannot be drawn on an axis. */
const MAX_MAGNITUDE = 1e300;

/** The number in `node` as a double, for charts; NaN if it is not a number or cannot be drawn. */
export function numberIn(node: Node | undefined): number {
  const value = parseDecimal(cellText(node))?.double ?? Number.NaN;
  const size = Math.abs(value);
  return size === 0 || (size <= MAX_MAGNITUDE && size >= 1 / MAX_MAGNITUDE) ? value : Number.NaN;
}

/** Quantiles by nearest rank: each is the value of a row, never interpolated. */
export interface Summary {
  /** Rows with a number. */
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
  /** Rows of it that a rule matched. */
  readonly matched: number;
}

/** The distribution of one measure over all rows. */
export interface Distribution {
  readonly measure: Measure;
  readonly summary: Summary;
  readonly bins: readonly Bin[];
}

/**
 * The distribution of `values`; undefined if no row has a number.
 * @param matched those of them whose rows a rule matched
 */
export function distributionOf(
  measure: Measure,
  values: readonly number[],
  matched: readonly number[],
): Distribution | undefined {
  const sorted = Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort();
  if (sorted.length === 0) return undefined;
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  const summary = {
    count: sorted.length,
    lowest: at(0),
    quartile: at(0.25),
    median: at(0.5),
    upperQuartile: at(0.75),
    highest: at(1),
  };
  const ranges = measure === 'score' ? linearRanges(summary) : logarithmicRanges(sorted);
  const [counts, marked] = [countsIn(sorted, ranges), countsIn(matched, ranges)];
  const bins = ranges.map((range, i) => ({ ...range, count: counts[i] ?? 0, matched: marked[i] ?? 0 }));
  return { measure, summary, bins };
}

/** Approximate number of bars for a long list. */
const BARS = 24;
/** A short list has fewer bars, by the Rice rule: otherwise most would be empty. */
const barsFor = (rows: number) => Math.min(BARS, Math.max(5, Math.ceil(2 * Math.cbrt(rows))));

/** Equal ranges with round limits. */
function linearRanges({ lowest, highest, count }: Summary): readonly Range[] {
  const bars = barsFor(count);
  const edges = scaleLinear([lowest, highest], [0, 1]).nice(bars).ticks(bars);
  const isWhole = edges.length > 1 && (edges[0] ?? lowest) <= lowest && (edges.at(-1) ?? highest) >= highest;
  // The numbers may be equal, or too close to have round ones between them.
  if (!isWhole) return [{ from: lowest, to: highest, isClosed: true }];
  return rangesBetween(edges).map((range, i, all) => ({ ...range, isClosed: i === all.length - 1 }));
}

const rangesBetween = (edges: readonly number[]): readonly Range[] =>
  edges.slice(1).map((to, i) => ({ from: edges[i] ?? to, to, isClosed: false }));

/** Half a power of ten each, or more if there would be too many; 0 and negative values have a range of their own. */
function logarithmicRanges(sorted: Float64Array): readonly Range[] {
  const [lowest = 0, highest = 0] = [sorted[0], sorted.at(-1)];
  const least = sorted.find((value) => value > 0);
  return [
    ...(lowest < 0 ? [{ from: lowest, to: 0, isClosed: false }] : []),
    ...(sorted.includes(0) ? [{ from: 0, to: 0, isClosed: true }] : []),
    ...(least === undefined ? [] : rangesBetween(powers(least, highest))),
  ];
}

/** A half power of ten, rounded to the three digits that are shown. */
const halfPower = (half: number) => Number((10 ** (half / 2)).toPrecision(3));

/** Powers from `lowest` or below to above `highest`. */
function powers(lowest: number, highest: number): readonly number[] {
  let first = Math.floor(2 * Math.log10(lowest));
  // The logarithm may have been rounded up.
  if (halfPower(first) > lowest) first -= 1;
  const halves = 2 * Math.log10(highest) - first;
  const step = halves <= BARS ? 1 : 2 * Math.ceil(halves / (2 * BARS));
  if (step > 1) first = 2 * Math.floor(first / 2);
  const edges = [halfPower(first)];
  for (let half = first + step; (edges.at(-1) ?? 0) <= highest; half += step) edges.push(halfPower(half));
  return edges;
}

const rangeOf = (value: number, ranges: readonly Range[]) => ranges.findIndex((range) => isInRange(value, range));

function countsIn(values: Iterable<number>, ranges: readonly Range[]): readonly number[] {
  const counts = ranges.map(() => 0);
  for (const value of values) {
    const range = rangeOf(value, ranges);
    if (range >= 0) counts[range] = (counts[range] ?? 0) + 1;
  }
  return counts;
}

/** Rows with a score in one range and a collateral in another, by the indexes of these. */
export interface Cell {
  readonly score: number;
  readonly collateral: number;
  readonly count: number;
}

/** The pairs of a score range and a collateral range that have rows. */
export function cellsOf(
  { score, collateral }: Measured,
  scores: readonly Range[],
  collaterals: readonly Range[],
): readonly Cell[] {
  const counts = new Map<number, number>();
  for (const [i, value] of score.entries()) {
    const [across, up] = [rangeOf(value, scores), rangeOf(collateral[i] ?? Number.NaN, collaterals)];
    const cell = up * scores.length + across;
    if (across >= 0 && up >= 0) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  return [...counts].map(([cell, count]) => ({
    score: cell % scores.length,
    collateral: Math.floor(cell / scores.length),
    count,
  }));
}

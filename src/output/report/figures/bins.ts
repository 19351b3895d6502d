/** Distributions: the ranges into which a measure is divided, and the number of rows in each. */
import { bisectRight, nice, ticks } from 'd3-array';
import type { Range } from '../page-data.ts';
import type { Measured } from './measures.ts';

export interface Bin extends Range {
  readonly count: number;
}

/** Approximate number of bars for a long list. */
const BINS = 24;
/** A short list has fewer bars, by the Rice rule: otherwise most would be empty. */
const barsFor = (rows: number) => Math.min(BINS, Math.max(5, Math.ceil(2 * Math.cbrt(rows))));

/** Equal ranges with round limits, in order, that cover `values`; empty if there are no numbers. */
export function linearBins(values: Float64Array): readonly Bin[] {
  return count(values, linearRanges(extent(values), barsFor(values.length)));
}

function linearRanges([lowest, highest]: readonly [number, number], bars: number): readonly Range[] {
  if (lowest > highest) return [];
  if (lowest === highest) return [{ from: lowest, to: lowest, isClosed: true }];
  const [start, stop] = nice(lowest, highest, bars);
  const edges = ticks(start, stop, bars);
  // The numbers may be too close to have round ones between them.
  const isWhole = edges.length > 1 && (edges[0] ?? lowest) <= lowest && (edges.at(-1) ?? highest) >= highest;
  if (!isWhole) return [{ from: lowest, to: highest, isClosed: true }];
  return closedAtEnd(edges.slice(1).map((to, i) => ({ from: edges[i] ?? to, to, isClosed: false })));
}

/** Half a power of ten each, or whole powers if there would be too many; 0 and negative values have separate bars. */
export function logarithmicBins(values: Float64Array): readonly Bin[] {
  return count(values, logarithmicRanges(values));
}

function logarithmicRanges(values: Float64Array): readonly Range[] {
  const has = (holds: (value: number) => boolean) => values.some(holds);
  const isPositive = (value: number) => value > 0;
  const ranges: Range[] = [];
  if (has((value) => value < 0)) ranges.push({ from: extent(values)[0], to: 0, isClosed: false });
  if (has((value) => value === 0)) ranges.push({ from: 0, to: 0, isClosed: true });
  const [lowest, highest] = extent(values.filter(isPositive));
  if (lowest <= highest) ranges.push(...powers(lowest, highest));
  return ranges;
}

/** A half power of ten, rounded to the three digits that are shown. */
const halfPower = (half: number) => Number((10 ** (half / 2)).toPrecision(3));

function powers(lowest: number, highest: number): readonly Range[] {
  let [first, last] = [Math.floor(Math.log10(lowest)), Math.floor(Math.log10(highest)) + 1];
  // The logarithm may have been rounded up.
  if (halfPower(2 * first) > lowest) first -= 1;
  if (halfPower(2 * last) <= highest) last += 1;
  const powersInAll = last - first;
  const step = 2 * powersInAll <= BINS ? 1 : 2 * Math.ceil(powersInAll / BINS);
  const ranges: Range[] = [];
  for (let half = 2 * first; half < 2 * last; half += step) {
    ranges.push({ from: halfPower(half), to: halfPower(half + step), isClosed: false });
  }
  // Drop empty ranges at either end.
  const used = ranges.filter(({ from, to }) => to > lowest && from <= highest);
  return used.length > 0 ? used : ranges;
}

const closedAtEnd = (ranges: readonly Range[]): readonly Range[] =>
  ranges.map((range, i) => (i === ranges.length - 1 ? { ...range, isClosed: true } : range));

/** The lowest and the highest number; `[Infinity, -Infinity]` if there is none. */
function extent(values: Float64Array): readonly [number, number] {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  return [lowest, highest];
}

function count(values: Float64Array, ranges: readonly Range[]): readonly Bin[] {
  const counts = countsIn(values, ranges);
  return ranges.map((range, i) => ({ ...range, count: counts[i] ?? 0 }));
}

/** How many of `values` are in each of `ranges`. */
export function countsIn(values: Float64Array, ranges: readonly Range[]): readonly number[] {
  const binOf = binFinder(ranges);
  const counts = ranges.map(() => 0);
  for (const value of values) {
    const bin = binOf(value);
    if (bin >= 0) counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** Finds the index of the range that contains a value, or -1. `ranges` are in ascending order. */
function binFinder(ranges: readonly Range[]): (value: number) => number {
  // A range of a single value, such as 0, comes before the one that starts there.
  const starts = ranges.map(({ from }) => from);
  return (value) => {
    if (Number.isNaN(value)) return -1;
    for (let bin = bisectRight(starts, value) - 1; bin >= 0 && bin < ranges.length; bin--) {
      const { from, to, isClosed } = ranges[bin] ?? { from: 0, to: 0, isClosed: false };
      if (value < to || (isClosed && value === to)) return bin;
      if (from < value) return -1;
    }
    return -1;
  };
}

export interface BinCell {
  readonly score: number;
  readonly collateral: number;
  readonly count: number;
}

/** The number of rows for each pair of a score range and a collateral range; pairs without rows are left out. */
export function crossBins(
  { score, collateral }: Measured,
  scores: readonly Range[],
  collaterals: readonly Range[],
): readonly BinCell[] {
  const [scoreOf, collateralOf] = [binFinder(scores), binFinder(collaterals)];
  const counts = new Uint32Array(scores.length * collaterals.length);
  for (let i = 0; i < score.length; i++) {
    const [x, y] = [scoreOf(score[i] ?? Number.NaN), collateralOf(collateral[i] ?? Number.NaN)];
    const bin = y * scores.length + x;
    if (x >= 0 && y >= 0) counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return [...counts.keys()]
    .map((bin) => ({
      score: bin % scores.length,
      collateral: Math.floor(bin / scores.length),
      count: counts[bin] ?? 0,
    }))
    .filter(({ count }) => count > 0);
}

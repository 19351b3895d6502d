/** Distributions: which ranges a measure is divided into, and how many rows are in each. */
import { bisectRight, nice, ticks } from 'd3-array';
import type { Range } from '../page-data.ts';
import type { Measured } from './measures.ts';

export interface Bin extends Range {
  readonly count: number;
  /** Of an earlier run, where there is one. */
  readonly before?: number;
}

/** About so many bars tell the shape of a long list without noise. */
const BINS = 24;
/** A short list has fewer, by the rule of Rice: most bars would be empty. */
const barsFor = (rows: number) => Math.min(BINS, Math.max(5, Math.ceil(2 * Math.cbrt(rows))));

/** Equal ranges with round limits, in order; none when there is no number. They have room for `before` as well. */
export function linearBins(values: Float64Array, before?: Float64Array): readonly Bin[] {
  const bars = barsFor(Math.max(values.length, before?.length ?? 0));
  return count(values, linearRanges(extent(values, before), bars), before);
}

function linearRanges([lowest, highest]: readonly [number, number], bars: number): readonly Range[] {
  if (lowest > highest) return [];
  if (lowest === highest) return [{ from: lowest, to: lowest, isClosed: true }];
  const [start, stop] = nice(lowest, highest, bars);
  const edges = ticks(start, stop, bars);
  // Numbers so close that no round ones are between them.
  const isWhole = edges.length > 1 && (edges[0] ?? lowest) <= lowest && (edges.at(-1) ?? highest) >= highest;
  if (!isWhole) return [{ from: lowest, to: highest, isClosed: true }];
  return closedAtEnd(edges.slice(1).map((to, i) => ({ from: edges[i] ?? to, to, isClosed: false })));
}

/** Half a power of ten each, or whole ones where these would be too many; what is 0 or below has a bar of its own. */
export function logarithmicBins(values: Float64Array, before?: Float64Array): readonly Bin[] {
  return count(values, logarithmicRanges(values, before), before);
}

function logarithmicRanges(values: Float64Array, before: Float64Array = new Float64Array()): readonly Range[] {
  const has = (holds: (value: number) => boolean) => values.some(holds) || before.some(holds);
  const isPositive = (value: number) => value > 0;
  const ranges: Range[] = [];
  if (has((value) => value < 0)) ranges.push({ from: extent(values, before)[0], to: 0, isClosed: false });
  if (has((value) => value === 0)) ranges.push({ from: 0, to: 0, isClosed: true });
  const [lowest, highest] = extent(values.filter(isPositive), before.filter(isPositive));
  if (lowest <= highest) ranges.push(...powers(lowest, highest));
  return ranges;
}

/** Half powers of ten are shown and compared with three digits. */
const halfPower = (half: number) => Number((10 ** (half / 2)).toPrecision(3));

function powers(lowest: number, highest: number): readonly Range[] {
  let [first, last] = [Math.floor(Math.log10(lowest)), Math.floor(Math.log10(highest)) + 1];
  // A logarithm may be rounded up.
  if (halfPower(2 * first) > lowest) first -= 1;
  if (halfPower(2 * last) <= highest) last += 1;
  const powersInAll = last - first;
  const step = 2 * powersInAll <= BINS ? 1 : 2 * Math.ceil(powersInAll / BINS);
  const ranges: Range[] = [];
  for (let half = 2 * first; half < 2 * last; half += step) {
    ranges.push({ from: halfPower(half), to: halfPower(half + step), isClosed: false });
  }
  // Empty ones at either end say nothing.
  const used = ranges.filter(({ from, to }) => to > lowest && from <= highest);
  return used.length > 0 ? used : ranges;
}

const closedAtEnd = (ranges: readonly Range[]): readonly Range[] =>
  ranges.map((range, i) => (i === ranges.length - 1 ? { ...range, isClosed: true } : range));

/** The lowest and the highest number; the wrong way round when there is none. */
function extent(...lists: readonly (Float64Array | undefined)[]): readonly [number, number] {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const values of lists) {
    for (const value of values ?? []) {
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
  }
  return [lowest, highest];
}

function count(values: Float64Array, ranges: readonly Range[], before?: Float64Array): readonly Bin[] {
  const [counts, earlier] = [countsIn(values, ranges), before && countsIn(before, ranges)];
  return ranges.map((range, i) => ({
    ...range,
    count: counts[i] ?? 0,
    ...(earlier && { before: earlier[i] ?? 0 }),
  }));
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

/** The number of the range that a value is in; -1 for none. `ranges` follow each other. */
function binFinder(ranges: readonly Range[]): (value: number) => number {
  // A range that is one value, such as 0, comes before the one that begins there.
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

/** How many rows are in each pair of a score's and a collateral's range; pairs without rows are left out. */
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

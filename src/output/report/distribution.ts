/**
 * The numbers of a run as its charts show them: quantiles, and how many wallets are in each of a
 * few ranges.
 */
import type { Node } from '../../document/node.ts';
import { cellText } from '../../document/write.ts';
import { parseDecimal } from '../../row/decimal.ts';
import { roundNumbers } from '../../text/round-numbers.ts';
import { isInRange, type Measure, type Range } from './page-data.ts';

/** The number in `node` as a double, for charts; NaN if it is not a number or has no double. */
export function numberOrNaN(node: Node | undefined): number {
  const value = parseDecimal(cellText(node))?.double ?? Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

/** By nearest rank: each is the value of a row, never interpolated. */
const QUANTILES = { lowest: 0, 'lower quartile': 0.25, median: 0.5, 'upper quartile': 0.75, highest: 1 };
export const QUANTILE_NAMES = Object.keys(QUANTILES) as (keyof typeof QUANTILES)[];

export interface Bin extends Range {
  readonly count: number;
}

/** The distribution of one measure over all wallets. */
export interface Distribution {
  readonly measure: Measure;
  /** Wallets with a number. */
  readonly count: number;
  /** Undefined where no wallet has a number. */
  readonly quantiles: Readonly<Record<keyof typeof QUANTILES, number>> | undefined;
  readonly bins: readonly Bin[];
  /** Values that are no number, or none that a chart can show, and the first of them. */
  readonly unread: number;
  readonly example: string | undefined;
}

export function distributionOf(
  measure: Measure,
  values: readonly number[],
): Pick<Distribution, 'measure' | 'count' | 'quantiles' | 'bins'> {
  const sorted = Float64Array.from(values).sort();
  const count = sorted.length;
  if (count === 0) return { measure, count, quantiles: undefined, bins: [] };
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * count) - 1)] ?? Number.NaN;
  const quantiles = Object.fromEntries(Object.entries(QUANTILES).map(([name, share]) => [name, at(share)]));
  const ranges = measure === 'score' ? scoreRanges(at(0), at(1), barsFor(count)) : dollarRanges(sorted);
  return { measure, count, quantiles: quantiles as Distribution['quantiles'], bins: countIn(sorted, ranges) };
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

function countIn(values: Float64Array, ranges: readonly Range[]): readonly Bin[] {
  const bins = ranges.map((range) => ({ ...range, count: 0 }));
  for (const value of values) {
    const bin = bins.find((one) => isInRange(value, one));
    if (bin) bin.count += 1;
  }
  return bins;
}

/**
 * The numbers of a list for its charts: all scores and collaterals as doubles, 16 MB for a million rows, so quantiles are exact.
 */
import type { Node } from '../../../document/node.ts';
import { cellText } from '../../../document/write.ts';
import { parseDecimal } from '../../../row/decimal.ts';
import type { Measure } from '../page-data.ts';

export const MEASURES: readonly Measure[] = ['score', 'collateral'];

/** NaN if a row has no number, or one that a chart cannot show. */
export type Measured = Readonly<Record<Measure, Float64Array>>;

/** Larger numbers, and numbers closer to 0 than its inverse, cannot be drawn on an axis. */
const MAX_MAGNITUDE = 1e300;

/** The number in `node` as a double, for charts; NaN if it is not a number or cannot be drawn. */
export function numberIn(node: Node | undefined): number {
  const text = cellText(node);
  const value = parseDecimal(text)?.double ?? Number.NaN;
  const size = Math.abs(value);
  return size === 0 || (size <= MAX_MAGNITUDE && size >= 1 / MAX_MAGNITUDE) ? value : Number.NaN;
}

export interface Measures {
  add(score: number, collateral: number): void;
  /** All numbers added so far. */
  all(): Measured;
}

const FIRST_SIZE = 1_024;

export function createMeasures(): Measures {
  let size = 0;
  let columns = { score: new Float64Array(FIRST_SIZE), collateral: new Float64Array(FIRST_SIZE) };
  return {
    add(score, collateral) {
      if (size === columns.score.length) {
        columns = { score: doubled(columns.score), collateral: doubled(columns.collateral) };
      }
      columns.score[size] = score;
      columns.collateral[size] = collateral;
      size += 1;
    },
    all: () => ({ score: columns.score.subarray(0, size), collateral: columns.collateral.subarray(0, size) }),
  };
}

function doubled(values: Float64Array) {
  const larger = new Float64Array(2 * values.length);
  larger.set(values);
  return larger;
}

/** Quantiles of a distribution. Each is the value of a row, never interpolated. */
export interface Summary {
  /** Rows with a number. */
  readonly count: number;
  readonly lowest: number;
  readonly quartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly highest: number;
}

/** Quantiles by nearest rank; undefined if no row has a number. */
export function summarise(values: Float64Array): Summary | undefined {
  // NaN is sorted to the end.
  const sorted = values.slice().sort();
  const first = sorted.findIndex(Number.isNaN);
  const count = first < 0 ? sorted.length : first;
  if (count === 0) return undefined;
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * count) - 1)] ?? Number.NaN;
  return {
    count,
    lowest: at(0),
    quartile: at(0.25),
    median: at(0.5),
    upperQuartile: at(0.75),
    highest: at(1),
  };
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

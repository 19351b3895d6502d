/**
 * The numbers of a list for its charts: scores and collaterals side by side, eight bytes each, so that those of a million
 * rows are 16 MB and nothing about them has to be estimated.
 */
import type { Node } from '../../../document/node.ts';
import { cellText } from '../../../document/write.ts';
import { parseDecimal } from '../../../row/decimal.ts';
import type { Measure } from '../page-data.ts';

export const MEASURES: readonly Measure[] = ['score', 'collateral'];

/** NaN where a row has no number, or one that is beyond what a chart can show. */
export type Measured = Readonly<Record<Measure, Float64Array>>;

/** Numbers farther from 1 than this have no place on an axis. */
const MAX_MAGNITUDE = 1e300;

/** The number that `node` spells, for a picture: a double will do. NaN when it spells none that can be drawn. */
export function numberIn(node: Node | undefined): number {
  const text = cellText(node);
  const value = parseDecimal(text) ? Number(text) : Number.NaN;
  const size = Math.abs(value);
  return size === 0 || (size <= MAX_MAGNITUDE && size >= 1 / MAX_MAGNITUDE) ? value : Number.NaN;
}

export interface Measures {
  add(score: number, collateral: number): void;
  /** What has been added. */
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

/** What is told of a distribution: values that rows have, none of them between two. */
export interface Summary {
  /** Rows that have a number. */
  readonly count: number;
  readonly lowest: number;
  readonly quartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly highest: number;
}

/** Undefined when no row has a number. Quantiles are by the nearest rank. */
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

/** In words, from the lowest to the highest. */
export const quantiles = ({ lowest, quartile, median, upperQuartile, highest }: Summary) =>
  [
    ['lowest', lowest],
    ['lower quartile', quartile],
    ['median', median],
    ['upper quartile', upperQuartile],
    ['highest', highest],
  ] as const;

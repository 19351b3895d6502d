/** The axis of a measure: every range of its distribution has a slot of the same width. */
import { shortOf } from '../amounts.ts';
import { isInRange, type Measure, type Range } from '../page-data.ts';

const PIXELS_PER_TICK = 72;

/** Maps values of a measure to pixels. */
export interface Axis {
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  /** Where the slot of the range with this index begins, and where it ends. */
  readonly slot: (index: number) => readonly [start: number, end: number];
  readonly position: (value: number) => number;
}

/** @param pixels start and end of the axis */
export function axisOf(measure: Measure, ranges: readonly Range[], [start, end]: readonly [number, number]): Axis {
  const width = (end - start) / Math.max(1, ranges.length);
  const at = (index: number) => start + index * width;
  const marks = ranges.flatMap((range, i) => {
    if (isPoint(measure, range)) return [{ at: at(i + 0.5), text: shortOf(measure, range.to), isWhole: true }];
    const isLast = i === ranges.length - 1;
    return [
      { at: at(i), text: shortOf(measure, range.from), isWhole: isRound(measure, range.from) },
      ...(isLast ? [{ at: at(i + 1), text: shortOf(measure, range.to), isWhole: isRound(measure, range.to) }] : []),
    ];
  });
  const whole = marks.filter(({ isWhole }) => isWhole);
  const every = Math.ceil(whole.length / Math.max(2, Math.abs(end - start) / PIXELS_PER_TICK));
  return {
    ticks: whole.filter((_, i) => i % every === 0),
    slot: (index) => [at(index), at(index + 1)],
    position(value) {
      const index = ranges.findIndex((range) => isInRange(value, range));
      const range = ranges[index];
      return range ? at(index + (isPoint(measure, range) ? 0.5 : shareOf(measure, range, value))) : start;
    },
  };
}

/** Whether a slot has no inner scale: that of one value, and that of negative amounts. */
const isPoint = (measure: Measure, { from, to }: Range) => from === to || (measure === 'collateral' && from < 0);

/** Of amounts only whole powers of ten are named. */
const isRound = (measure: Measure, value: number) => measure === 'score' || Number.isInteger(Math.log10(value));

/** How far `value` is within `range`, from 0 to 1. */
const shareOf = (measure: Measure, { from, to }: Range, value: number): number =>
  measure === 'score' ? (value - from) / (to - from) : Math.log(value / from) / Math.log(to / from);

/** The axis of a measure: every range of its distribution has a slot of the same width. */
import { scaleLinear } from 'd3-scale';
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
export function axisOf(measure: Measure, ranges: readonly Range[], pixels: readonly [number, number]): Axis {
  const [start, end] = pixels;
  const width = (end - start) / Math.max(1, ranges.length);
  const at = (index: number) => start + index * width;
  function position(value: number): number {
    const index = ranges.findIndex((range) => isInRange(value, range));
    const range = ranges[index];
    return range ? at(index + shareOf(measure, range, value)) : end;
  }
  const most = Math.max(2, Math.floor(Math.abs(end - start) / PIXELS_PER_TICK));
  const values = measure === 'score' ? linearTicks(ranges, most) : powerTicks(ranges, most);
  return {
    ticks: values.map((value) => ({ at: position(value), text: shortOf(measure, value) })),
    slot: (index) => [at(index), at(index + 1)],
    position,
  };
}

/** How far `value` is within `range`, from 0 to 1; halfway in one that has no inner scale. */
function shareOf(measure: Measure, { from, to }: Range, value: number): number {
  if (from === to || (measure === 'collateral' && from < 0)) return 0.5;
  return measure === 'score' ? (value - from) / (to - from) : Math.log(value / from) / Math.log(to / from);
}

function linearTicks(ranges: readonly Range[], most: number): readonly number[] {
  const [first = 0, last = 0] = [ranges[0]?.from, ranges.at(-1)?.to];
  return first === last ? [first] : scaleLinear([first, last], [0, 1]).ticks(most);
}

/** 0, what is below it, and whole powers of ten. */
function powerTicks(ranges: readonly Range[], most: number): readonly number[] {
  const edges = [...ranges.map(({ from }) => from), ...ranges.slice(-1).map(({ to }) => to)];
  const whole = [...new Set(edges)].filter((edge) => edge <= 0 || Number.isInteger(Math.log10(edge)));
  const every = Math.ceil(whole.length / most);
  return whole.filter((_, i) => i % every === 0);
}

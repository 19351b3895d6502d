/** Axes of charts; scales and ticks come from d3. */
import { scaleLinear, scaleLog } from 'd3-scale';
import { shortOf } from '../../amounts.ts';
import type { Measure, Range } from '../../page-data.ts';

/** Pixels between the bars for 0 and below and the others. */
const GAP = 14;
const PIXELS_PER_TICK = 72;

export type Scale = (value: number) => number;

/** Maps values of a measure to pixels. */
export interface Axis {
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  readonly start: (range: Range) => number;
  readonly end: (range: Range) => number;
  readonly position: Scale;
}

/** @param pixels start and end of the axis */
type CreateAxis = (measure: Measure, bins: readonly Range[], pixels: readonly [number, number]) => Axis;

export const linearAxis: CreateAxis = (measure, bins, pixels) => {
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1];
  const isPoint = first === last;
  const domain = isPoint ? [first - 0.5, last + 0.5] : [first, last];
  const scale = scaleLinear(domain, pixels);
  const values = isPoint ? [first] : scale.ticks(countOfTicks(pixels));
  const half = isPoint ? Math.min(40, Math.abs(pixels[1] - pixels[0]) / 4) * Math.sign(pixels[1] - pixels[0]) : 0;
  return {
    ticks: values.map((value) => ({ at: scale(value), text: shortOf(measure, value) })),
    start: ({ from }) => scale(from) - half,
    end: ({ to }) => scale(to) + half,
    position: scale,
  };
};

const countOfTicks = ([a, b]: readonly [number, number]) => Math.max(2, Math.floor(Math.abs(b - a) / PIXELS_PER_TICK));

/** Powers of ten; ranges at 0 and below get slots of fixed width at the start. */
export const logarithmicAxis: CreateAxis = (measure, bins, [from, to]) => {
  const sign = Math.sign(to - from);
  const apart = bins.filter(({ from }) => from <= 0);
  const positive = bins.filter(({ from }) => from > 0);
  const width = positive.length === 0 ? 48 : Math.min(36, Math.abs(to - from) / (bins.length + 2));
  const start = from + sign * (apart.length === 0 ? 0 : apart.length * width + GAP);
  const domain = [positive[0]?.from ?? 1, positive.at(-1)?.to ?? 10];
  const scale = scaleLog(domain, [start, to]);
  const slotOf = (range: Range) => apart.findIndex((other) => other.from === range.from && other.to === range.to);
  const edge = (range: Range, shift: number, value: number) => {
    const slot = slotOf(range);
    return slot < 0 ? scale(value) : from + sign * width * (slot + shift);
  };
  const [lowest = 0, highest = 0] = domain.map(Math.log10);
  const step = Math.max(1, Math.ceil((highest - lowest) / countOfTicks([start, to])));
  const powers = Array.from({ length: Math.floor(highest) - Math.ceil(lowest) + 1 }, (_, i) => Math.ceil(lowest) + i);
  const ticks = positive.length === 0 ? [] : powers.filter((power) => power % step === 0);
  return {
    ticks: [
      ...apart.map((range, slot) => ({
        at: from + sign * width * (slot + 0.5),
        text: range.to === 0 && !range.isClosed ? '<0' : '0',
      })),
      ...ticks.map((power) => ({ at: scale(10 ** power), text: shortOf(measure, 10 ** power) })),
    ],
    start: (range) => edge(range, 0, range.from),
    end: (range) => edge(range, 1, range.to),
    position: (value) => {
      const range = bins.find(({ from, to, isClosed }) => value >= from && (value < to || (isClosed && value === to)));
      return range && range.from <= 0 ? (edge(range, 0, 0) + edge(range, 1, 0)) / 2 : scale(value);
    },
  };
};

export const AXES: Readonly<Record<Measure, CreateAxis>> = {
  score: linearAxis,
  collateral: logarithmicAxis,
};

export const TITLES: Readonly<Record<Measure, string>> = { score: 'score', collateral: 'collateral in dollars' };

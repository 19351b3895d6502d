/**
 * Charts as SVG that needs neither script nor style of its own: a strict Content-Security-Policy allows no inline style.
 * d3 decides scales and ticks. What is drawn is in the page's colours, and none of them judges a score.
 */
import { scaleLinear, scaleLog, scaleSqrt } from 'd3-scale';
import { counted } from '../../../text/words.ts';
import { rangeText, short, shortOf } from '../amounts.ts';
import type { Bin, Cell } from '../figures/bins.ts';
import type { Measured, Summary } from '../figures/measures.ts';
import type { Measure, Range } from '../page-data.ts';
import { type Element, h, type Markup } from './markup.ts';

/** In pixels of the drawing; text has the page's size. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const MARGIN = { top: 22, right: 12, bottom: 44, left: 52 };
/** Between the bar of what is 0 or below and the others. */
const GAP = 14;
const PIXELS_PER_TICK = 72;

type Place = (value: number) => number;

/** Where the values of a measure stand on an axis. */
interface Axis {
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  readonly start: (range: Range) => number;
  readonly end: (range: Range) => number;
  readonly place: Place;
}

interface AxisOptions {
  readonly measure: Measure;
  readonly bins: readonly Range[];
  /** First and last pixel. */
  readonly pixels: readonly [number, number];
}

function linearAxis({ measure, bins, pixels }: AxisOptions): Axis {
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
    place: scale,
  };
}

const countOfTicks = ([a, b]: readonly [number, number]) => Math.max(2, Math.floor(Math.abs(b - a) / PIXELS_PER_TICK));

/** Powers of ten; what is 0 or below has places of one width in front. */
function logarithmicAxis({ measure, bins, pixels: [from, to] }: AxisOptions): Axis {
  const sign = Math.sign(to - from);
  const apart = bins.filter(({ from }) => from <= 0);
  const positive = bins.filter(({ from }) => from > 0);
  const width = positive.length === 0 ? 48 : Math.min(36, Math.abs(to - from) / (bins.length + 2));
  const start = from + sign * (apart.length === 0 ? 0 : apart.length * width + GAP);
  const domain = [positive[0]?.from ?? 1, positive.at(-1)?.to ?? 10];
  const scale = scaleLog(domain, [start, to]);
  const placeOf = (range: Range) => apart.findIndex((other) => other.from === range.from && other.to === range.to);
  const edge = (range: Range, shift: number, value: number) => {
    const place = placeOf(range);
    return place < 0 ? scale(value) : from + sign * width * (place + shift);
  };
  const [lowest = 0, highest = 0] = domain.map(Math.log10);
  const step = Math.max(1, Math.ceil((highest - lowest) / countOfTicks([start, to])));
  const powers = Array.from({ length: Math.floor(highest) - Math.ceil(lowest) + 1 }, (_, i) => Math.ceil(lowest) + i);
  const ticks = positive.length === 0 ? [] : powers.filter((power) => power % step === 0);
  return {
    ticks: [
      ...apart.map((range, place) => ({
        at: from + sign * width * (place + 0.5),
        text: range.to === 0 && !range.isClosed ? '<0' : '0',
      })),
      ...ticks.map((power) => ({ at: scale(10 ** power), text: shortOf(measure, 10 ** power) })),
    ],
    start: (range) => edge(range, 0, range.from),
    end: (range) => edge(range, 1, range.to),
    place: (value) => {
      const range = bins.find(({ from, to, isClosed }) => value >= from && (value < to || (isClosed && value === to)));
      return range && range.from <= 0 ? (edge(range, 0, 0) + edge(range, 1, 0)) / 2 : scale(value);
    },
  };
}

const AXES: Readonly<Record<Measure, (options: AxisOptions) => Axis>> = {
  score: linearAxis,
  collateral: logarithmicAxis,
};

const TITLES: Readonly<Record<Measure, string>> = { score: 'score', collateral: 'collateral in dollars' };

interface Drawing {
  readonly size: Size;
  readonly label: string;
}

export interface HistogramOptions extends Drawing {
  readonly measure: Measure;
  readonly bins: readonly Bin[];
  readonly summary: Summary;
  /** The filters that the bars stand for. */
  readonly filters: readonly number[];
}

export function histogram({ size, label, measure, bins, summary, filters }: HistogramOptions): Element {
  const inner = innerOf(size);
  const x = AXES[measure]({ measure, bins, pixels: [inner.left, inner.right] });
  const highest = Math.max(1, ...bins.map(({ count, before = 0 }) => Math.max(count, before)));
  const y = scaleLinear([0, highest], [inner.bottom, inner.top]).nice(4);
  const bars = bins.map((bin, i) => {
    const [left, right] = [x.start(bin), x.end(bin)];
    const width = Math.max(1, right - left - 1);
    const top = bin.count === 0 ? y(0) : Math.min(y(bin.count), y(0) - 1);
    return h(
      'g',
      {
        class: 'bar',
        'data-filter': filters[i],
        'data-label': `${rangeText(measure, bin)}: ${counted(bin.count, 'row')}`,
      },
      h('title', {}, `${rangeText(measure, bin)}: ${counted(bin.count, 'row')}`),
      h('rect', {
        class: 'hit',
        x: round(left),
        y: inner.top,
        width: round(right - left),
        height: inner.bottom - inner.top,
      }),
      h('rect', { class: 'fill', x: round(left + 0.5), y: round(top), width: round(width), height: round(y(0) - top) }),
      bin.before !== undefined && outline({ left, right, at: y(bin.before) }),
    );
  });
  return svg(
    { size, label },
    rows(y.ticks(4).filter(Number.isInteger), { inner, y, text: short }),
    bars,
    bottomAxis(x, { inner, title: TITLES[measure] }),
    h('text', { class: 'axis', x: 0, y: 12 }, 'rows'),
    medianMark({ at: x.place(summary.median), text: `median ${shortOf(measure, summary.median)}`, inner }),
  );
}

function outline({ left, right, at }: { readonly left: number; readonly right: number; readonly at: number }): Element {
  return h('path', { class: 'before', d: `M${round(left)} ${round(at)}H${round(right)}` });
}

function medianMark({
  at,
  text,
  inner,
}: {
  readonly at: number;
  readonly text: string;
  readonly inner: Inner;
}): Markup[] {
  const isRight = at > (inner.left + inner.right) / 2;
  return [
    h('path', { class: 'median', d: `M${round(at)} ${inner.top - 4}V${inner.bottom}` }),
    h(
      'text',
      { class: 'note', x: round(at + (isRight ? -5 : 5)), y: inner.top - 8, 'text-anchor': isRight ? 'end' : 'start' },
      text,
    ),
  ];
}

export interface CrossOptions extends Drawing {
  readonly scores: readonly Bin[];
  readonly collaterals: readonly Bin[];
  readonly cells: readonly Cell[];
  readonly measured: Measured;
  readonly filters: Readonly<Record<Measure, readonly number[]>>;
}

/** So many rows can be drawn as points without hiding each other. */
const MOST_POINTS = 1_500;

/** Points, or, where they would hide each other, cells that are the fuller the more rows are in them. */
export function crossChart({ size, label, scores, collaterals, cells, measured, filters }: CrossOptions): Element {
  const inner = innerOf(size);
  const x = linearAxis({ measure: 'score', bins: scores, pixels: [inner.left, inner.right] });
  const y = logarithmicAxis({ measure: 'collateral', bins: collaterals, pixels: [inner.bottom, inner.top] });
  const rows = cells.reduce((sum, { count }) => sum + count, 0);
  const isPoints = rows <= MOST_POINTS;
  const strength = scaleSqrt([0, Math.max(1, ...cells.map(({ count }) => count))], [0.08, 1]);
  const fields = cells.flatMap(({ score, collateral, count }) => {
    const [across, up] = [scores[score], collaterals[collateral]];
    if (!across || !up) return [];
    const [left, right] = [x.start(across), x.end(across)];
    const [top, bottom] = [y.end(up), y.start(up)];
    return h(
      'g',
      { class: 'cell', 'data-filters': `${filters.score[score]} ${filters.collateral[collateral]}` },
      h('title', {}, `score ${rangeText('score', across)}, ${rangeText('collateral', up)}: ${counted(count, 'row')}`),
      h('rect', {
        class: isPoints ? 'hit' : 'fill',
        x: round(left),
        y: round(top),
        width: round(right - left),
        height: round(bottom - top),
        'fill-opacity': isPoints ? undefined : round(strength(count), 100),
      }),
    );
  });
  return svg(
    { size, label },
    rowsOf(y, inner),
    isPoints && points(measured, { x: x.place, y: y.place }),
    fields,
    bottomAxis(x, { inner, title: TITLES.score }),
    h('text', { class: 'axis', x: 0, y: 12 }, TITLES.collateral),
  );
}

function points({ score, collateral }: Measured, { x, y }: { readonly x: Place; readonly y: Place }): Markup[] {
  const drawn: Markup[] = [];
  for (let i = 0; i < score.length; i++) {
    const [across, up] = [score[i] ?? Number.NaN, collateral[i] ?? Number.NaN];
    if (Number.isNaN(across) || Number.isNaN(up)) continue;
    drawn.push(h('circle', { class: 'point', cx: round(x(across)), cy: round(y(up)), r: 2.5 }));
  }
  return drawn;
}

interface Inner {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const innerOf = ({ width, height }: Size): Inner => ({
  left: MARGIN.left,
  right: width - MARGIN.right,
  top: MARGIN.top,
  bottom: height - MARGIN.bottom,
});

function svg(
  { size: { width, height }, label }: Drawing,
  ...children: readonly (Markup | readonly Markup[] | false)[]
): Element {
  return h(
    'svg',
    { class: 'chart', role: 'img', 'aria-label': label, viewBox: `0 0 ${width} ${height}`, width, height },
    ...children,
  );
}

interface RowsOptions {
  readonly inner: Inner;
  readonly y: Place;
  readonly text: (value: number) => string;
}

/** A line across for each of `values`. */
function rows(values: readonly number[], { inner, y, text }: RowsOptions): Markup[] {
  return values.flatMap((value) => rule({ at: y(value), text: text(value), inner }));
}

const rowsOf = (axis: Axis, inner: Inner): Markup[] => axis.ticks.flatMap(({ at, text }) => rule({ at, text, inner }));

function rule({ at, text, inner }: { readonly at: number; readonly text: string; readonly inner: Inner }): Markup[] {
  return [
    h('path', { class: 'grid', d: `M${inner.left} ${round(at)}H${inner.right}` }),
    h('text', { class: 'tick', x: inner.left - 8, y: round(at + 4), 'text-anchor': 'end' }, text),
  ];
}

function bottomAxis({ ticks }: Axis, { inner, title }: { readonly inner: Inner; readonly title: string }): Markup[] {
  return [
    h('path', { class: 'line', d: `M${inner.left} ${inner.bottom}H${inner.right}` }),
    ...ticks.map(({ at, text }) =>
      h('text', { class: 'tick', x: round(at), y: inner.bottom + 17, 'text-anchor': 'middle' }, text),
    ),
    h('text', { class: 'axis', x: inner.right, y: inner.bottom + 36, 'text-anchor': 'end' }, title),
  ];
}

/** A bar of `count` in `total`, as wide as its column. */
export function shareBar(count: number, total: number): Element {
  const width = total === 0 ? 0 : round((100 * count) / total, 100);
  return h(
    'svg',
    {
      class: 'share',
      viewBox: '0 0 100 10',
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
      width: 100,
      height: 10,
    },
    h('rect', { class: 'track', width: 100, height: 10 }),
    h('rect', { class: 'fill', width: Math.max(width, count > 0 ? 0.5 : 0), height: 10 }),
  );
}

const round = (value: number, parts = 10) => Math.round(value * parts) / parts;

/** What a chart shows, in a sentence. */
export function distributionText(
  measure: Measure,
  { count, lowest, quartile, median, upperQuartile, highest }: Summary,
): string {
  const text = (value: number) => shortOf(measure, value);
  return `${measure} of ${counted(count, 'row')}: from ${text(lowest)} to ${text(highest)}, median ${text(median)}, half of them between ${text(quartile)} and ${text(upperQuartile)}`;
}

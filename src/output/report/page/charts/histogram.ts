/** A histogram: one bar per range, as high as its number of rows. */
import { scaleLinear } from 'd3-scale';
import { counted, grouped } from '../../../../text/words.ts';
import { rangeText, short, shortOf } from '../../amounts.ts';
import type { Bin } from '../../figures/bins.ts';
import type { Summary } from '../../figures/measures.ts';
import type { Measure } from '../../page-data.ts';
import { type Element, h, type Markup } from '../markup.ts';
import { AXES, type Axis, type Scale, TITLES } from './axes.ts';
import { bottomAxis, type ChartDrawing, type Inner, innerOf, round, rows, svg } from './frame.ts';

export interface HistogramOptions extends ChartDrawing {
  readonly measure: Measure;
  readonly bins: readonly Bin[];
  /** Rows of each bin that a rule matched. */
  readonly matched: readonly number[];
  readonly summary: Summary;
  /** Numbers of the bars' filters. */
  readonly filters: readonly number[];
}

export function histogram({ size, label, measure, bins, matched, summary, filters }: HistogramOptions): Element {
  const inner = innerOf(size);
  const x = AXES[measure](measure, bins, [inner.left, inner.right]);
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  const y = scaleLinear([0, highest], [inner.bottom, inner.top]).nice(4);
  const bars = bins.map((bin, i) =>
    bar(bin, { x, y, inner, text: rangeText(measure, bin), filter: filters[i], matched: matched[i] ?? 0 }),
  );
  const counts = y.ticks(4).filter(Number.isInteger);
  return svg(
    { size, label },
    rows(
      counts.map((count) => ({ at: y(count), text: short(count) })),
      inner,
    ),
    bars,
    bottomAxis(x, inner, TITLES[measure]),
    h('text', { class: 'axis', x: 0, y: 12 }, 'rows'),
    medianMark(x.position(summary.median), `median ${shortOf(measure, summary.median)}`, inner),
  );
}

function bar(
  bin: Bin,
  drawn: {
    readonly x: Axis;
    readonly y: Scale;
    readonly inner: Inner;
    readonly text: string;
    readonly filter?: number;
    readonly matched: number;
  },
): Element {
  const { x, y, inner, filter, matched } = drawn;
  const [left, right] = [x.start(bin), x.end(bin)];
  const width = Math.max(1, right - left - 1);
  const top = bin.count === 0 ? y(0) : Math.min(y(bin.count), y(0) - 1);
  const marked = matched > 0 ? `, ${grouped(matched)} matched` : '';
  const label = `${drawn.text}: ${counted(bin.count, 'row')}${marked}`;
  const whole = { x: round(left), y: inner.top, width: round(right - left), height: inner.bottom - inner.top };
  const from = (top: number) => ({
    x: round(left + 0.5),
    y: round(top),
    width: round(width),
    height: round(y(0) - top),
  });
  return h(
    'g',
    { class: 'bar', 'data-filter': filter, 'data-label': label },
    h('title', {}, label),
    h('rect', { class: 'hit', ...whole }),
    h('rect', { class: 'fill', ...from(top) }),
    matched > 0 && h('rect', { class: 'matched', ...from(Math.min(y(matched), y(0) - 2)) }),
  );
}

function medianMark(at: number, text: string, inner: Inner): readonly Markup[] {
  const isRight = at > (inner.left + inner.right) / 2;
  const position = { x: round(at + (isRight ? -5 : 5)), y: inner.top - 8, 'text-anchor': isRight ? 'end' : 'start' };
  return [
    h('path', { class: 'median', d: `M${round(at)} ${inner.top - 4}V${inner.bottom}` }),
    h('text', { class: 'note', ...position }, text),
  ];
}

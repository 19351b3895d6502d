/** How many rows have a measure in each range: a bar for each. */
import { scaleLinear } from 'd3-scale';
import { counted } from '../../../../text/words.ts';
import { rangeText, short, shortOf } from '../../amounts.ts';
import type { Bin } from '../../figures/bins.ts';
import type { Summary } from '../../figures/measures.ts';
import type { Measure } from '../../page-data.ts';
import { type Element, h, type Markup } from '../markup.ts';
import { AXES, TITLES } from './axes.ts';
import { bottomAxis, type Drawing, type Inner, innerOf, round, rows, svg } from './frame.ts';

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

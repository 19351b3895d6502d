/**
 * The frame of every chart: SVG without scripts or inline styles, which the Content-Security-Policy forbids. Colours come from the
 * page's style.
 */
import { type Child, type Element, h, type Markup } from '../markup.ts';
import type { Axis } from './axes.ts';

/** In units of the viewBox. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const MARGIN = { top: 22, right: 12, bottom: 44, left: 52 };
export interface ChartDrawing {
  readonly size: Size;
  readonly label: string;
}

export interface Inner {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const innerOf = ({ width, height }: Size): Inner => ({
  left: MARGIN.left,
  right: width - MARGIN.right,
  top: MARGIN.top,
  bottom: height - MARGIN.bottom,
});

export function svg({ size: { width, height }, label }: ChartDrawing, ...children: readonly Child[]): Element {
  return h(
    'svg',
    { class: 'chart', role: 'img', 'aria-label': label, viewBox: `0 0 ${width} ${height}`, width, height },
    ...children,
  );
}

/** A horizontal grid line and a label for each tick. */
export const rows = (ticks: Axis['ticks'], inner: Inner): Markup[] =>
  ticks.flatMap(({ at, text }) => [
    h('path', { class: 'grid', d: `M${inner.left} ${round(at)}H${inner.right}` }),
    h('text', { class: 'tick', x: inner.left - 8, y: round(at + 4), 'text-anchor': 'end' }, text),
  ]);

export function bottomAxis({ ticks }: Axis, inner: Inner, title: string): Markup[] {
  return [
    h('path', { class: 'line', d: `M${inner.left} ${inner.bottom}H${inner.right}` }),
    ...ticks.map(({ at, text }) =>
      h('text', { class: 'tick', x: round(at), y: inner.bottom + 17, 'text-anchor': 'middle' }, text),
    ),
    h('text', { class: 'axis', x: inner.right, y: inner.bottom + 36, 'text-anchor': 'end' }, title),
  ];
}

export const round = (value: number, parts = 10) => Math.round(value * parts) / parts;

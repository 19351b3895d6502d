/** The chart of score against collateral. */
import { scaleSqrt } from 'd3-scale';
import { counted } from '../../../../text/words.ts';
import { rangeText } from '../../amounts.ts';
import { type Bin, type BinCell, crossBins } from '../../figures/bins.ts';
import type { Measured } from '../../figures/measures.ts';
import type { Measure } from '../../page-data.ts';
import { type Element, h, type Markup } from '../markup.ts';
import { type Axis, linearAxis, logarithmicAxis, type Scale, TITLES } from './axes.ts';
import { bottomAxis, type ChartDrawing, innerOf, round, rows, svg } from './frame.ts';

export interface CrossOptions extends ChartDrawing {
  readonly scores: readonly Bin[];
  readonly collaterals: readonly Bin[];
  readonly cells: readonly BinCell[];
  readonly measured: Measured;
  /** Numbers of the rows that a rule matched. */
  readonly matched: Measured;
  readonly filters: Readonly<Record<Measure, readonly number[]>>;
}

/** Rows drawn as points at most; more would hide each other. */
const MAX_POINTS = 1_500;

/** Points, or, for too many rows, cells whose opacity shows the number of rows. */
export function crossChart(options: CrossOptions): Element {
  const { size, label, scores, collaterals, cells, measured, matched } = options;
  const inner = innerOf(size);
  const x = linearAxis('score', scores, [inner.left, inner.right]);
  const y = logarithmicAxis('collateral', collaterals, [inner.bottom, inner.top]);
  const count = cells.reduce((sum, { count }) => sum + count, 0);
  const isPoints = count <= MAX_POINTS;
  return svg(
    { size, label },
    rows(y.ticks, inner),
    isPoints && points(measured, x.position, y.position),
    isPoints && points(matched, x.position, y.position, 'point matched'),
    fields(options, { x, y, isPoints }),
    bottomAxis(x, inner, TITLES.score),
    h('text', { class: 'axis', x: 0, y: 12 }, TITLES.collateral),
  );
}

/** The clickable cells; filled if no points are drawn. */
function fields(
  { scores, collaterals, cells, matched, filters }: CrossOptions,
  { x, y, isPoints }: { readonly x: Axis; readonly y: Axis; readonly isPoints: boolean },
): Element[] {
  const marked = new Set(
    crossBins(matched, scores, collaterals).map(({ score, collateral }) => `${score} ${collateral}`),
  );
  const strength = scaleSqrt([0, Math.max(1, ...cells.map(({ count }) => count))], [0.08, 1]);
  return cells.flatMap(({ score, collateral, count }) => {
    const [across, up] = [scores[score], collaterals[collateral]];
    if (!across || !up) return [];
    const [left, right] = [x.start(across), x.end(across)];
    const [top, bottom] = [y.end(up), y.start(up)];
    return h(
      'g',
      { class: 'cell', 'data-filters': `${filters.score[score]} ${filters.collateral[collateral]}` },
      h('title', {}, `score ${rangeText('score', across)}, ${rangeText('collateral', up)}: ${counted(count, 'row')}`),
      h('rect', {
        class: isPoints ? 'hit' : marked.has(`${score} ${collateral}`) ? 'fill marked' : 'fill',
        x: round(left),
        y: round(top),
        width: round(right - left),
        height: round(bottom - top),
        'fill-opacity': isPoints ? undefined : round(strength(count), 100),
      }),
    );
  });
}

function points({ score, collateral }: Measured, x: Scale, y: Scale, kind = 'point'): Markup[] {
  const drawn: Markup[] = [];
  for (let i = 0; i < score.length; i++) {
    const [across, up] = [score[i] ?? Number.NaN, collateral[i] ?? Number.NaN];
    if (Number.isNaN(across) || Number.isNaN(up)) continue;
    drawn.push(h('circle', { class: kind, cx: round(x(across)), cy: round(y(up)), r: 2.5 }));
  }
  return drawn;
}

/**
 * The charts of a page: SVG without scripts or inline styles, which the Content-Security-Policy forbids. Each distribution has its
 * figures as a table too, for readers who need them exactly or cannot see the chart.
 */
import { scaleLinear } from 'd3-scale';
import { counted, grouped } from '../../../text/words.ts';
import { percent, rangeText, short, shortOf } from '../amounts.ts';
import { type Bin, cellsOf, type Distribution, quantiles } from '../distribution.ts';
import type { Figures } from '../figures.ts';
import type { Filter, Measure } from '../page-data.ts';
import { type Axis, axisOf } from './axis.ts';
import { type Child, type Element, h } from './markup.ts';
import { addFilter, section, table } from './parts.ts';

/** In units of the viewBox. */
interface Size {
  readonly width: number;
  readonly height: number;
}
type Sizes = readonly (readonly [name: string, size: Size])[];

/** Each chart is drawn twice, so that its text is not scaled down on a narrow page. */
const HISTOGRAM_SIZES: Sizes = [
  ['wide', { width: 520, height: 270 }],
  ['narrow', { width: 328, height: 240 }],
];
const CROSS_SIZES: Sizes = [
  ['wide', { width: 1080, height: 400 }],
  ['narrow', { width: 328, height: 320 }],
];
const MARGIN = { top: 22, right: 12, bottom: 44, left: 52 };

const TITLES: Readonly<Record<Measure, string>> = { score: 'Score', collateral: 'Collateral' };
const AXIS_TITLES: Readonly<Record<Measure, string>> = { score: 'score', collateral: 'collateral in dollars' };

/** Fewer rows are not charted. */
const MIN_CHARTED = 8;

/** A distribution, and the numbers of the filters of its bins. */
type Charted = Distribution & { readonly filters: readonly number[] };

export function chartSections(figures: Figures, filters: Filter[]): readonly Child[] {
  const charted = figures.distributions
    .filter(({ summary }) => summary.count >= MIN_CHARTED)
    .map(({ measure, bins, summary }) => {
      const numbers = bins.map((bin) => {
        const label = `${measure} ${rangeText(measure, bin)}`;
        const { from, to, isClosed } = bin;
        return addFilter({ group: measure, label, kind: 'range', measure, from, to, isClosed }, filters);
      });
      return { measure, bins, summary, filters: numbers };
    });
  const histograms = charted.map((distribution) => distributionSection(distribution, figures.rows));
  const of = (measure: Measure) => charted.find((one) => one.measure === measure);
  const [score, collateral] = [of('score'), of('collateral')];
  return [
    histograms.length > 0 && h('div', { class: 'charts' }, histograms),
    score && collateral && crossSection(figures, score, collateral),
  ];
}

const drawn = (sizes: Sizes, draw: (size: Size) => Element) =>
  sizes.map(([name, size]) => h('div', { class: name }, draw(size)));

function distributionSection(charted: Charted, rows: number): Element {
  const { measure, summary } = charted;
  const without = rows - summary.count;
  const values = quantiles(summary).map(([name, value]) => `${name} ${shortOf(measure, value)}`);
  return section(
    measure,
    TITLES[measure],
    drawn(HISTOGRAM_SIZES, (size) => histogram(charted, size)),
    h(
      'p',
      { class: 'note' },
      [
        ...values,
        ...(without > 0 ? [`without ${measure === 'score' ? 'a score' : 'collateral'} ${grouped(without)}`] : []),
      ].join(' · '),
      hasMatched(charted) && MATCHED_KEY,
    ),
    h('details', {}, h('summary', {}, 'Show as a table'), binTable(charted)),
  );
}

/** The legend for the colour of matched rows. */
const MATCHED_KEY = [' · ', h('span', { class: 'key', 'aria-hidden': 'true' }), ' matched'];
const hasMatched = ({ bins }: Distribution) => bins.some(({ matched }) => matched > 0);

function binTable(distribution: Distribution): Element {
  const { measure, summary, bins } = distribution;
  const isMatched = hasMatched(distribution);
  const numbers = ['Rows', 'Share', ...(isMatched ? ['Matched'] : [])].map((title) => ({ title, kind: 'number' }));
  const rows = bins.map((bin) => ({
    cells: [
      rangeText(measure, bin),
      grouped(bin.count),
      percent(bin.count, summary.count),
      isMatched && grouped(bin.matched),
    ],
  }));
  return table({ class: 'figures' }, [{ title: TITLES[measure] }, ...numbers], rows);
}

/** One bar per range, as high as its number of rows. */
function histogram({ measure, bins, summary, filters }: Charted, size: Size): Element {
  const { left, right, top, bottom } = innerOf(size);
  const x = axisOf(measure, bins, [left, right]);
  const y = scaleLinear([0, Math.max(...bins.map(({ count }) => count))], [bottom, top]).nice(4);
  const counts = y.ticks(4).filter(Number.isInteger);
  const bars = bins.map((bin, i) => {
    const [start, end] = x.slot(i);
    const bar = (kind: string, count: number, least: number) =>
      count > 0 && rect(kind, [start + 0.5, end - 0.5], [Math.min(y(count), bottom - least), bottom]);
    const marked = bin.matched > 0 ? `, ${grouped(bin.matched)} matched` : '';
    const label = `${rangeText(measure, bin)}: ${counted(bin.count, 'row')}${marked}`;
    return h(
      'g',
      { class: 'bar', 'data-filters': filters[i], 'data-label': label },
      h('title', {}, label),
      rect('hit', [start, end], [top, bottom]),
      bar('fill', bin.count, 1),
      bar('matched', bin.matched, 2),
    );
  });
  const median = round(x.position(summary.median));
  const side = median > (left + right) / 2 ? { x: median - 5, 'text-anchor': 'end' } : { x: median + 5 };
  return svg(
    size,
    describe(measure, summary),
    sideAxis(
      counts.map((count) => ({ at: y(count), text: short(count) })),
      { size, title: 'rows' },
    ),
    bars,
    bottomAxis(x.ticks, { size, title: AXIS_TITLES[measure] }),
    h('path', { class: 'median', d: `M${median} ${top - 4}V${bottom}` }),
    h('text', { class: 'note', y: top - 8, ...side }, `median ${shortOf(measure, summary.median)}`),
  );
}

/** A chart in a sentence. */
function describe(
  measure: Measure,
  { count, lowest, quartile, median, upperQuartile, highest }: Distribution['summary'],
) {
  const text = (value: number) => shortOf(measure, value);
  return `${measure} of ${counted(count, 'row')}: from ${text(lowest)} to ${text(highest)}, median ${text(median)}, half of them between ${text(quartile)} and ${text(upperQuartile)}`;
}

/** Rows drawn as points at most; more would hide each other. */
const MAX_POINTS = 1_500;

/** Score against collateral, of rows that have both: points, or, of too many rows, cells whose opacity shows how many there are. */
function crossSection({ measured, matched }: Figures, score: Charted, collateral: Charted): Element | undefined {
  const cells = cellsOf(measured, score.bins, collateral.bins);
  if (cells.length < 2) return undefined;
  const rows = cells.reduce((sum, { count }) => sum + count, 0);
  const fullest = Math.max(...cells.map(({ count }) => count));
  const marked = new Set(cellsOf(matched, score.bins, collateral.bins).map(keyOf));
  const fields = (x: Axis, y: Axis) =>
    cells.map((cell) => {
      const text = `score ${textOf(score, cell.score)}, ${textOf(collateral, cell.collateral)}: ${counted(cell.count, 'row')}`;
      const kind = rows <= MAX_POINTS ? 'hit' : marked.has(keyOf(cell)) ? 'fill marked' : 'fill';
      const opacity = rows <= MAX_POINTS ? undefined : round(0.08 + 0.92 * Math.sqrt(cell.count / fullest), 100);
      const [bottom, top] = y.slot(cell.collateral);
      return h(
        'g',
        { class: 'cell', 'data-filters': `${score.filters[cell.score]} ${collateral.filters[cell.collateral]}` },
        h('title', {}, text),
        rect(kind, x.slot(cell.score), [top, bottom], opacity),
      );
    });
  const chart = (size: Size) => {
    const { left, right, top, bottom } = innerOf(size);
    const x = axisOf('score', score.bins, [left, right]);
    const y = axisOf('collateral', collateral.bins, [bottom, top]);
    return svg(
      size,
      `score against collateral of ${counted(rows, 'row')}`,
      sideAxis(y.ticks, { size, title: AXIS_TITLES.collateral }),
      rows <= MAX_POINTS && [points('point', measured, { x, y }), points('point matched', matched, { x, y })],
      fields(x, y),
      bottomAxis(x.ticks, { size, title: AXIS_TITLES.score }),
    );
  };
  return section(
    'cross',
    'Score against collateral',
    drawn(CROSS_SIZES, chart),
    hasMatched(score) && h('p', { class: 'note' }, MATCHED_KEY.slice(1)),
  );
}

const keyOf = ({ score, collateral }: { readonly score: number; readonly collateral: number }) =>
  `${score} ${collateral}`;
const textOf = ({ measure, bins }: Charted, index: number) => rangeText(measure, bins[index] as Bin);

function points(kind: string, { score, collateral }: Figures['measured'], { x, y }: Readonly<Record<'x' | 'y', Axis>>) {
  return score.flatMap((value, i) => {
    const amount = collateral[i] ?? Number.NaN;
    if (Number.isNaN(value) || Number.isNaN(amount)) return [];
    return [h('circle', { class: kind, cx: round(x.position(value)), cy: round(y.position(amount)), r: 2.5 })];
  });
}

const innerOf = ({ width, height }: Size) => ({
  left: MARGIN.left,
  right: width - MARGIN.right,
  top: MARGIN.top,
  bottom: height - MARGIN.bottom,
});

const svg = ({ width, height }: Size, label: string, ...children: readonly Child[]): Element =>
  h(
    'svg',
    { class: 'chart', role: 'img', 'aria-label': label, viewBox: `0 0 ${width} ${height}`, width, height },
    ...children,
  );

type Span = readonly [from: number, to: number];

const rect = (kind: string, [left, right]: Span, [top, bottom]: Span, opacity?: number): Element =>
  h('rect', {
    class: kind,
    x: round(left),
    y: round(top),
    width: round(Math.max(1, right - left)),
    height: round(bottom - top),
    'fill-opacity': opacity,
  });

interface AxisDrawing {
  readonly size: Size;
  readonly title: string;
}

/** A horizontal grid line and a label for each tick. */
function sideAxis(ticks: Axis['ticks'], { size, title }: AxisDrawing): Child {
  const { left, right } = innerOf(size);
  const lines = ticks.map(({ at, text }) => [
    h('path', { d: `M${left} ${round(at)}H${right}` }),
    h('text', { x: left - 8, y: round(at + 4), 'text-anchor': 'end' }, text),
  ]);
  return [lines, h('text', { x: 0, y: 12 }, title)];
}

function bottomAxis(ticks: Axis['ticks'], { size, title }: AxisDrawing): Child {
  const { left, right, bottom } = innerOf(size);
  const names = ticks.map(({ at, text }) => h('text', { x: round(at), y: bottom + 17, 'text-anchor': 'middle' }, text));
  return [
    h('path', { class: 'line', d: `M${left} ${bottom}H${right}` }),
    names,
    h('text', { x: right, y: bottom + 36, 'text-anchor': 'end' }, title),
  ];
}

const round = (value: number, parts = 10) => Math.round(value * parts) / parts;

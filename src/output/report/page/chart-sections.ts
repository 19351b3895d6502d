/** The charts of a page, each with its figures as a table for readers who need exact numbers or cannot see the chart. */
import { counted, grouped } from '../../../text/words.ts';
import { fullOf, percent, rangeText, shortOf } from '../amounts.ts';
import { type Bin, type BinCell, crossBins } from '../figures/bins.ts';
import type { Figures } from '../figures/collect.ts';
import { quantiles, type Summary } from '../figures/measures.ts';
import type { Filter, Measure } from '../page-data.ts';
import type { Distribution } from '../report.ts';
import { crossChart } from './charts/cross-chart.ts';
import type { Size } from './charts/frame.ts';
import { histogram } from './charts/histogram.ts';
import { type Element, h } from './markup.ts';
import { addFilter, columnHead, numberCell, rowHead, table } from './parts.ts';

/** Each chart is drawn twice, so that its text is not scaled down on a narrow page. */
const SIZES: readonly (readonly [name: string, size: Size])[] = [
  ['wide', { width: 520, height: 270 }],
  ['narrow', { width: 328, height: 240 }],
];
const CROSS_SIZES: readonly (readonly [name: string, size: Size])[] = [
  ['wide', { width: 1080, height: 400 }],
  ['narrow', { width: 328, height: 320 }],
];

const TITLES: Readonly<Record<Measure, string>> = { score: 'Score', collateral: 'Collateral' };

export function chartSections(
  { rows, measured, matched }: Figures,
  distributions: readonly Distribution[],
  filters: Filter[],
): readonly Element[] {
  const numbered = distributions.map((distribution) => ({
    ...distribution,
    filters: distribution.bins.map((bin) => rangeFilter(distribution.measure, bin, filters)),
  }));
  const charts = numbered.map((distribution) => distributionFigure(distribution, rows));
  const cross = crossFigure({ measured, matched }, numbered);
  return [...(charts.length > 0 ? [h('div', { class: 'charts' }, charts)] : []), ...(cross ? [cross] : [])];
}

/** A distribution, and the numbers of the filters of its bins. */
type Charted = Distribution & { readonly filters: readonly number[] };

function rangeFilter(measure: Measure, bin: Bin, filters: Filter[]): number {
  const { from, to, isClosed } = bin;
  const label = `${measure} ${rangeText(measure, bin)}`;
  return addFilter({ group: measure, label, kind: 'range', measure, from, to, isClosed }, filters);
}

function distributionFigure(charted: Charted, rows: number): Element {
  const { measure, summary } = charted;
  const label = distributionText(measure, summary);
  const without = rows - summary.count;
  const values = quantiles(summary).map(([name, value]) => `${name} ${shortOf(measure, value)}`);
  return h(
    'section',
    { 'aria-labelledby': `${measure}-title` },
    h('h2', { id: `${measure}-title` }, TITLES[measure]),
    SIZES.map(([name, size]) => h('div', { class: name }, histogram({ ...charted, size, label }))),
    h(
      'p',
      { class: 'note' },
      values.join(' · '),
      without > 0 && ` · ${counted(without, 'row')} without ${measure === 'score' ? 'a score' : 'collateral'}`,
      hasMatched(charted) && [' · ', MATCHED_KEY, ' matched'],
    ),
    figuresOf(charted),
  );
}

/** The legend for the colour of matched rows. */
const MATCHED_KEY = h('span', { class: 'key', 'aria-hidden': 'true' });

const hasMatched = ({ matched }: Distribution) => matched.some((count) => count > 0);

function figuresOf(distribution: Distribution): Element {
  const { measure, summary, bins, matched } = distribution;
  const exact = quantiles(summary).map(([name, value]) => [name, fullOf(measure, value)]);
  const isMatched = hasMatched(distribution);
  const counts = bins.map((bin, i) => [
    rangeText(measure, bin),
    grouped(bin.count),
    percent(bin.count, summary.count),
    ...(isMatched ? [grouped(matched[i] ?? 0)] : []),
  ]);
  return h(
    'details',
    {},
    h('summary', {}, 'Show as a table'),
    figuresTable(['', TITLES[measure]], exact),
    figuresTable([TITLES[measure], 'Rows', 'Share', ...(isMatched ? ['Matched'] : [])], counts),
  );
}

/** The first cell of a row is its heading. */
function figuresTable(names: readonly string[], rows: readonly (readonly string[])[]): Element {
  const heads = names.map((text, i) => (text === '' ? h('td', {}) : columnHead(text, i > 0)));
  const lines = rows.map(([name = '', ...numbers]) => [rowHead(name), numbers.map(numberCell)]);
  return table({ class: 'figures' }, heads, lines);
}

/** Score against collateral, for rows that have both. */
function crossFigure(
  { measured, matched }: Pick<Figures, 'measured' | 'matched'>,
  distributions: readonly Charted[],
): Element | undefined {
  const of = (measure: Measure) => distributions.find((distribution) => distribution.measure === measure);
  const [score, collateral] = [of('score'), of('collateral')];
  if (!score || !collateral) return undefined;
  const [scores, collaterals] = [score.bins, collateral.bins];
  const cells = crossBins(measured, scores, collaterals);
  if (cells.length < 2) return undefined;
  const filters = { score: score.filters, collateral: collateral.filters };
  const label = crossText(scores, collaterals, cells);
  return h(
    'section',
    { 'aria-labelledby': 'cross-title' },
    h('h2', { id: 'cross-title' }, 'Score against collateral'),
    CROSS_SIZES.map(([name, size]) =>
      h('div', { class: name }, crossChart({ size, label, scores, collaterals, cells, measured, matched, filters })),
    ),
    hasMatched(score) && h('p', { class: 'note' }, MATCHED_KEY, ' matched'),
  );
}

function crossText(scores: readonly Bin[], collaterals: readonly Bin[], cells: readonly BinCell[]): string {
  const rows = cells.reduce((sum, { count }) => sum + count, 0);
  const [fullest] = [...cells].sort((a, b) => b.count - a.count);
  const [score, collateral] = [scores[fullest?.score ?? 0], collaterals[fullest?.collateral ?? 0]];
  const fullestText =
    score && collateral
      ? `: most rows in one place, ${grouped(fullest?.count ?? 0)}, have a score of ${rangeText('score', score)} and a collateral of ${rangeText('collateral', collateral)}`
      : '';
  return `score against collateral of ${counted(rows, 'row')}${fullestText}`;
}

/** A chart described in a sentence. */
function distributionText(
  measure: Measure,
  { count, lowest, quartile, median, upperQuartile, highest }: Summary,
): string {
  const text = (value: number) => shortOf(measure, value);
  return `${measure} of ${counted(count, 'row')}: from ${text(lowest)} to ${text(highest)}, median ${text(median)}, half of them between ${text(quartile)} and ${text(upperQuartile)}`;
}

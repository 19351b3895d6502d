/** The charts of a page, each with its figures as a table: a picture alone is no figure, and not everybody sees it. */
import { counted, grouped } from '../../../text/words.ts';
import { fullOf, percent, rangeText, shortOf } from '../amounts.ts';
import { type Bin, crossBins } from '../figures/bins.ts';
import type { Figures } from '../figures/collect.ts';
import type { Summary } from '../figures/measures.ts';
import type { Measure } from '../page-data.ts';
import type { Distribution } from '../report.ts';
import { crossChart } from './charts/cross-chart.ts';
import type { Size } from './charts/frame.ts';
import { histogram } from './charts/histogram.ts';
import type { Filters } from './filters.ts';
import { type Element, h } from './markup.ts';

interface Charted {
  readonly distributions: readonly Distribution[];
  readonly filters: Filters;
}

/** Text in a drawing is no smaller on a narrow page: a drawing of its own is shown there. */
const SIZES: readonly (readonly [name: string, size: Size])[] = [
  ['wide', { width: 520, height: 270 }],
  ['narrow', { width: 328, height: 240 }],
];
const CROSS_SIZES: readonly (readonly [name: string, size: Size])[] = [
  ['wide', { width: 1080, height: 400 }],
  ['narrow', { width: 328, height: 320 }],
];

const TITLES: Readonly<Record<Measure, string>> = { score: 'Score', collateral: 'Collateral' };

export function chartSections(figures: Figures, { distributions, filters }: Charted): readonly Element[] {
  const numbers = new Map(
    distributions.map(
      ({ measure, bins }) => [measure, bins.map((bin) => rangeFilter(measure, { bin, filters }))] as const,
    ),
  );
  const charts = distributions.map((distribution) =>
    distributionFigure(distribution, { rows: figures.rows, filters: numbers.get(distribution.measure) ?? [] }),
  );
  const cross = crossFigure(figures, { distributions, numbers });
  return [...(charts.length > 0 ? [h('div', { class: 'charts' }, charts)] : []), ...(cross ? [cross] : [])];
}

function rangeFilter(measure: Measure, { bin, filters }: { readonly bin: Bin; readonly filters: Filters }): number {
  const { from, to, isClosed } = bin;
  const label = `${measure} ${rangeText(measure, bin)}`;
  return filters.add({ group: measure, label, kind: 'range', measure, from, to, isClosed });
}

interface Drawn {
  readonly rows: number;
  readonly filters: readonly number[];
}

function distributionFigure({ measure, summary, bins }: Distribution, { rows, filters }: Drawn): Element {
  const label = distributionText(measure, summary);
  const without = rows - summary.count;
  return h(
    'section',
    { 'aria-labelledby': `${measure}-title` },
    h('h2', { id: `${measure}-title` }, TITLES[measure]),
    SIZES.map(([name, size]) => h('div', { class: name }, histogram({ size, label, measure, bins, summary, filters }))),
    h(
      'p',
      { class: 'note' },
      quantiles(summary)
        .map(([name, value]) => `${name} ${shortOf(measure, value)}`)
        .join(' · '),
      without > 0 && ` · ${counted(without, 'row')} without`,
      bins.some(({ before }) => before !== undefined) && ' · lines: the baseline',
    ),
    figuresOf({ measure, summary, bins }),
  );
}

const quantiles = ({ lowest, quartile, median, upperQuartile, highest }: Summary) =>
  [
    ['lowest', lowest],
    ['lower quartile', quartile],
    ['median', median],
    ['upper quartile', upperQuartile],
    ['highest', highest],
  ] as const;

function figuresOf({ measure, summary, bins }: Distribution): Element {
  const exact = quantiles(summary).map(([name, value]) => [name, fullOf(measure, value)]);
  const isCompared = bins.some(({ before }) => before !== undefined);
  const counts = bins.map((bin) => [
    rangeText(measure, bin),
    grouped(bin.count),
    percent(bin.count, summary.count),
    ...(isCompared ? [grouped(bin.before ?? 0)] : []),
  ]);
  return h(
    'details',
    {},
    h('summary', {}, 'The figures of this chart'),
    figuresTable(['', TITLES[measure]], exact),
    figuresTable([TITLES[measure], 'Rows', 'Share', ...(isCompared ? ['Before'] : [])], counts),
  );
}

/** The first cell of a row names it. */
function figuresTable(heads: readonly string[], rows: readonly (readonly string[])[]): Element {
  const numbered = (i: number) => (i > 0 ? 'number' : undefined);
  return h(
    'table',
    { class: 'figures' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map((text, i) => (text === '' ? h('td', {}) : h('th', { scope: 'col', class: numbered(i) }, text))),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map((cells) =>
        h(
          'tr',
          {},
          cells.map((text, i) => (i === 0 ? h('th', { scope: 'row' }, text) : h('td', { class: 'number' }, text))),
        ),
      ),
    ),
  );
}

interface Crossed {
  readonly distributions: readonly Distribution[];
  readonly numbers: ReadonlyMap<Measure, readonly number[]>;
}

/** One measure against the other, where rows have both. */
function crossFigure({ measured }: Figures, { distributions, numbers }: Crossed): Element | undefined {
  const of = (measure: Measure) => distributions.find((distribution) => distribution.measure === measure)?.bins ?? [];
  const [scores, collaterals] = [of('score'), of('collateral')];
  const cells = crossBins(measured, { scores, collaterals });
  if (cells.length < 2) return undefined;
  const filters = { score: numbers.get('score') ?? [], collateral: numbers.get('collateral') ?? [] };
  const label = crossText({ scores, collaterals, cells });
  return h(
    'section',
    { 'aria-labelledby': 'cross-title' },
    h('h2', { id: 'cross-title' }, 'Score against collateral'),
    CROSS_SIZES.map(([name, size]) =>
      h('div', { class: name }, crossChart({ size, label, scores, collaterals, cells, measured, filters })),
    ),
  );
}

type Cross = {
  readonly scores: readonly Bin[];
  readonly collaterals: readonly Bin[];
  readonly cells: ReturnType<typeof crossBins>;
};

function crossText({ scores, collaterals, cells }: Cross): string {
  const rows = cells.reduce((sum, { count }) => sum + count, 0);
  const [fullest] = [...cells].sort((a, b) => b.count - a.count);
  const [score, collateral] = [scores[fullest?.score ?? 0], collaterals[fullest?.collateral ?? 0]];
  const most =
    score && collateral
      ? `: most rows in one place, ${grouped(fullest?.count ?? 0)}, have a score of ${rangeText('score', score)} and a collateral of ${rangeText('collateral', collateral)}`
      : '';
  return `score against collateral of ${counted(rows, 'row')}${most}`;
}

/** What a chart shows, in a sentence. */
function distributionText(
  measure: Measure,
  { count, lowest, quartile, median, upperQuartile, highest }: Summary,
): string {
  const text = (value: number) => shortOf(measure, value);
  return `${measure} of ${counted(count, 'row')}: from ${text(lowest)} to ${text(highest)}, median ${text(median)}, half of them between ${text(quartile)} and ${text(upperQuartile)}`;
}

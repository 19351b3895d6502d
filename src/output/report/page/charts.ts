/**
 * The charts of a page: SVG without scripts or inline styles, which the Content-Security-Policy
 * forbids. Each distribution has its figures as a table too, for readers who need them exactly or
 * cannot see the chart.
 */
import { roundNumbers } from '../../../text/round-numbers.ts';
import { counted, groupDigits } from '../../../text/words.ts';
import { percent, rangeText, short, shortOf } from '../amounts.ts';
import { type Bin, type Distribution, quantiles, type Summary } from '../distribution.ts';
import type { Figures } from '../figures.ts';
import { isInRange, type Measure } from '../page-data.ts';
import { unreadText } from '../report.ts';
import { type Child, type Element, h } from './markup.ts';
import { filterData, pageSection, table } from './parts.ts';

/**
 * In units of the viewBox. Each chart is drawn twice, so that its text is not scaled down on a
 * narrow page.
 */
const CHART_SIZES = [
  { name: 'wide', width: 520, height: 270 },
  { name: 'narrow', width: 328, height: 240 },
] as const;
type Size = (typeof CHART_SIZES)[number];
const CHART_MARGIN = { top: 22, right: 24, bottom: 44, left: 52 };
const PIXELS_PER_TICK = 72;

const TITLES: Readonly<Record<Measure, string>> = { score: 'Score', collateral: 'Collateral' };
const AXIS_TITLES: Readonly<Record<Measure, string>> = { score: 'score', collateral: 'collateral in dollars' };

/** Fewer wallets are not charted. */
const MIN_CHARTED = 8;

export function chartSections({ distributions, all }: Figures): Child {
  const sections = distributions.flatMap((distribution) => {
    const { measure, summary } = distribution;
    if (summary && summary.count >= MIN_CHARTED) return [distributionSection({ ...distribution, summary, all })];
    const unread = unreadText(distribution);
    return unread === undefined ? [] : [pageSection(measure, TITLES[measure], h('p', { class: 'note' }, unread))];
  });
  return sections.length > 0 && h('div', { class: 'charts' }, sections);
}

/** A distribution that has numbers. */
interface Charted extends Distribution {
  readonly summary: Summary;
  /** What is counted in all, with a number or without. */
  readonly all: number;
}

function distributionSection(charted: Charted): Element {
  const { measure, summary, unread, all } = charted;
  const without = all - summary.count - unread;
  const values = quantiles(summary).map(([name, value]) => `${name} ${shortOf(measure, value)}`);
  return pageSection(
    measure,
    TITLES[measure],
    CHART_SIZES.map((size) => h('div', { class: size.name }, histogram(charted, size))),
    h(
      'p',
      { class: 'note' },
      [
        ...values,
        ...(without > 0 ? [`without ${measure === 'score' ? 'a score' : 'collateral'} ${groupDigits(without)}`] : []),
        unreadText(charted),
      ]
        .filter(Boolean)
        .join(' · '),
      hasMatched(charted) && MATCHED_KEY,
    ),
    h('details', {}, h('summary', {}, 'Show as a table'), binTable(charted)),
  );
}

/** The legend for the colour of matched rows. */
const MATCHED_KEY = [' · ', h('span', { class: 'key', 'aria-hidden': 'true' }), ' matched'];
const hasMatched = ({ bins }: Distribution) => bins.some(({ matched }) => matched > 0);

function binTable(charted: Charted): Element {
  const { measure, summary, bins, unread } = charted;
  const isMatched = hasMatched(charted);
  const numbers = ['Wallets', 'Share', ...(isMatched ? ['Matched'] : [])].map((title) => ({ title, kind: 'number' }));
  const rows = bins.map((bin) => ({
    cells: [
      rangeText(measure, bin),
      groupDigits(bin.count),
      percent(bin.count, summary.count + unread),
      isMatched && groupDigits(bin.matched),
    ],
  }));
  return table({ class: 'figures' }, [{ title: TITLES[measure] }, ...numbers], rows);
}

/** One bar per range, as high as its number of wallets. */
function histogram(charted: Charted, size: Size): Element {
  const { measure, bins, summary } = charted;
  const { width, height } = size;
  const plot = plotOf(charted, size);
  const { left, right, bottom, counts, x, y } = plot;
  const ticks = ticksOf(measure, bins, Math.floor((right - left) / PIXELS_PER_TICK));
  return h(
    'svg',
    {
      class: 'chart',
      role: 'img',
      'aria-label': describeSummary(measure, summary),
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
    },
    counts.map((count) => [
      h('path', { d: `M${left} ${round(y(count))}H${right}` }),
      h('text', { x: left - 8, y: round(y(count) + 4), 'text-anchor': 'end' }, short(count)),
    ]),
    h('text', { x: 0, y: 12 }, 'wallets'),
    bins.map((bin, i) => barOf(measure, bin, { ...plot, start: x.edge(i), end: x.edge(i + 1) })),
    h('path', { class: 'line', d: `M${left} ${bottom}H${right}` }),
    ticks.map((value) =>
      h('text', { x: round(x.of(value)), y: bottom + 17, 'text-anchor': 'middle' }, shortOf(measure, value)),
    ),
    h('text', { x: right, y: bottom + 36, 'text-anchor': 'end' }, AXIS_TITLES[measure]),
    medianMark(charted, plot),
  );
}

type Plot = ReturnType<typeof plotOf>;

/** Where things are drawn, in units of the viewBox, from its upper left corner. */
function plotOf({ measure, bins }: Charted, { width, height }: Size) {
  const [left, right] = [CHART_MARGIN.left, width - CHART_MARGIN.right];
  const [top, bottom] = [CHART_MARGIN.top, height - CHART_MARGIN.bottom];
  const counts = roundNumbers(0, Math.max(...bins.map(({ count }) => count)), 4).filter(Number.isInteger);
  return {
    left,
    right,
    top,
    bottom,
    /** The numbers of wallets that have a line. */
    counts,
    x: positions(measure, bins, [left, right]),
    y: (count: number) => bottom - ((bottom - top) * count) / (counts.at(-1) ?? 1),
  };
}

interface Slot extends Plot {
  readonly start: number;
  readonly end: number;
}

/** The bar of a range, which shows its rows on a click anywhere above it. */
function barOf(measure: Measure, bin: Bin, { start, end, top, bottom, y }: Slot): Element {
  const { from, to, isClosed, count, matched } = bin;
  const range = rangeText(measure, bin);
  const label = `${range}: ${counted(count, 'wallet')}${matched > 0 ? `, ${groupDigits(matched)} matched` : ''}`;
  const criterion = { kind: 'range', measure, from, to, isClosed } as const;
  const bar = (kind: string, height: number, least: number) =>
    height > 0 && rect(kind, [start + 0.5, end - 0.5], [Math.min(y(height), bottom - least), bottom]);
  return h(
    'g',
    {
      class: 'bar',
      ...filterData({ group: measure, label: `${measure} ${range}`, ...criterion }),
      'data-label': label,
    },
    h('title', {}, label),
    rect('hit', [start, end], [top, bottom]),
    bar('fill', count, 1),
    bar('matched', matched, 2),
  );
}

/** A line at the median; its name is on the side that has room. */
function medianMark({ measure, summary: { median } }: Charted, { left, right, top, bottom, x }: Plot): Child {
  const at = round(x.of(median));
  const side = at > (left + right) / 2 ? { x: at - 5, 'text-anchor': 'end' } : { x: at + 5 };
  return [
    h('path', { class: 'median', d: `M${at} ${top - 4}V${bottom}` }),
    h('text', { class: 'note', y: top - 8, ...side }, `median ${shortOf(measure, median)}`),
  ];
}

/** A chart in a sentence. */
function describeSummary(measure: Measure, { count, lowest, quartile, median, upperQuartile, highest }: Summary) {
  const text = (value: number) => shortOf(measure, value);
  return (
    `${measure} of ${counted(count, 'wallet')}: from ${text(lowest)} to ${text(highest)}, median ` +
    `${text(median)}, half of them between ${text(quartile)} and ${text(upperQuartile)}`
  );
}

/**
 * Where values are on an axis on which every range has a slot of the same width.
 * @param pixels its start and end
 */
function positions(measure: Measure, bins: readonly Bin[], [start, end]: readonly [number, number]) {
  const edge = (index: number) => start + (index * (end - start)) / bins.length;
  return {
    edge,
    of(value: number): number {
      const index = bins.findIndex((bin) => isInRange(value, bin));
      const bin = bins[index];
      return bin ? edge(index + shareOf(measure, bin, value)) : end;
    },
  };
}

/** How far `value` is within a range, from 0 to 1; halfway in one that has no inner scale. */
function shareOf(measure: Measure, { from, to }: Bin, value: number): number {
  if (from === to || (measure === 'collateral' && from < 0)) return 0.5;
  return measure === 'score' ? (value - from) / (to - from) : Math.log(value / from) / Math.log(to / from);
}

/** Ticks: round scores; for collateral 0, negative amounts, and whole powers of ten. */
function ticksOf(measure: Measure, bins: readonly Bin[], most: number): readonly number[] {
  const edges = [...bins.map(({ from }) => from), ...bins.slice(-1).map(({ to }) => to)];
  const [first = 0, last = 0] = [edges[0], edges.at(-1)];
  if (first === last) return [first];
  if (measure === 'score') return roundNumbers(first, last, most).filter((value) => value >= first && value <= last);
  const whole = [...new Set(edges)].filter((value) => value <= 0 || Number.isInteger(Math.log10(value)));
  const every = Math.ceil(whole.length / Math.max(2, most));
  return whole.filter((_, i) => i % every === 0);
}

type PixelRange = readonly [from: number, to: number];

const rect = (kind: string, [left, right]: PixelRange, [top, bottom]: PixelRange): Element =>
  h('rect', {
    class: kind,
    x: round(left),
    y: round(top),
    width: round(Math.max(1, right - left)),
    height: round(bottom - top),
  });

/** To a tenth of a pixel. */
const round = (value: number) => Math.round(value * 10) / 10;

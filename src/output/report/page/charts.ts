/**
 * The charts of a page: SVG without scripts or inline styles, which the Content-Security-Policy
 * forbids. Each distribution has its figures as a table too, for readers who need them exactly,
 * use the keyboard or cannot see the chart.
 */
import { roundNumbers } from '../../../text/round-numbers.ts';
import { counted, groupDigits } from '../../../text/words.ts';
import { percent, rangeText, short, shortOf } from '../amounts.ts';
import { type Bin, type Distribution, quantiles } from '../distribution.ts';
import type { Figures } from '../figures.ts';
import type { Filter, Measure } from '../page-data.ts';
import { fewText, unreadText, withoutText } from '../report.ts';
import { type Child, type Element, h } from './markup.ts';
import { choiceButton, filterData, pageSection, table } from './parts.ts';

const TITLES: Readonly<Record<Measure, string>> = { score: 'Score', collateral: 'Collateral' };

/** Fewer wallets are not charted. */
const MIN_CHARTED = 8;

export const chartSections = ({ distributions, all }: Figures): Element =>
  h(
    'div',
    { class: 'charts' },
    distributions.map((distribution) => distributionSection(distribution, all)),
  );

/** @param all how many wallets there are, with a number or without */
function distributionSection(distribution: Distribution, all: number): Element {
  const { measure, summary } = distribution;
  const isCharted = summary !== undefined && summary.count >= MIN_CHARTED;
  const values = summary ? quantiles(summary).map(([name, value]) => `${name} ${shortOf(measure, value)}`) : [];
  const notes = [...values, withoutText(distribution, all), unreadText(distribution)].filter(Boolean);
  return pageSection(
    measure,
    TITLES[measure],
    isCharted ? chart(distribution) : h('p', {}, `No chart: ${fewText(distribution)}.`),
    notes.length > 0 && h('p', { class: 'note' }, notes.join(' · ')),
    isCharted && h('details', {}, h('summary', {}, 'Show as a table'), binTable(distribution)),
  );
}

const hasMatched = ({ bins }: Distribution) => bins.some(({ matched }) => matched > 0);

function binTable(distribution: Distribution): Element {
  const { measure, bins } = distribution;
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const isMatched = hasMatched(distribution);
  const numbers = ['Wallets', 'Share', ...(isMatched ? ['Matched'] : [])].map((title) => ({ title, kind: 'number' }));
  const rows = bins.map((bin) => ({
    cells: [
      rangeText(measure, bin),
      bin.count > 0 ? choiceButton(groupDigits(bin.count), rangeFilter(measure, bin)) : '0',
      percent(bin.count, total),
      isMatched && groupDigits(bin.matched),
    ],
  }));
  return table({ class: 'figures' }, [{ title: TITLES[measure] }, ...numbers], rows);
}

function rangeFilter(measure: Measure, bin: Bin): Filter {
  const { from, to, isClosed } = bin;
  const label = `${measure} ${rangeText(measure, bin)}`;
  return { group: measure, label, kind: 'range', measure, from, to, isClosed };
}

/** In units of the viewBox, which are pixels unless the page is narrower. */
const SIZE = { width: 460, height: 216 };
const PLOT = { left: 46, right: 438, top: 24, bottom: 190 };
const PIXELS_PER_LABEL = 60;

/**
 * One bar for each range, as high as its number of wallets; the table beside it says the same to
 * those who cannot see it.
 */
function chart(distribution: Distribution): Element {
  const { measure, bins } = distribution;
  const { left, right, top, bottom } = PLOT;
  const counts = roundNumbers(0, Math.max(...bins.map(({ count }) => count)), 4).filter(Number.isInteger);
  const y = (count: number) => round(bottom - ((bottom - top) * count) / (counts.at(-1) ?? 1));
  const x = (edge: number) => round(left + (edge * (right - left)) / bins.length);
  return h(
    'svg',
    { class: 'chart', 'aria-hidden': 'true', viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, ...SIZE },
    counts.map((count) => [
      h('path', { d: `M${left} ${y(count)}H${right}` }),
      h('text', { x: left - 8, y: round(y(count) + 4), 'text-anchor': 'end' }, short(count)),
    ]),
    h('text', { x: 0, y: 12 }, 'wallets'),
    bins.map((bin, i) => barOf(measure, bin, { from: x(i), to: x(i + 1), y })),
    axisLabels(measure, bins, x),
    hasMatched(distribution) && [
      h('rect', { class: 'matched', x: right - 70, y: 3, width: 10, height: 10 }),
      h('text', { x: right, y: 12, 'text-anchor': 'end' }, 'matched'),
    ],
  );
}

/** Where a bar is drawn. */
interface Slot {
  readonly from: number;
  readonly to: number;
  readonly y: (count: number) => number;
}

/** The bar of a range, which shows its rows on a click anywhere above it. */
function barOf(measure: Measure, bin: Bin, { from, to, y }: Slot): Element {
  const { count, matched } = bin;
  const { top, bottom } = PLOT;
  const label = `${rangeText(measure, bin)}: ${counted(count, 'wallet')}`;
  /** Few wallets among many are still visible. */
  const bar = (kind: string, of: number, least: number) => of > 0 && column(kind, Math.min(y(of), bottom - least));
  const column = (kind: string, start: number) =>
    h('rect', { class: kind, x: from + 0.5, y: start, width: round(to - from - 1), height: round(bottom - start) });
  return h(
    'g',
    { class: 'bar', ...filterData(rangeFilter(measure, bin)) },
    h('title', {}, matched > 0 ? `${label}, ${groupDigits(matched)} matched` : label),
    column('hit', top),
    bar('fill', count, 1),
    bar('matched', matched, 2),
  );
}

/** The limits of the ranges, as many as there is room for. */
function axisLabels(measure: Measure, bins: readonly Bin[], x: (edge: number) => number): Child {
  const { left, right, bottom } = PLOT;
  const edges = [...bins.map(({ from }) => from), ...bins.slice(-1).map(({ to }) => to)];
  const every = Math.ceil((edges.length * PIXELS_PER_LABEL) / (right - left));
  return [
    h('path', { class: 'line', d: `M${left} ${bottom}H${right}` }),
    edges.map(
      (value, i) =>
        i % every === 0 && h('text', { x: x(i), y: bottom + 17, 'text-anchor': 'middle' }, shortOf(measure, value)),
    ),
  ];
}

/** To a tenth of a pixel. */
const round = (value: number) => Math.round(value * 10) / 10;

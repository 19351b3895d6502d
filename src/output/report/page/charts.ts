/**
 * The charts of a page: SVG without scripts or inline styles, which the Content-Security-Policy
 * forbids. Each distribution has its figures as a table too, for readers who need them exactly,
 * use the keyboard or cannot see the chart.
 */
import { roundNumbers } from '../../../text/round-numbers.ts';
import { counted } from '../../../text/words.ts';
import { percent, rangeText, short, shortOf } from '../amounts.ts';
import type { Bin, Distribution } from '../distribution.ts';
import type { Figures } from '../figures.ts';
import type { Filter, Measure } from '../page-data.ts';
import { fewText, quantileTexts, unreadText, withoutText } from '../report.ts';
import { type Child, type Element, h } from './markup.ts';
import { countButton, filterData, pageSection, table } from './parts.ts';

const TITLES: Readonly<Record<Measure, string>> = { score: 'Score', collateral: 'Collateral' };

/** Fewer wallets are not charted. */
const MIN_CHARTED = 8;

export function chartSections({ distributions, all }: Figures): Element {
  const sections = distributions.map((distribution) => distributionSection(distribution, all));
  return h('div', { class: 'charts' }, sections);
}

/** @param all how many wallets there are, with a number or without */
function distributionSection(distribution: Distribution, all: number): Element {
  const { measure, count } = distribution;
  const isCharted = count >= MIN_CHARTED;
  const notes = [...quantileTexts(distribution), withoutText(distribution, all), unreadText(distribution)].filter(
    Boolean,
  );
  return pageSection(
    measure,
    TITLES[measure],
    isCharted ? chart(distribution) : h('p', {}, `No chart: ${fewText(distribution)}.`),
    notes.length > 0 && h('p', { class: 'note' }, notes.join(' · ')),
    isCharted && h('details', {}, h('summary', {}, 'Show as a table'), binTable(distribution)),
  );
}

function binTable(distribution: Distribution): Element {
  const { measure, count, bins } = distribution;
  const numbers = ['Wallets', 'Share'].map((title) => ({ title, kind: 'number' }));
  const rows = bins.map((bin) => ({
    cells: [rangeText(measure, bin), countButton(bin.count, rangeFilter(measure, bin)), percent(bin.count, count)],
  }));
  return table({}, [{ title: TITLES[measure] }, ...numbers], rows);
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
    bins.map((bin, i) => {
      const [from, width] = [x(i) + 0.5, round(x(i + 1) - x(i) - 1)];
      // Few wallets among many are still visible.
      const start = Math.min(y(bin.count), bottom - 1);
      return h(
        'g',
        { class: 'bar', ...filterData(rangeFilter(measure, bin)) },
        h('title', {}, `${rangeText(measure, bin)}: ${counted(bin.count, 'wallet')}`),
        // A click anywhere above the bar shows its rows.
        h('rect', { class: 'hit', x: from, y: top, width, height: bottom - top }),
        bin.count > 0 && h('rect', { class: 'fill', x: from, y: start, width, height: round(bottom - start) }),
      );
    }),
    axisLabels(measure, bins, x),
  );
}

/** The limits of the ranges, as many as there is room for. */
function axisLabels(measure: Measure, bins: readonly Bin[], x: (edge: number) => number): Child {
  const { left, right, bottom } = PLOT;
  const edges = [...bins.map(({ from }) => from), ...bins.slice(-1).map(({ to }) => to)];
  const every = Math.ceil((edges.length * PIXELS_PER_LABEL) / (right - left));
  return edges.map(
    (value, i) =>
      i % every === 0 && h('text', { x: x(i), y: bottom + 17, 'text-anchor': 'middle' }, shortOf(measure, value)),
  );
}

/** To a tenth of a pixel. */
const round = (value: number) => Math.round(value * 10) / 10;

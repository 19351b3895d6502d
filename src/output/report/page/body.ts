/** What stands on a page, from top to bottom. */
import { counted, grouped } from '../../../text/words.ts';
import { minuteOf, percent, shortOf } from '../amounts.ts';
import type { Figures } from '../figures/collect.ts';
import { type Share, shareName } from '../figures/shares.ts';
import type { Filter, PageData, PageRow } from '../page-data.ts';
import { type Distribution, distributionsOf, type Report, stabilityOf } from '../report.ts';
import { cardlessText, omissionText, STATUS_WORDS, storyText } from '../statement.ts';
import { changeParts } from './change-section.ts';
import { chartSections } from './chart-sections.ts';
import { round } from './charts/frame.ts';
import { type Element, h, type Markup } from './markup.ts';
import { choice, columnHead, numberCell, rowHead, scrolling, section, table, tableBody } from './parts.ts';
import { columnsOf, rowsTable } from './table.ts';
import { groupsSection } from './tables-by-value.ts';

export function pageBody(report: Report, data: PageData, filters: Filter[]): readonly Element[] {
  const { figures } = report;
  const distributions = distributionsOf(report);
  return [
    pageHeader(report),
    h(
      'main',
      {},
      tiles(figures, distributions, filters),
      rulesSection(figures, data, filters),
      figures.groups && groupsSection({ ...figures, groups: figures.groups }),
      report.changes &&
        section('changes', 'What changed', changeParts(report.changes, { psi: stabilityOf(report), filters })),
      chartSections(figures, distributions, filters),
      figures.shares.length > 0 && sharesSection(figures, filters),
      rowsSection(figures, data),
    ),
    pageFooter(report),
    // The card of a wallet; the page's script fills it.
    h('dialog', { id: 'card', 'aria-labelledby': 'card-title' }),
  ];
}

function pageHeader({ origin, figures }: Report): Element {
  const what = `${counted(figures.rows, 'row')} of ${origin.form === 'journal' ? 'the journal ' : ''}`;
  return h(
    'header',
    { class: 'page' },
    h('h1', {}, origin.title),
    h('p', { class: 'statement' }, what, h('span', { class: 'file' }, origin.source), storyText(figures)),
  );
}

/** The figures that are asked for first. */
function tiles(figures: Figures, distributions: readonly Distribution[], filters: Filter[]): Element {
  const { statuses, incomplete, rows } = figures;
  const medians = distributions.map(({ measure, summary: { median, count } }) =>
    tile(`median ${measure}`, h('strong', {}, shortOf(measure, median)), `of ${grouped(count)} rows`),
  );
  const countTile = (count: number, filter: Filter) =>
    tile(filter.label, choice(h('strong', {}, grouped(count)), filter, filters), percent(count, rows));
  const counts = statuses.map(([status, count]) =>
    countTile(count, { group: 'status', label: STATUS_WORDS[status], kind: 'status', status }),
  );
  const lacking =
    incomplete > 0 && countTile(incomplete, { group: 'incomplete', label: 'incomplete', kind: 'incomplete' });
  return h('section', { class: 'tiles', 'aria-label': 'Key figures' }, medians, counts, lacking);
}

function tile(name: string, value: Markup, note: string): Element {
  return h('div', { class: 'tile' }, h('span', { class: 'name' }, name), value, h('span', { class: 'note' }, note));
}

const RULE_COLUMNS = [
  { kind: 'matched', title: 'Rows that matched', suffix: '' },
  { kind: 'unjudged', title: 'Could not be judged', suffix: ' (not judged)' },
  { kind: 'excused', title: 'Excused', suffix: ' (excused)' },
] as const;

function rulesSection({ rules, rows }: Figures, data: PageData, filters: Filter[]): Element | undefined {
  if (rules.length === 0) return undefined;
  // Nothing is said of what is nowhere on the page.
  const columns = RULE_COLUMNS.filter(({ kind }) => kind === 'matched' || rules.some((rule) => rule[kind] > 0));
  const lines = rules.map((figures, rule) => {
    const { name, note, matched } = figures;
    const counts = columns.map(({ kind, suffix }) => {
      if (figures[kind] === 0) return numberCell('0');
      const filter = { group: 'rules', label: `${name}${suffix}`, kind, rule };
      return numberCell(choice(grouped(figures[kind]), filter, filters));
    });
    const head = rowHead(name, note !== undefined && h('span', { class: 'label' }, note));
    return [head, counts, numberCell(percent(matched, rows))];
  });
  const heads = [...columns.map(({ title }) => title), 'Share'].map((title) => columnHead(title, true));
  const counts = table({ class: 'figures' }, [columnHead('Rule'), heads], lines);
  return section('rules', 'What matched', counts, firstMatches(data));
}

/** Rows that are named beside the rules, for whoever prints the page or cannot filter it. */
const FIRST_MATCHES = 10;

function firstMatches(data: PageData): readonly Markup[] {
  // What matched comes first: of the others there may be many.
  const marked = [
    ...byScore(data.rows.filter((row) => row.matched)),
    ...byScore(data.rows.filter((row) => !row.matched && (row.unjudged || row.excused))),
  ];
  const first = marked.slice(0, FIRST_MATCHES);
  if (first.length === 0) return [];
  const columns = columnsOf(data).filter(({ key }) => FIRST_COLUMNS.includes(key));
  const title = `${first.length} of ${grouped(marked.length)}, lowest score first`;
  return [h('h3', {}, title), scrolling(title, undefined, rowsTable(first, columns, data))];
}

/** Lowest first; rows without a score last. */
const byScore = (rows: readonly PageRow[]) =>
  rows.toSorted(
    (a, b) => Number(a.score ?? Number.POSITIVE_INFINITY) - Number(b.score ?? Number.POSITIVE_INFINITY) || 0,
  );

const FIRST_COLUMNS: readonly string[] = ['wallet', 'score', 'collateral', 'rules'];

function sharesSection({ shares }: Figures, filters: Filter[]): Element {
  const tables = shares.map((share, field) => shareTable(share, field, filters));
  return section('shares', 'Breakdown by field', h('div', { class: 'shares' }, tables));
}

function shareTable({ path, alike, values }: Share, field: number, filters: Filter[]): Element {
  const name = shareName(path);
  const total = values.reduce((sum, { count }) => sum + count, 0);
  const heads = ['Value', 'Bar', 'Rows', 'Share'].map((text) => columnHead(text));
  const lines = values.map(({ text, count }, value) => [
    rowHead(choice(text, { group: name, label: `${name} ${text}`, kind: 'share', field, value }, filters)),
    h('td', { class: 'bar' }, shareBar(count, total)),
    numberCell(grouped(count)),
    numberCell(percent(count, total)),
  ]);
  const others = `${alike.map(shareName).join(', ')} ${alike.length === 1 ? 'divides' : 'divide'} the rows in the same way.`;
  return h(
    'div',
    { class: 'share' },
    h('h3', { id: `share-${field}` }, name),
    h(
      'table',
      { 'aria-labelledby': `share-${field}` },
      h('thead', { class: 'unseen' }, h('tr', {}, heads)),
      tableBody(lines),
    ),
    alike.length > 0 && h('p', { class: 'note' }, others),
  );
}

/** A bar of `count` in `total`, as wide as its column. */
function shareBar(count: number, total: number): Element {
  const width = total === 0 ? 0 : round((100 * count) / total, 100);
  return h(
    'svg',
    {
      class: 'share',
      viewBox: '0 0 100 10',
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
      width: 100,
      height: 10,
    },
    h('rect', { class: 'track', width: 100, height: 10 }),
    h('rect', { class: 'fill', width: Math.max(width, count > 0 ? 0.5 : 0), height: 10 }),
  );
}

/** Rows that are on the page without its script. */
const FIRST_ROWS = 50;

function rowsSection(figures: Figures, data: PageData): Element {
  const first = data.rows.slice(0, FIRST_ROWS);
  const cardless = data.rows.filter(({ card }) => !card).length;
  const notes = [omissionText(figures, data.isCompared), cardlessText(cardless)].filter((text) => text !== undefined);
  return section(
    'rows',
    'Wallets',
    notes.map((text) => h('p', { class: 'note' }, text)),
    h('div', { id: 'controls' }),
    scrolling('Table of wallets', undefined, rowsTable(first, columnsOf(data), data, 'wallets')),
    h('p', { id: 'pager', class: 'note' }, moreText(first.length, data.rows.length)),
  );
}

function moreText(shown: number, all: number): string {
  if (shown === all) return '';
  return `The first ${grouped(shown)} of ${grouped(all)} rows. Search, sorting, cards and the other rows need JavaScript, which is in this file.`;
}

function pageFooter({ origin }: Report): Element {
  return h(
    'footer',
    { class: 'page' },
    h('p', {}, 'Made ', minuteOf(origin.madeAt), ` with riskcli ${origin.version}: `, h('code', {}, origin.command)),
    h(
      'p',
      {},
      'Everything shown is in this file; it loads nothing and sends nothing. Scores are shown on their own scale: whether high or low is good is for the service to say.',
    ),
  );
}

/** The body of a page, from top to bottom. */
import { counted, grouped, verbFor } from '../../../text/words.ts';
import { minuteOf, percent } from '../amounts.ts';
import type { Figures } from '../figures/collect.ts';
import { type FieldShare, shareName } from '../figures/shares.ts';
import { keyFigures } from '../headline.ts';
import { type Filter, type PageData, type PageRow, passes } from '../page-data.ts';
import { chartedOf, type Report } from '../report.ts';
import { cardlessText, omissionText, STATUS_WORDS, storyText } from '../statement.ts';
import { chartSections } from './chart-sections.ts';
import { round } from './charts/frame.ts';
import { type Element, h, type Markup } from './markup.ts';
import { choice, columnHead, numberCell, numbersTable, rowHead, scrolling, section, tableBody } from './parts.ts';
import { reviewSections } from './review.ts';
import { columnsOf, type NumberedRow, rowsTable } from './table.ts';

export function pageBody(report: Report, data: PageData, filters: Filter[]): readonly Element[] {
  const { figures } = report;
  return [
    pageHeader(report),
    h(
      'main',
      {},
      report.review && reviewSections(report.review),
      tiles(report, filters),
      rulesSection(report, data, filters),
      sharesSection(figures, filters),
      chartSections(figures, chartedOf(report), filters),
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

function tiles(report: Report, filters: Filter[]): Element {
  const shown = keyFigures(report).map(({ name, value, note, filter }) => {
    const figure = h('strong', {}, value);
    const choosing = filter ? choice(figure, filter, filters) : figure;
    return h(
      'div',
      { class: 'tile' },
      h('span', { class: 'name' }, name),
      choosing,
      h('span', { class: 'note' }, note),
    );
  });
  return h('section', { class: 'tiles', 'aria-label': 'Key figures' }, shown);
}

const RULE_COLUMNS = [
  { kind: 'matched', title: 'Rows that matched', label: 'matched' },
  { kind: 'unjudged', title: 'Could not be judged', label: 'not judged by' },
  { kind: 'excused', title: 'Excused', label: 'excused from' },
] as const;

function rulesSection(report: Report, data: PageData, filters: Filter[]): Element | undefined {
  const { rules, rows } = report.figures;
  if (rules.length === 0) return undefined;
  // Omit columns that would be all zeros.
  const columns = RULE_COLUMNS.filter(({ kind }) => kind === 'matched' || rules.some((rule) => rule[kind] > 0));
  const lines = rules.map((figures, rule) => {
    const { name, note, matched } = figures;
    const counts = columns.map(({ kind, label }) => {
      if (figures[kind] === 0) return '0';
      return choice(grouped(figures[kind]), { group: 'rules', label: `${label} ${name}`, kind, rule }, filters);
    });
    const head = [name, note !== undefined && h('span', { class: 'label' }, note)];
    return { head, numbers: [...counts, percent(matched, rows)] };
  });
  const counts = numbersTable(['Rule', ...columns.map(({ title }) => title), 'Share'], lines);
  return section(
    'rules',
    'What matched',
    worstRows(report, data),
    h('div', { class: 'figures' }, counts),
    otherRows(report, data),
  );
}

/** Worst rows listed with the rules; printing lists all. */
const WORST_ROWS = 10;

function worstRows({ worst, figures: { marked } }: Report, data: PageData): readonly Markup[] {
  if (worst.length === 0) return [];
  const rows = worst.flatMap((number): NumberedRow[] => (data.rows[number] ? [[number, data.rows[number]]] : []));
  const columns = columnsOf(data).filter(({ key }) => WORST_COLUMNS.includes(key));
  const [shown, printed] = [rows.slice(0, WORST_ROWS), rows.slice(WORST_ROWS)];
  const title =
    marked.matched > shown.length ? `${shown.length} of ${grouped(marked.matched)}, worst first` : 'Worst first';
  return [h('h3', {}, title), rowsTable(shown, columns, { data, id: 'worst', printed })];
}

/** Rows listed by name only. */
const NAMED_ROWS = 10;

/** Rows that could not be judged, and rows that are excused with the reason. */
function otherRows({ figures: { marked } }: Report, data: PageData): readonly Element[] {
  const listed = (title: string, what: 'unjudged' | 'excused', textOf: (row: PageRow) => Markup) => {
    const filter = { group: 'marked', label: title, kind: 'marked', what } as const;
    const first = data.rows.filter((row) => passes(row, filter)).slice(0, NAMED_ROWS);
    const items = first.flatMap((row, i) => [i === 0 ? ' ' : ', ', textOf(row)]);
    const more = marked[what] - first.length;
    return first.length === 0
      ? []
      : [h('p', { class: 'note' }, h('strong', {}, title), items, more > 0 && `, and ${grouped(more)} more`)];
  };
  return [
    ...listed('Could not be judged', 'unjudged', nameOf),
    ...listed('Excused', 'excused', (row) =>
      h('span', {}, nameOf(row), ` from ${(row.excused ?? []).map(({ text }) => text).join('; ')}`),
    ),
  ];
}

const nameOf = ({ label, wallet }: PageRow): Element =>
  label === undefined ? h('code', { class: 'wallet' }, wallet) : h('span', { class: 'whole' }, label);

const WORST_COLUMNS: readonly string[] = ['label', 'wallet', 'level', 'score', 'collateral', 'rules'];

function sharesSection({ shares, statuses }: Figures, filters: Filter[]): Element | undefined {
  const tables = [
    ...(statuses.length > 1 ? [statusTable(statuses, filters)] : []),
    ...shares.map((share, field) => fieldTable(share, field, filters)),
  ];
  return tables.length === 0
    ? undefined
    : section('shares', 'Breakdown by field', h('div', { class: 'shares' }, tables));
}

function statusTable(statuses: Figures['statuses'], filters: Filter[]): Element {
  const values = statuses.map(([status, count]) => {
    const text = STATUS_WORDS[status];
    return { count, content: choice(text, { group: 'status', label: text, kind: 'status', status }, filters) };
  });
  return shareTable('share-status', 'wallets by status', values);
}

function fieldTable({ path, alike, values }: FieldShare, field: number, filters: Filter[]): Element {
  const name = shareName(path);
  const others = `${alike.map(shareName).join(', ')} ${verbFor(alike.length, 'divides')} the rows in the same way.`;
  const chosen = values.map(({ text, count }, value) => ({
    count,
    content: choice(text, { group: name, label: `${name} ${text}`, kind: 'share', field, value }, filters),
  }));
  return shareTable(`share-${field}`, name, chosen, alike.length > 0 ? h('p', { class: 'note' }, others) : undefined);
}

function shareTable(
  id: string,
  name: string,
  values: readonly { readonly count: number; readonly content: Element }[],
  note?: Element,
): Element {
  const total = values.reduce((sum, { count }) => sum + count, 0);
  const heads = ['Value', 'Bar', 'Rows', 'Share'].map((text) => columnHead(text));
  const lines = values.map(({ count, content }) => [
    rowHead(content),
    h('td', { class: 'bar' }, shareBar(count, total)),
    numberCell(grouped(count)),
    numberCell(percent(count, total)),
  ]);
  return h(
    'div',
    { class: 'share' },
    h('h3', { id }, name),
    h('table', { 'aria-labelledby': id }, h('thead', { class: 'unseen' }, h('tr', {}, heads)), tableBody(lines)),
    note,
  );
}

/** A bar showing `count` of `total`, as wide as its column. */
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

/** Rows in the table before the script runs. */
const FIRST_ROWS = 50;

function rowsSection(figures: Figures, data: PageData): Element {
  const first = data.rows.slice(0, FIRST_ROWS);
  const cardless = data.rows.filter(({ card }) => !card).length;
  const notes = [omissionText(figures), cardlessText(cardless)].filter((text) => text !== undefined);
  return section(
    'rows',
    'Wallets',
    notes.map((text) => h('p', { class: 'note' }, text)),
    h('div', { id: 'controls' }),
    scrolling('Table of wallets', undefined, rowsTable([...first.entries()], columnsOf(data), { data, id: 'wallets' })),
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

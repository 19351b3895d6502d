/** What stands on a page, from top to bottom. */
import { counted, grouped } from '../../../text/words.ts';
import { minuteOf, percent, shortOf } from '../amounts.ts';
import type { Figures, RuleFigures } from '../figures/collect.ts';
import { type Share, shareName } from '../figures/shares.ts';
import type { PageData } from '../page-data.ts';
import { type Distribution, distributionsOf, type Report } from '../report.ts';
import { cardlessText, omissionText, STATUS_WORDS, storyText } from '../statement.ts';
import { changeParts } from './change-section.ts';
import { chartSections } from './chart-sections.ts';
import { round } from './charts/frame.ts';
import type { Filters } from './filters.ts';
import { type Element, h, type Markup } from './markup.ts';
import { columnsOf, rowsTable } from './table.ts';

interface Body {
  readonly data: PageData;
  readonly filters: Filters;
}

export function pageBody(report: Report, { data, filters }: Body): readonly Element[] {
  const { figures } = report;
  const distributions = distributionsOf(report);
  return [
    pageHeader(report),
    h(
      'main',
      {},
      tiles(figures, { distributions, filters }),
      rulesSection(figures, { data, filters }),
      report.changes && section('changes', 'What changed', changeParts(report.changes, filters)),
      chartSections(figures, { distributions, filters }),
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

interface Tiled {
  readonly distributions: readonly Distribution[];
  readonly filters: Filters;
}

/** The figures that are asked for first. */
function tiles(figures: Figures, { distributions, filters }: Tiled): Element {
  const { statuses, incomplete, rows } = figures;
  const counts = statuses.map(([status, count]) => ({
    name: STATUS_WORDS[status] as string,
    count,
    filter: filters.add({ group: 'status', label: STATUS_WORDS[status], kind: 'status', status }),
  }));
  if (incomplete > 0) {
    const filter = filters.add({ group: 'incomplete', label: 'incomplete', kind: 'incomplete' });
    counts.push({ name: 'incomplete', count: incomplete, filter });
  }
  return h(
    'section',
    { class: 'tiles', 'aria-label': 'Key figures' },
    distributions.map(({ measure, summary }) =>
      tile(`median ${measure}`, h('strong', {}, shortOf(measure, summary.median)), `of ${grouped(summary.count)} rows`),
    ),
    counts.map(({ name, count, filter }) =>
      tile(
        name,
        h('span', { class: 'choice', 'data-filter': filter }, h('strong', {}, grouped(count))),
        percent(count, rows),
      ),
    ),
  );
}

function tile(name: string, value: Markup, note: string): Element {
  return h('div', { class: 'tile' }, h('span', { class: 'name' }, name), value, h('span', { class: 'note' }, note));
}

function section(
  id: string,
  title: string,
  ...children: readonly (Markup | readonly Markup[] | false | undefined)[]
): Element {
  return h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);
}

const RULE_COLUMNS = [
  { kind: 'matched', title: 'Rows that matched', suffix: '' },
  { kind: 'unjudged', title: 'Could not be judged', suffix: ' (not judged)' },
  { kind: 'excused', title: 'Excused', suffix: ' (excused)' },
] as const;
type RuleColumn = (typeof RULE_COLUMNS)[number];

function rulesSection({ rules, rows }: Figures, { data, filters }: Body): Element | undefined {
  if (rules.length === 0) return undefined;
  // Nothing is said of what is nowhere on the page.
  const columns = RULE_COLUMNS.filter(({ kind }) => kind === 'matched' || rules.some((rule) => rule[kind] > 0));
  const choice = (rule: number, { kind, suffix }: RuleColumn, { name, [kind]: count }: RuleFigures) => {
    if (count === 0) return '0';
    const filter = filters.add({ group: 'rules', label: `${name}${suffix}`, kind, rule });
    return h('span', { class: 'choice', 'data-filter': filter }, grouped(count));
  };
  return section(
    'rules',
    'What matched',
    h(
      'table',
      { class: 'figures' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, 'Rule'),
          columns.map(({ title }) => h('th', { scope: 'col', class: 'number' }, title)),
          h('th', { scope: 'col', class: 'number' }, 'Share'),
        ),
      ),
      h(
        'tbody',
        {},
        rules.map((rule, i) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, rule.name, rule.note !== undefined && h('span', { class: 'label' }, rule.note)),
            columns.map((column) => h('td', { class: 'number' }, choice(i, column, rule))),
            h('td', { class: 'number' }, percent(rule.matched, rows)),
          ),
        ),
      ),
    ),
    firstMatches(data),
  );
}

/** Rows that are named beside the rules, for whoever prints the page or cannot filter it. */
const FIRST_MATCHES = 10;

function firstMatches(data: PageData): readonly Markup[] {
  // What matched comes first: of the others there may be many.
  const marked = [
    ...data.rows.filter((row) => row.matched),
    ...data.rows.filter((row) => !row.matched && (row.unjudged || row.excused)),
  ];
  const first = marked.slice(0, FIRST_MATCHES);
  if (first.length === 0) return [];
  const columns = columnsOf(data).filter(({ key }) => FIRST_COLUMNS.includes(key));
  const title = first.length < marked.length ? `The first ${first.length} of them` : 'The rows';
  return [h('h3', {}, title), scrolling(title, rowsTable(first, { columns, data }))];
}

const FIRST_COLUMNS: readonly string[] = ['wallet', 'score', 'collateral', 'rules'];

function sharesSection({ shares }: Figures, filters: Filters): Element {
  return section(
    'shares',
    'Fields with few values',
    h(
      'div',
      { class: 'shares' },
      shares.map((share, field) => shareTable(share, { field, filters })),
    ),
  );
}

function shareTable(
  { path, alike, values }: Share,
  { field, filters }: { readonly field: number; readonly filters: Filters },
): Element {
  const name = shareName(path);
  const total = values.reduce((sum, { count }) => sum + count, 0);
  return h(
    'div',
    { class: 'share' },
    h('h3', { id: `share-${field}` }, name),
    h(
      'table',
      { 'aria-labelledby': `share-${field}` },
      h(
        'thead',
        { class: 'unseen' },
        h(
          'tr',
          {},
          ['Value', 'Bar', 'Rows', 'Share'].map((text) => h('th', { scope: 'col' }, text)),
        ),
      ),
      h(
        'tbody',
        {},
        values.map(({ text, count }, value) => {
          const filter = filters.add({ group: name, label: `${name} ${text}`, kind: 'share', field, value });
          return h(
            'tr',
            {},
            h('th', { scope: 'row' }, h('span', { class: 'choice', 'data-filter': filter }, text)),
            h('td', { class: 'bar' }, shareBar(count, total)),
            h('td', { class: 'number' }, grouped(count)),
            h('td', { class: 'number' }, percent(count, total)),
          );
        }),
      ),
    ),
    alike.length > 0 &&
      h(
        'p',
        { class: 'note' },
        `${alike.map(shareName).join(', ')} ${alike.length === 1 ? 'divides' : 'divide'} the rows in the same way.`,
      ),
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
    scrolling('Table of wallets', rowsTable(first, { id: 'wallets', columns: columnsOf(data), data })),
    h('p', { id: 'pager', class: 'note' }, moreText(first.length, data.rows.length)),
  );
}

function moreText(shown: number, all: number): string {
  if (shown === all) return '';
  return `The first ${grouped(shown)} of ${grouped(all)} rows. Search, sorting, cards and the other rows need JavaScript, which is in this file.`;
}

/** What is wider than the page moves by itself, and by the keyboard too. */
const scrolling = (label: string, content: Element) =>
  h('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: 0 }, content);

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

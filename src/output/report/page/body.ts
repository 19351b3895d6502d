/** The body of a page, from top to bottom. */
import type { Review, RuleFigures } from '../../../review/read-review.ts';
import { MAX_WALLETS } from '../../../review/sections.ts';
import type { SectionName } from '../../../review/wallet.ts';
import { STATUSES } from '../../../row/row.ts';
import { counted, groupDigits } from '../../../text/words.ts';
import { headLines, SYNTHETIC, sectionTitle } from '../../review/letter.ts';
import { minuteOf, percent } from '../amounts.ts';
import type { RuleTotals } from '../figures.ts';
import { type Filter, MARK_WORDS, MARKS, type Mark, type PageData } from '../page-data.ts';
import { safeText } from '../page-rows.ts';
import { markedRows, type Report, storyText } from '../report.ts';
import { chartSections } from './charts.ts';
import { type Child, type Element, h } from './markup.ts';
import { choiceButton, countButton, pageSection, scrolling, sentence, type TableRow, table } from './parts.ts';
import { inputFiles, moreNote, reviewSections } from './review.ts';
import { PAGE_SIZE, statusText, walletColumns, walletRow } from './table.ts';

export function pageBody(report: Report, data: PageData): readonly Element[] {
  const { origin, figures, review } = report;
  const story = review ? headLines({ ...review, isSandbox: false }) : [storyText(figures)];
  const opening = [
    origin.isSandbox && h('p', { class: 'synthetic' }, SYNTHETIC),
    h('h1', {}, origin.title),
    story.map((text) => h('p', { class: 'note' }, safeText(text))),
  ];
  const sections = [
    tiles(report),
    review ? reviewSections(review, data) : markedSections(report, data),
    ruleSection(report),
    chartSections(figures),
    sharesSection(report),
    rowsSection(report, data),
  ];
  return [
    h('header', { class: 'page' }, opening),
    h('main', {}, sections),
    pageFooter(report),
    // The card of a wallet; the page's script fills it.
    h('dialog', { id: 'card', 'aria-labelledby': 'card-title' }),
  ];
}

/** Also where there are none. */
const ALWAYS_SHOWN: readonly Mark[] = ['matched', 'unjudged'];

const ALWAYS_SHOWN_SECTIONS: readonly SectionName[] = ['new', 'open', 'not_judged', 'closed'];

/** The answers in numbers: what is new or matched, what is unknown, what changed. */
function tiles({ figures, review }: Report): Element {
  const { all, byStatus, incomplete, marked, rules } = figures;
  const section = (tiles: readonly Element[]) => h('section', { class: 'tiles', 'aria-label': 'Key figures' }, tiles);
  if (review) {
    const shown = review.sections.filter(({ name, total }) => total > 0 || ALWAYS_SHOWN_SECTIONS.includes(name));
    return section(
      shown.map(({ name: key, total, rules }) => {
        const name = sectionTitle(key);
        // A removed wallet has no row.
        const filter =
          key === 'removed' ? undefined : ({ group: 'section', label: name, kind: 'section', name } as const);
        return tile(name, total, safeText(rules.join(', ')), filter);
      }),
    );
  }
  const of = (name: string, count: number, kind: Mark | 'unscored' | 'incomplete') =>
    tile(name, count, percent(count, all), { group: 'shown', label: name, kind });
  const marks = MARKS.filter((mark) => rules.length > 0 && (ALWAYS_SHOWN.includes(mark) || marked[mark] > 0));
  const { no_score, invalid, failed, pending } = byStatus;
  return section([
    ...marks.map((mark) => of(MARK_WORDS[mark], marked[mark], mark)),
    of('without a score', no_score + invalid + failed + pending, 'unscored'),
    ...(incomplete > 0 ? [of('incomplete', incomplete, 'incomplete')] : []),
  ]);
}

/** @param note the share, or the rules @param filter selects the rows that were counted */
function tile(name: string, count: number, note: string, filter: Filter | undefined): Element {
  const figure = h('strong', {}, groupDigits(count));
  const shown = filter && count > 0 ? choiceButton(figure, filter) : figure;
  return h('div', { class: 'tile' }, name, shown, h('span', {}, note));
}

function ruleSection({ figures, review }: Report): Child {
  if (review) return reviewRules(review);
  const { rules, all } = figures;
  const lines = rules.map((rule) => {
    const { name, level, matched, unjudged, excused } = rule;
    const button = (kind: Mark, count: number) =>
      countButton(count, { group: 'shown', label: `${MARK_WORDS[kind]} ${name}`, kind, rule: name });
    const matches = button(level === 'watch' ? 'watched' : 'matched', matched);
    const others = [button('unjudged', unjudged), button('excused', excused)];
    return { cells: [ruleName(rule), matches, percent(matched, all), ...others] };
  });
  return ruleTable(['Matched', 'Share', 'Not judged', 'Excused'], lines);
}

/** The counts of the letter, by rule. */
function reviewRules({ rules }: Review): Child {
  const lines = rules.map((rule) => {
    const [name, kind] = [safeText(rule.name), rule.level === 'watch' ? 'watched' : 'matched'] as const;
    const open = countButton(rule.matching, { group: 'shown', label: `open ${name}`, kind, rule: name });
    return { cells: [ruleName(rule, rule.change), open, groupDigits(rule.new), groupDigits(rule.closed)] };
  });
  return ruleTable(['Open', 'New', 'Closed'], lines);
}

function ruleTable(heads: readonly string[], lines: readonly TableRow[]): Child {
  const columns = [{ title: 'Rule' }, ...heads.map((title) => ({ title, kind: 'number' }))];
  return lines.length > 0 && pageSection('rules', 'Rules', table({ class: 'stack' }, columns, lines));
}

function ruleName(
  { name, level, condition, note }: Pick<RuleTotals, 'name' | 'level' | 'condition' | 'note'>,
  change?: RuleFigures['change'],
): Child {
  const labels = [level === 'watch' && change !== 'now watch' && level, change, note].filter(
    (label) => typeof label === 'string',
  );
  return [
    condition === undefined ? safeText(name) : h('code', {}, safeText(`${name}: ${condition}`)),
    labels.map((label) => h('span', { class: 'label' }, safeText(label))),
  ];
}

/** The wallets that rules marked, worst first. */
function markedSections(report: Report, data: PageData): readonly Child[] {
  return MARKS.map((mark) => {
    const [shown, total] = [markedRows(report, mark).slice(0, MAX_WALLETS), report.figures.marked[mark]];
    const listed = shown.flatMap((number) => data.rows[number] ?? []);
    const columns = walletColumns({ ...data, rows: listed });
    const rows = listed.map((row, i) => ({ cells: walletRow(row, data, columns), number: shown[i] }));
    const title = `${sentence(MARK_WORDS[mark])}: ${groupDigits(total)}`;
    const content = scrolling(`Table of ${MARK_WORDS[mark]}`, { class: 'wallets stack', columns, rows });
    return rows.length > 0 && pageSection(mark, title, content, moreNote(total - rows.length));
  });
}

function sharesSection({ figures: { byStatus, texts } }: Report): Child {
  const statuses = STATUSES.filter((status) => byStatus[status] > 0).map((status): Share => {
    const label = statusText(status);
    return { text: label, count: byStatus[status], filter: { group: 'status', label, kind: 'status', status } };
  });
  const byText = texts.map(({ name, values }) => {
    const shares = values.map(({ text, count }): Share => {
      const label = `${name} ${text}`;
      return { text, count, filter: { group: `text ${name}`, label, kind: 'text', name, text } };
    });
    return shareTable(name, shares);
  });
  const tables = [...(statuses.length > 1 ? [shareTable('status', statuses)] : []), ...byText];
  return tables.length > 0 && pageSection('shares', 'Shares', h('div', { class: 'shares' }, tables));
}

/** How many wallets have a value. */
interface Share {
  readonly text: string;
  readonly count: number;
  readonly filter: Filter;
}

/** The shares of values, with bars as wide as their column. */
function shareTable(name: string, shares: readonly Share[]): Element {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const columns = [
    { title: name },
    { title: 'Wallets', kind: 'number' },
    { title: 'Share', kind: 'number' },
    { title: 'Bar', kind: 'bars' },
  ];
  const lines = shares.map(({ text, count, filter }) => ({
    cells: [choiceButton(text, filter), groupDigits(count), percent(count, total), shareBar(count / total)],
  }));
  return table({}, columns, lines);
}

function shareBar(share: number): Element {
  const size = { viewBox: '0 0 100 10', preserveAspectRatio: 'none', width: 100, height: 10 };
  const track = h('rect', { class: 'track', width: 100, height: 10 });
  const fill = h('rect', { class: 'fill', width: Math.max(0.5, Math.round(100 * share)), height: 10 });
  return h('svg', { class: 'share', 'aria-hidden': 'true', ...size }, track, fill);
}

function rowsSection({ figures }: Report, data: PageData): Element {
  const columns = walletColumns(data);
  const first = data.rows.slice(0, PAGE_SIZE).map((row, number) => ({ cells: walletRow(row, data, columns), number }));
  const listed = data.rows.length;
  const cards = data.rows.filter(({ card }) => card !== undefined).length;
  const notes = [
    listed < figures.rows &&
      `This page lists ${groupDigits(listed)} of the ${counted(figures.rows, 'row')}: those of the ` +
        'sections, then those with the largest collateral. All figures and charts are of all wallets.',
    cards < listed &&
      `${counted(cards, 'row')} of this page ${cards === 1 ? 'has' : 'have'} a card; the others are ` +
        'whole in the file that the page was made from.',
  ];
  const left =
    first.length < listed &&
    `The first ${groupDigits(first.length)} of ${groupDigits(listed)} rows. Search, sorting, cards ` +
      'and the other rows need JavaScript, which is in this file.';
  return pageSection(
    'rows',
    'Wallets',
    notes.map((text) => text && h('p', { class: 'note' }, text)),
    h('div', { id: 'controls' }),
    table({ id: 'wallets', class: 'wallets stack' }, columns, first),
    h('p', { id: 'pager', class: 'note' }, left),
  );
}

function pageFooter({ origin, review }: Report): Element {
  const made = `Made ${minuteOf(origin.madeAt)} from ${origin.source} with riskcli ${origin.version}: `;
  const scale =
    'Everything shown is in this file; it loads nothing and sends nothing. Scores are shown on the ' +
    'scale of the service, which alone can say whether high or low is good.';
  const lines = [h('p', {}, made, h('code', {}, origin.command)), h('p', {}, scale)];
  return h('footer', { class: 'page note' }, review && inputFiles(review), lines);
}

/** The table of rows, used both for the static page and by its script. */
import { dollars, roundedDollars } from '../../value-text.ts';
import { minuteOf } from '../amounts.ts';
import type { PageData, PageRow } from '../page-data.ts';
import { STATUS_WORDS } from '../statement.ts';
import { type Element, h, type Markup } from './markup.ts';

export interface PageColumn {
  /** Also the key to sort by. */
  readonly key: 'label' | 'wallet' | 'level' | 'score' | 'collateral' | 'rules' | 'remark' | 'at';
  readonly title: string;
  readonly isNumber?: boolean;
  /** Whether it is hidden on a narrow page; a wallet's card has it. */
  readonly isMinor?: boolean;
  readonly cell: (row: PageRow, data: PageData) => Markup | readonly Markup[];
}

const COLUMNS: readonly PageColumn[] = [
  { key: 'label', title: 'Label', cell: ({ label }) => (label === undefined ? '' : wholeText(label)) },
  {
    key: 'wallet',
    title: 'Wallet',
    cell: ({ wallet, others }) => [
      addressOf(wallet),
      ...(others === undefined ? [] : [h('span', { class: 'label' }, others)]),
    ],
  },
  { key: 'level', title: 'Level', cell: levelText },
  { key: 'score', title: 'Score', isNumber: true, cell: scoreText },
  { key: 'collateral', title: 'Collateral', isNumber: true, cell: ({ collateral }) => centsOf(collateral) ?? '–' },
  { key: 'rules', title: 'Rules', cell: rulesText },
  { key: 'remark', title: 'Remark', isMinor: true, cell: (row) => remarkOf(row) ?? '' },
  {
    key: 'at',
    title: 'Answered (UTC)',
    isMinor: true,
    cell: ({ at }) => (at === undefined ? '' : minuteOf(at).replace(' UTC', '')),
  },
];

/** The columns of a page, without those that are empty in every row. */
export function columnsOf({ rules, rows, label, level }: PageData): readonly PageColumn[] {
  const titles: Partial<Record<PageColumn['key'], string>> = { label, level: level?.title };
  const used: Partial<Record<PageColumn['key'], boolean>> = {
    label: rows.some((row) => row.label !== undefined),
    level: level !== undefined,
    rules: rules.length > 0,
    remark: rows.some((row) => remarkOf(row) !== undefined),
    // For a short run the header of the page says it.
    at: spreadOf(rows) > HOUR_MS,
  };
  return COLUMNS.filter(({ key }) => used[key] ?? true).map((column) => ({
    ...column,
    title: titles[column.key] ?? column.title,
  }));
}

const HOUR_MS = 3_600_000;

/** Milliseconds from the first answer to the last. */
function spreadOf(rows: readonly PageRow[]): number {
  const times = rows.flatMap(({ at }) => (at === undefined ? [] : [Date.parse(at)]));
  return (
    times.reduce((last, time) => Math.max(last, time), 0) -
    times.reduce((first, time) => Math.min(first, time), Infinity)
  );
}

/** In dollars, with every digit of the service. */
export function dollarText(amount: string | undefined): string | undefined {
  return amount === undefined ? undefined : dollars({ kind: 'string', value: amount });
}

/** In dollars, rounded to cents; the title has all digits. */
export function centsOf(amount: string | undefined): Markup | undefined {
  if (amount === undefined) return undefined;
  const [full, cents] = [dollarText(amount), roundedDollars({ kind: 'string', value: amount })];
  return full && /\.\d{3}/.test(full) ? h('span', { title: full }, cents) : cents;
}

/** The value of the field closest to the score. */
export const levelOf = ({ shares }: PageRow, { level }: PageData): string | undefined =>
  level?.values[shares?.[level.field] ?? -1];

function levelText(row: PageRow, data: PageData): Markup {
  const level = levelOf(row, data);
  return level === undefined ? '' : wholeText(level, MAX_LEVEL);
}

/** The score, or why there is none. */
function scoreText({ score, status }: PageRow): Markup {
  if (score !== undefined) return score;
  return status === undefined || status === 'scored' ? '–' : h('span', { class: 'why' }, STATUS_WORDS[status]);
}

/** Longer names may wrap. */
const MAX_NAME = 24;
/** `Very High Risk`; longer levels may wrap. */
const MAX_LEVEL = 14;
const wholeText = (text: string, most = MAX_NAME): Element =>
  h('span', { class: text.length > most ? undefined : 'whole' }, text);
const rulePill = (name: string): Element => h('span', { class: name.length > MAX_NAME ? 'rule long' : 'rule' }, name);

/** Longer texts may wrap; an address has 42 characters. */
const MAX_WHOLE = 44;

/** A wallet, kept on one line unless it is too long. */
export const addressOf = (wallet: string): Element =>
  h('span', { class: wallet.length > MAX_WHOLE ? 'wallet long' : 'wallet' }, wallet);

export const remarkOf = ({ error, warning }: PageRow) => error ?? warning;

function rulesText({ matched = [], unjudged = [], excused = [] }: PageRow, { rules }: PageData): readonly Markup[] {
  return [
    ...matched.map((rule) => rulePill(rules[rule] ?? '')),
    ...unjudged.map((rule) => h('span', { class: 'label' }, `not judged: ${rules[rule] ?? ''}`)),
    ...excused.map(({ text }) => h('span', { class: 'label' }, `excused from ${text}`)),
  ];
}

/**
 * The cells of `row`. Their roles are explicit because the narrow page changes their display, which hides the table from screen
 * readers.
 */
export function rowCells(row: PageRow, columns: readonly PageColumn[], data: PageData): readonly Markup[] {
  return columns.map(({ key, title, cell, isNumber, isMinor }) => {
    const content = [cell(row, data)].flat();
    const isEmpty = content.length === 0 || (content.length === 1 && content[0] === '');
    const kinds = [isNumber && 'number', isMinor && 'minor', isEmpty && 'empty', key].filter(Boolean).join(' ');
    const attributes = { class: kinds, 'data-title': title };
    if (key === 'wallet') return h('th', { scope: 'row', role: 'rowheader', ...attributes }, content);
    return h('td', { role: 'cell', ...attributes }, content);
  });
}

/** Tables with more columns let even short levels wrap. */
const MAX_ROOMY = 8;

/** A row with its index in the data. */
export type NumberedRow = readonly [number: number, row: PageRow];

/**
 * A table of `rows` for the static page; `printed` are further rows that only appear on paper.
 */
export function rowsTable(
  rows: readonly NumberedRow[],
  columns: readonly PageColumn[],
  {
    data,
    id,
    printed = [],
  }: { readonly data: PageData; readonly id: string; readonly printed?: readonly NumberedRow[] },
): Element {
  const heads = columns.map(({ key, title, isNumber, isMinor }) => {
    const kinds = [isNumber && 'number', isMinor && 'minor'].filter(Boolean).join(' ') || undefined;
    return h('th', { scope: 'col', role: 'columnheader', 'data-key': key, class: kinds }, title);
  });
  const body = (lines: readonly NumberedRow[], kind?: string) =>
    h(
      'tbody',
      { role: 'rowgroup', class: kind },
      lines.map(([number, row]) => h('tr', { role: 'row', 'data-row': number }, rowCells(row, columns, data))),
    );
  return h(
    'table',
    { id, class: columns.length > MAX_ROOMY ? 'wallets stack' : 'wallets stack roomy', role: 'table' },
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, heads)),
    body(rows),
    printed.length > 0 && body(printed, 'printed'),
  );
}

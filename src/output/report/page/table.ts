/** The table of wallets, used both for the static page and by its script. */

import { HOUR_MS, timeIn } from '../../../text/when.ts';
import { dollars, roundedDollars } from '../../value-text.ts';
import { minuteOf } from '../amounts.ts';
import { type PageData, type PageRow, textCalled } from '../page-data.ts';
import { type Child, type Element, h } from './markup.ts';
import type { PageColumn, TableRow } from './parts.ts';

export interface WalletColumn extends PageColumn {
  /** Also the key to sort by. */
  readonly key: 'label' | 'wallet' | 'level' | 'score' | 'collateral' | 'rules' | 'remark' | 'at';
  readonly cell: (row: PageRow, data: PageData) => Child;
}

const WALLET_COLUMNS: readonly WalletColumn[] = [
  { key: 'label', title: 'Label', cell: ({ label }) => label },
  {
    key: 'wallet',
    title: 'Wallet',
    isHead: true,
    cell: (row) => [addressOf(row.wallet), ' ', ownColumnsText(row.columns)],
  },
  { key: 'level', title: 'Level', cell: (row, data) => rowLevel(row, data) && wholeText(rowLevel(row, data) ?? '') },
  { key: 'score', title: 'Score', kind: 'number', cell: scoreContent },
  { key: 'collateral', title: 'Collateral', kind: 'number', cell: ({ collateral }) => centsOf(collateral) ?? '–' },
  { key: 'rules', title: 'Rules', cell: rulesText },
  { key: 'remark', title: 'Remark', kind: 'minor', cell: (row) => remarkOf(row) },
  {
    key: 'at',
    title: 'Answered (UTC)',
    kind: 'minor',
    cell: ({ at }) => at && minuteOf(at).replace(' UTC', ''),
  },
];

/** The columns of a page, without those that are empty in every row. */
export function walletColumns(data: PageData): readonly WalletColumn[] {
  const { rows, label, level } = data;
  const titles: Partial<Record<WalletColumn['key'], string>> = { label, level: level?.replaceAll('_', ' ') };
  const [first, last] = answerTimes(rows);
  const isUsed: Partial<Record<WalletColumn['key'], boolean>> = {
    label: rows.some((row) => row.label !== undefined),
    level: rows.some((row) => rowLevel(row, data) !== undefined),
    rules: rows.some(({ matched, watched, unjudged, excused }) => matched ?? watched ?? unjudged ?? excused),
    remark: rows.some((row) => remarkOf(row) !== undefined),
    // For a short run the header of the page gives the time.
    at: last - first > HOUR_MS,
  };
  return WALLET_COLUMNS.filter(({ key }) => isUsed[key] ?? true).map((column) => ({
    ...column,
    title: titles[column.key] ?? column.title,
  }));
}

/** When the first and the last answer came, in milliseconds. */
function answerTimes(rows: readonly PageRow[]): readonly [number, number] {
  const times = rows.flatMap(({ at }) => (at === undefined ? [] : [timeIn(at)]));
  return times.reduce(([first, last], at) => [Math.min(first, at), Math.max(last, at)], [Infinity, -Infinity]);
}

export const walletRow = (row: PageRow, data: PageData, columns: readonly WalletColumn[]): TableRow['cells'] =>
  columns.map(({ cell }) => cell(row, data));

/** In dollars, with every digit of the service. */
export const dollarText = (amount: string | undefined): string | undefined =>
  amount === undefined ? undefined : dollars({ kind: 'string', value: amount });

/** In dollars, rounded to cents; the title has all digits. */
function centsOf(amount: string | undefined): Child {
  if (amount === undefined) return undefined;
  const [full = '', cents] = [dollarText(amount), roundedDollars({ kind: 'string', value: amount })];
  return /\.\d{3}/.test(full) ? h('span', { title: full }, cents) : cents;
}

/** The value of the text that is shown beside the score. */
export const rowLevel = (row: PageRow, { level }: PageData): string | undefined =>
  level === undefined ? undefined : textCalled(row, level);

/** The score, or why it is missing. */
function scoreContent({ score, status }: PageRow): Child {
  if (score !== undefined) return score;
  return status === undefined || status === 'scored' ? '–' : h('span', { class: 'why' }, statusText(status));
}

export const statusText = (status: string): string => status.replace('_', ' ');

/** Longer names may wrap. */
const MAX_WHOLE = 24;
const wholeClass = (text: string) => (text.length > MAX_WHOLE ? undefined : 'whole');
const wholeText = (text: string): Element => h('span', { class: wholeClass(text) }, text);
/** Longer texts may wrap; an address has 42 characters. */
const MAX_ADDRESS = 44;

/** A wallet, kept on one line unless it is too long. */
export const addressOf = (wallet: string): Element =>
  h('span', { class: wallet.length > MAX_ADDRESS ? 'address long' : 'address' }, wallet);

/** The list's own columns, each with its name. */
export const ownColumnsText = (columns: PageRow['columns'] = []): Child =>
  columns.length > 0 &&
  h(
    'span',
    { class: 'label' },
    columns.map(([name, text], i) => [
      i > 0 && ' · ',
      h('span', { class: wholeClass(`${name} ${text}`) }, name, ' ', h('b', {}, text)),
    ]),
  );

export const remarkOf = ({ error, warning }: PageRow): string | undefined => error ?? warning;

function rulesText({ matched = [], watched = [], unjudged = [], excused = [] }: PageRow): Child {
  return [
    matched.map((name) => h('span', { class: name.length > MAX_WHOLE ? 'rule long' : 'rule' }, name)),
    watched.map((name) => h('span', { class: 'label' }, `watch: ${name}`)),
    unjudged.map((name) => h('span', { class: 'label' }, `not judged: ${name}`)),
    excused.map(({ text }) => h('span', { class: 'label' }, `excused from ${text}`)),
  ];
}

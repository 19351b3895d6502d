/** The table of wallets, used both for the static page and by its script. */
import { roundedDollars } from '../../value-text.ts';
import { MARK_WORDS, type PageData, type PageRow, textCalled } from '../page-data.ts';
import { type Child, type Element, h } from './markup.ts';
import type { PageColumn, TableRow } from './parts.ts';

export interface WalletColumn extends PageColumn {
  /** Also the key to sort by. */
  readonly key: 'label' | 'wallet' | 'level' | 'score' | 'collateral' | 'rules' | 'remark';
  /** Rows are sorted by it; undefined for a row that has none. */
  readonly value: (row: PageRow, data: PageData) => string | undefined;
  /** What the table shows, if not the value. */
  readonly cell?: (row: PageRow, data: PageData) => Child;
}

/** A column that no row has a value for is left out, except these. */
const ALWAYS_SHOWN = ['wallet', 'score', 'collateral'];

const WALLET_COLUMNS: readonly WalletColumn[] = [
  { key: 'label', title: 'Label', value: ({ label }) => label },
  {
    key: 'wallet',
    title: 'Wallet',
    isHead: true,
    value: ({ wallet }) => wallet,
    cell: (row) => [addressButton(row.wallet), ' ', ownColumnsText(row.columns)],
  },
  {
    key: 'level',
    title: 'Level',
    value: rowLevel,
    cell: (row, data) => rowLevel(row, data) !== undefined && h('span', { class: 'whole' }, rowLevel(row, data)),
  },
  { key: 'score', title: 'Score', kind: 'number', value: ({ score }) => score, cell: scoreContent },
  {
    key: 'collateral',
    title: 'Collateral',
    kind: 'number',
    value: ({ collateral }) => collateral,
    cell: ({ collateral }) => dollarText(collateral) ?? '–',
  },
  {
    key: 'rules',
    title: 'Rules',
    value: ({ verdicts }) => (verdicts.length > 0 ? String(verdicts.length) : undefined),
    cell: rulesText,
  },
  { key: 'remark', title: 'Remark', kind: 'minor', value: ({ error, warning }) => error ?? warning },
];

export function walletColumns(data: PageData): readonly WalletColumn[] {
  const { rows, label, level } = data;
  const titles: Partial<Record<WalletColumn['key'], string>> = { label, level: level?.replaceAll('_', ' ') };
  return WALLET_COLUMNS.filter(
    ({ key, value }) => ALWAYS_SHOWN.includes(key) || rows.some((row) => value(row, data) !== undefined),
  ).map((column) => ({ ...column, title: titles[column.key] ?? column.title }));
}

/** Only these are in the document at a time, so that ten thousand rows are as fast as fifty. */
export const PAGE_SIZE = 50;

export const walletRow = (row: PageRow, data: PageData, columns: readonly WalletColumn[]): TableRow['cells'] =>
  columns.map(({ value, cell }) => (cell ?? value)(row, data));

export const dollarText = (amount: string | undefined): string | undefined =>
  amount === undefined ? undefined : roundedDollars({ kind: 'string', value: amount });

/** The value of the text that is shown beside the score. */
function rowLevel(row: PageRow, { level }: PageData): string | undefined {
  return level === undefined ? undefined : textCalled(row, level);
}

/** The score, or why it is missing. */
function scoreContent({ score, status }: PageRow): Child {
  if (score !== undefined) return score;
  return status === undefined || status === 'scored' ? '–' : h('span', { class: 'why' }, statusText(status));
}

export const statusText = (status: string): string => status.replace('_', ' ');

/** A button, which needs the script, that opens the card. */
export const addressButton = (wallet: string): Element => h('button', { type: 'button', class: 'address' }, wallet);

/** The list's own columns, each with its name. */
export function ownColumnsText(columns: PageRow['columns'] = []): Child {
  const named = columns.map(([name, text]) => h('span', { class: 'whole' }, name, ' ', h('b', {}, text)));
  const parted = named.map((column, i) => [i > 0 && ' · ', column]);
  return columns.length > 0 && h('span', { class: 'label' }, parted);
}

function rulesText({ verdicts, error }: PageRow): Child {
  return verdicts.map(({ mark, text }) => {
    if (mark === 'matched') return h('span', { class: 'rule whole' }, text);
    // The remark has it.
    if (text === error) return h('span', { class: 'label' }, MARK_WORDS[mark]);
    return h('span', { class: 'label' }, `${MARK_WORDS[mark]}${mark === 'excused' ? ' from ' : ': '}${text}`);
  });
}

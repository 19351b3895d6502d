/** The table of rows: the same for the page as it is written and for what its script shows later. */
import { dollars } from '../../value-text.ts';
import { minuteOf } from '../amounts.ts';
import type { PageData, PageRow } from '../page-data.ts';
import { STATUS_WORDS } from '../statement.ts';
import { type Element, h, type Markup } from './markup.ts';

export interface PageColumn {
  /** What the script sorts by. */
  readonly key: 'wallet' | 'status' | 'score' | 'collateral' | 'change' | 'rules' | 'remark' | 'at';
  readonly title: string;
  readonly isNumber?: boolean;
  /** Whether a narrow page has no room for it: a wallet's card says the same. */
  readonly isMinor?: boolean;
  readonly cell: (row: PageRow, data: PageData) => Markup | readonly Markup[];
}

const COLUMNS: readonly PageColumn[] = [
  {
    key: 'wallet',
    title: 'Wallet',
    cell: ({ wallet, label, others }) => [
      h('span', { class: 'wallet' }, wallet),
      ...[label, others].flatMap((text) => (text === undefined ? [] : [h('span', { class: 'label' }, text)])),
    ],
  },
  { key: 'status', title: 'Status', isMinor: true, cell: ({ status }) => (status ? STATUS_WORDS[status] : '') },
  { key: 'score', title: 'Score', isNumber: true, cell: ({ score }) => score ?? '–' },
  { key: 'collateral', title: 'Collateral', isNumber: true, cell: ({ collateral }) => dollarText(collateral) ?? '–' },
  { key: 'change', title: 'Change', isNumber: true, cell: changeText },
  { key: 'rules', title: 'Rules', cell: rulesText },
  { key: 'remark', title: 'Remark', isMinor: true, cell: (row) => remarkOf(row) ?? '' },
  {
    key: 'at',
    title: 'Answered (UTC)',
    isMinor: true,
    cell: ({ at }) => (at === undefined ? '' : minuteOf(at).replace(' UTC', '')),
  },
];

/** The columns of a page: those that none of its rows has a use for are left out. */
export function columnsOf({ isCompared, rules, rows }: PageData): readonly PageColumn[] {
  const used: Partial<Record<PageColumn['key'], boolean>> = {
    change: isCompared,
    rules: rules.length > 0,
    remark: rows.some((row) => remarkOf(row) !== undefined),
    at: rows.some(({ at }) => at !== undefined),
  };
  return COLUMNS.filter(({ key }) => used[key] ?? true);
}

/** Every digit as the service spelled it. */
export function dollarText(amount: string | undefined): string | undefined {
  return amount === undefined ? undefined : dollars({ kind: 'string', value: amount });
}

export const remarkOf = ({ error, warning }: PageRow) => error ?? warning;

function changeText({ change, delta }: PageRow): Markup {
  if (change === undefined || change === 'same') return '';
  if (delta === undefined || delta === '0') return change;
  return delta.startsWith('-') ? delta.replace('-', '−') : `+${delta}`;
}

function rulesText({ matched = [], unjudged = [], excused = [] }: PageRow, { rules }: PageData): readonly Markup[] {
  return [
    ...matched.map((rule) => h('span', { class: 'rule' }, rules[rule] ?? '')),
    ...unjudged.map((rule) => h('span', { class: 'label' }, `not judged: ${rules[rule] ?? ''}`)),
    ...excused.map(({ text }) => h('span', { class: 'label' }, `excused from ${text}`)),
  ];
}

/**
 * The cells of `row`. Their roles are said in words too: on a narrow page they stand below each other, and what is no table
 * to look at would be none to a screen reader either.
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

/** A table of `rows` as it stands on the page before its script runs. */
export function rowsTable(
  rows: readonly PageRow[],
  columns: readonly PageColumn[],
  data: PageData,
  id?: string,
): Element {
  const heads = columns.map(({ key, title, isNumber, isMinor }) => {
    const kinds = [isNumber && 'number', isMinor && 'minor'].filter(Boolean).join(' ') || undefined;
    return h('th', { scope: 'col', role: 'columnheader', 'data-key': key, class: kinds }, title);
  });
  return h(
    'table',
    { id, class: 'wallets', role: 'table' },
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, heads)),
    h(
      'tbody',
      { role: 'rowgroup' },
      rows.map((row) => h('tr', { role: 'row' }, rowCells(row, columns, data))),
    ),
  );
}

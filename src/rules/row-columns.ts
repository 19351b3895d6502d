/** The columns that a list adds to its rows, as values: each format converts them to text. */

import type { Node } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import type { Field } from '../paths/fields.ts';
import { inputText, type Row } from '../row/row.ts';
import { findIn, pick } from '../row/row-node.ts';
import { type VerdictColumn, verdictText } from '../row/verdict.ts';
import type { RuleSet } from './rule-set.ts';

export interface RowColumns {
  readonly names: readonly string[];
  /** A value for each name; undefined if the row has none. */
  readonly values: (row: Row) => readonly (Node | undefined)[];
}

/** The columns that rules and the exceptions of a policy add. */
export const verdictColumns = ({ rules, exceptions }: RuleSet): readonly VerdictColumn[] => [
  ...(rules.length > 0 ? (['matched', 'unjudged'] as const) : []),
  ...(exceptions ? (['excused'] as const) : []),
  ...(rules.some(({ level }) => level === 'watch') ? (['watched'] as const) : []),
];

export interface ColumnSelection {
  readonly fields?: readonly Field[] | undefined;
  /** Whether these are added to the default columns, or replace them. */
  readonly keepsDefaults?: boolean | undefined;
  /**
   * The columns that rules add at the end: `matched` and `unjudged`, with a policy also `excused`,
   * with watch rules also `watched`.
   */
  readonly verdictColumns?: readonly VerdictColumn[] | undefined;
}

/** The same for every list, so that the header never changes. */
export const DATA_COLUMNS: RowColumns = {
  names: ['wallet_address', 'status', 'total_collateral_usd', 'score', 'answered_at', 'warning', 'error'],
  values: (row) => [...mainValues(row), ...[row.answeredAt, row.warning, errorText(row)].map(optionalTextNode)],
};

/**
 * Only what a person looks for; the last column says what is wrong with a row. They have no names:
 * on a pipe the table is printed without a header.
 */
export const TABLE_COLUMNS: RowColumns = {
  names: [],
  values: (row) => [...mainValues(row), optionalTextNode(errorText(row) ?? row.warning)],
};

/**
 * The columns of a selection; `defaults` are those of a list without --fields. With --fields alone,
 * only the picked ones.
 */
export function rowColumns(
  { fields, keepsDefaults, verdictColumns = [] }: ColumnSelection,
  defaults: RowColumns,
): RowColumns {
  if (fields && !keepsDefaults) return fieldColumns(fields);
  const added = [
    ...(fields ? [fieldColumns(fields)] : []),
    ...(verdictColumns.length > 0 ? [verdictValues(verdictColumns)] : []),
  ];
  if (added.length === 0) return defaults;
  const parts = [defaults, ...added];
  return { names: parts.flatMap(({ names }) => names), values: (row) => parts.flatMap(({ values }) => values(row)) };
}

function verdictValues(verdictColumns: readonly VerdictColumn[]): RowColumns {
  return {
    names: verdictColumns,
    values: (row) => verdictColumns.map((name) => optionalTextNode(verdictText(row, name))),
  };
}

export function fieldColumns(fields: readonly Field[]): RowColumns {
  return {
    names: fields.map(({ name }) => name),
    values: (row) => pick(findIn(row), fields).map(([, node]) => node),
  };
}

function mainValues(row: Row): readonly (Node | undefined)[] {
  const collateral = row.document && memberOf(row.document, 'total_collateral_usd');
  return [walletOf(row) ?? optionalTextNode(inputTextOf(row)), optionalTextNode(row.status), collateral, row.score];
}

/**
 * The answer's spelling if there is one, so that a wallet that a list spells in three ways is one
 * wallet.
 */
export function walletOf({ document, wallet }: Row): Node | undefined {
  return (document && memberOf(document, 'wallet_address')) ?? optionalTextNode(wallet);
}

/** The input in place of a wallet, if the output has no column of the input. */
function inputTextOf({ wallet, cells, input }: Row): string | undefined {
  return wallet === undefined && cells === undefined ? inputText(input) : undefined;
}

/** Why a row has no answer; an input that is not a wallet is identified by its line. */
export function errorText(row: Row): string | undefined {
  if (!row.error) return undefined;
  if (row.wallet !== undefined) return row.error.message;
  return `line ${row.line}: ${row.error.message}`;
}

const optionalTextNode = (value: string | undefined): Node | undefined =>
  value === undefined ? undefined : { kind: 'string', value };

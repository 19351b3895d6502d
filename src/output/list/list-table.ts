/** A list on a terminal: its own columns, then wallet, status and amounts, then picked fields. */
import { memberOf } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import type { RowWriter } from '../../files/sink.ts';
import type { ListHead } from '../../lists/list.ts';
import type { Field } from '../../paths/fields.ts';
import { inputText, type Row } from '../../row/row.ts';
import { type ColumnSelection, errorText, fieldColumns, walletOf } from '../../rules/row-columns.ts';
import { visible } from '../../text/escape.ts';
import { truncate } from '../../text/width.ts';
import { drawingOn, type Terminal } from '../terminal/lines.ts';
import { type RowColumn, tableOfRows, WALLET_COLUMN } from '../terminal/row-table.ts';
import { headText } from '../terminal/table.ts';
import { WHOLE_WALLET } from '../terminal/wallet-names.ts';
import { fieldText } from '../value-text.ts';
import { verdictRemarks } from '../verdict-words.ts';
import { listColumns } from './own-columns.ts';

export interface ListRowsOptions extends ColumnSelection {
  /** The list that was read; undefined for wallets given as arguments. */
  readonly head?: ListHead | undefined;
}

export async function createListTable(
  { head, fields, keepsDefaults }: ListRowsOptions,
  terminal: Terminal,
): Promise<RowWriter<Row>> {
  const { width } = terminal;
  const hasDefaults = !fields || keepsDefaults === true;
  const columns = [
    ...listColumns(head ?? {}, width),
    ...(hasDefaults ? defaultColumns(head) : []),
    ...(fields ?? []).map((field) => fieldColumn(field, width)),
  ];
  const texts = hasDefaults ? { error: shownError, remarks } : { remarks: () => '' };
  return tableOfRows(columns, texts, await drawingOn(terminal));
}

/** Amounts start as wide as most of them are, `$12,345,678.90`. */
const defaultColumns = (head: ListHead | undefined): readonly RowColumn<Row>[] => [
  { ...WALLET_COLUMN, start: WHOLE_WALLET, cell: (row) => walletCell(row, head) },
  { head: 'STATUS', rank: 1, start: 8, cell: ({ status }) => status },
  { head: 'COLLATERAL', rank: 2, isNumber: true, isAnswer: true, start: 14, cell: collateralCell },
  { head: 'SCORE', isNumber: true, isAnswer: true, cell: scoreCell },
];

/** As wide as most values are (`Medium Risk`), so that later rows rarely widen a column. */
function fieldColumn(field: Field, width: number): RowColumn<Row> {
  const { values } = fieldColumns([field]);
  const cell = (row: Row) => truncate(fieldText(field.name, values(row)[0]), width);
  return { head: headText(field.name), isAnswer: true, cut: 'end', minWidth: 12, start: 12, cell };
}

/** The wallet of a row, or what the list has in its place, which may be nothing. */
function walletCell(row: Row, { walletColumn = -1 }: Partial<ListHead> = {}): string {
  const wallet = walletOf(row);
  if (wallet) return visible(cellText(wallet));
  const { input, cells = [] } = row;
  const hasColumn = walletColumn >= 0 && typeof input !== 'string';
  const text = hasColumn ? (cells[walletColumn]?.trim() ?? '') : inputText(input);
  return truncate(visible(text.slice(0, 2 * WHOLE_WALLET)), WHOLE_WALLET);
}

function collateralCell({ document }: Row): string {
  const collateral = document && memberOf(document, 'total_collateral_usd');
  return collateral ? fieldText('total_collateral_usd', collateral) : '';
}

const scoreCell = ({ document, score }: Row): string => (document ? visible(cellText(score)) || '-' : '');

function shownError(row: Row): string | undefined {
  const text = errorText(row);
  return text === undefined ? undefined : visible(text);
}

/** The warning of an answer, and what the rules say about it. */
const remarks = (row: Row): string =>
  visible([...(row.warning === undefined ? [] : [row.warning]), ...verdictRemarks(row)].join('; '));

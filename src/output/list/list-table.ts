/**
 * A list as a table, for a person. Rows appear as they arrive, so columns cannot wait for the
 * widest cell: rows that are ready together are laid out together, and columns grow when a later
 * row needs it.
 */
import { memberOf } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import type { RowWriter } from '../../files/sink.ts';
import type { ListHead } from '../../lists/list.ts';
import { inputText, type Row } from '../../row/row.ts';
import {
  type ColumnSelection,
  errorText,
  fieldColumns,
  type RowColumns,
  verdictText,
  walletOf,
} from '../../rules/row-columns.ts';
import { visible } from '../../text/escape.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { displayWidth, truncate } from '../../text/width.ts';
import { type Drawing, drawingOn, GAP, type Terminal, withRemarks } from '../terminal/lines.ts';
import { headText, Table, type TableColumn } from '../terminal/table.ts';
import { WHOLE_WALLET } from '../terminal/wallet-names.ts';
import { wholeWidth } from '../terminal/widths.ts';
import { fieldText } from '../value-text.ts';
import { createOwnColumns, type OwnColumns } from './own-columns.ts';

/** @param options.head the list, whose own columns come first */
export async function createListTable(
  { head, fields, keepsDefaults }: Pick<ColumnSelection, 'fields' | 'keepsDefaults'> & Pick<ListTableOptions, 'head'>,
  terminal: Terminal,
): Promise<RowWriter<Row>> {
  const hasDefaults = !fields || keepsDefaults === true;
  return drawRows(fieldColumns(fields ?? []), { head, hasDefaults, drawing: await drawingOn(terminal) });
}

/** Rows laid out together at most. */
const MAX_ROWS_HELD = 50;

/** A row measured and not yet drawn. */
interface Measured {
  readonly cells: readonly string[];
  /** Takes the place of the amounts, which a row without an answer does not have. */
  readonly error?: string | undefined;
  readonly remarks?: string | undefined;
}

interface ListTableOptions {
  readonly head?: ListHead | undefined;
  /** Whether wallet, status and amounts come before the fields. */
  readonly hasDefaults: boolean;
  readonly drawing: Drawing;
}

/** The list's own columns, then wallet, status and amounts, then fields. */
function listLayout(fields: RowColumns, { head, hasDefaults, drawing }: ListTableOptions) {
  const { width } = drawing;
  const own = createOwnColumns(head ?? {}, width);
  const room = width - own.labelWidth;
  const defaults = hasDefaults ? DEFAULT_COLUMNS.filter(({ from }) => from <= room) : [];
  const usual: readonly TableColumn[] = [...defaults, ...fields.names.map(fieldColumn)];
  const least = usual.map(({ head, minWidth = 0, start = 0, cut }) =>
    cut ? minWidth : Math.max(displayWidth(head), start),
  );
  const isNarrow = hasDefaults && defaults.length < DEFAULT_COLUMNS.length;
  const { columns, texts } = own.choose(isNarrow ? own.labelWidth : width - wholeWidth(least) - GAP.length);
  return {
    table: new Table([...columns, ...usual], { ...drawing, isCut: true }),
    cells: (row: Row) => [
      ...texts(row),
      ...defaults.map(({ text }) => ownCopy(text(row, own))),
      ...shownValues(fields, row, width),
    ],
    /** How many columns stay beside an error, which takes the place of the amounts. */
    beforeError: columns.length + defaults.filter(({ isNumber }) => !isNumber).length,
  };
}

function drawRows(fields: RowColumns, options: ListTableOptions): RowWriter<Row> {
  const { hasDefaults, drawing } = options;
  const { table, cells: cellsOf, beforeError } = listLayout(fields, options);
  /** `row` itself is not kept. */
  const measured = (row: Row): Measured => {
    const cells = cellsOf(row);
    if (!hasDefaults) return { cells };
    const error = errorText(row);
    return { cells, error: error && ownCopy(visible(error)), remarks: ownCopy(visible(remarksCell(row))) };
  };
  const lines = ({ cells, error, remarks = '' }: Measured) => {
    if (error === undefined) return withRemarks(table.line(cells), remarks, drawing);
    return table.behind(cells.slice(0, beforeError), error).map((line) => drawing.chalk.bold(line));
  };
  let held: Measured[] = [];
  let isBegun = false;
  const flush = () => {
    const drawn = [...(isBegun ? [] : [table.head()]), ...held.flatMap(lines)];
    isBegun = true;
    held = [];
    return drawn.map((line) => `${line}\n`).join('');
  };
  return {
    head: () => '',
    row(row) {
      const next = measured(row);
      table.observe(next.cells);
      held.push(next);
      return held.length === MAX_ROWS_HELD ? flush() : '';
    },
    flush: () => (held.length > 0 ? flush() : ''),
    foot: flush,
  };
}

/** As wide as most values are (`Medium Risk`), so that later rows rarely widen a column. */
const fieldColumn = (name: string): TableColumn => ({ head: headText(name), cut: 'end', minWidth: 12, start: 12 });

interface DefaultColumn extends TableColumn {
  /** It is left out in less room than this. */
  readonly from: number;
  readonly text: (row: Row, own: OwnColumns) => string;
}

/** Amounts start as wide as most of them are, `$12,345,678.90`. */
const DEFAULT_COLUMNS: readonly DefaultColumn[] = [
  { head: 'WALLET', from: 0, cut: 'middle', minWidth: 9, start: WHOLE_WALLET, text: displayName },
  { head: 'STATUS', from: 33, start: 8, text: ({ status }) => status },
  { head: 'COLLATERAL', from: 48, isNumber: true, start: 14, text: collateralCell },
  { head: 'SCORE', from: 0, isNumber: true, text: scoreCell },
];

/** Each value cut to `width` columns. */
const shownValues = ({ names, values }: RowColumns, row: Row, width: number) =>
  values(row).map((value, i) => ownCopy(truncate(fieldText(names[i] ?? '', value), width)));

function collateralCell({ document }: Row): string {
  const collateral = document && memberOf(document, 'total_collateral_usd');
  return collateral ? fieldText('total_collateral_usd', collateral) : '';
}

function scoreCell({ document, score }: Row): string {
  return document ? visible(cellText(score)) || '-' : '';
}

/** The warning of an answer, and what the rules say about it. */
function remarksCell(row: Row): string {
  const matched = verdictText(row, 'matched');
  const unjudged = verdictText(row, 'unjudged');
  const excused = verdictText(row, 'excused');
  const watched = verdictText(row, 'watched');
  const parts = [
    row.warning,
    matched && `matched ${matched}`,
    unjudged && `not judged: ${unjudged}`,
    excused && `excused from ${excused}`,
    watched && `watched ${watched}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

/** The wallet of a row, or the text found in its place. */
function displayName(row: Row, own: OwnColumns): string {
  const wallet = walletOf(row);
  if (wallet) return visible(cellText(wallet));
  const text = own.walletText(row) || inputText(row.input);
  return truncate(visible(text.slice(0, 2 * WHOLE_WALLET)), WHOLE_WALLET);
}

/**
 * A list as a table, for a person or for `cut` and `awk`. Rows appear as they arrive, so columns cannot wait for the widest cell:
 * rows that are ready together are laid out together, and columns grow when a later row needs it. On a pipe, cells are separated by
 * tabs and nothing is shortened.
 */
import type { Node } from '../../document/node.ts';
import { memberOf, type Path } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import type { ListHead } from '../../lists/list.ts';
import { formatRowPath, META } from '../../row/paths/own-names.ts';
import { inputText, type Row } from '../../row/row.ts';
import {
  type ColumnSelection,
  errorText,
  fieldColumns,
  type RowColumns,
  rowColumns,
  TABLE_COLUMNS,
  verdictText,
  walletOf,
} from '../../row/row-columns.ts';
import { visible } from '../../text/escape.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { displayWidth, truncate } from '../../text/width.ts';
import type { RowWriter, TextOptions } from '../rows/row-writer.ts';
import { type Drawing, drawingOn, GAP, withRemarks } from '../terminal/lines.ts';
import { type Cell, type Column, headText, minWidthOf, Table, wholeWidth } from '../terminal/table.ts';
import { fieldText } from '../value-text.ts';
import { createOwnColumns, type OwnColumns } from './own-columns.ts';

/** @param options.head the list; its own columns come first on a terminal */
export async function createTableWriter(
  options: ColumnSelection & TextOptions & { readonly head?: ListHead | undefined },
): Promise<RowWriter<Row>> {
  const { fields, keepsDefaults, terminal, head } = options;
  const columns = rowColumns(options, TABLE_COLUMNS);
  if (!terminal) return createTabWriter(columns);
  const drawing = await drawingOn(terminal);
  const own = createOwnColumns(head ?? {}, drawing.width);
  if (fields && !keepsDefaults) {
    const paths = fields.map(({ path }) => path);
    return laidOut(pickedLayout(columns, paths, { own, drawing }));
  }
  return laidOut(defaultLayout(fieldColumns(fields ?? []), own, drawing));
}

function createTabWriter(columns: RowColumns): RowWriter<Row> {
  return {
    head: () => '',
    row: (row) => `${columns.values(row).map(tabCell).join('\t').replace(WORKFLOW_COMMAND, '$1\\u003a:')}\n`,
    foot: () => '',
  };
}

const tabCell = (value: Node | undefined) => visible(cellText(value));

/** GitHub Actions treats a line of output that starts with `::` as a command. */
const WORKFLOW_COMMAND = /^(\s*)::/;

/** Turns rows into lines: every row is measured before any of its batch is drawn. */
interface Layout<Cells> {
  /** Extracts the cells of `row` and makes room for them; `row` itself is not kept. */
  measure(row: Row): Cells;
  heading(): string;
  draw(cells: Cells): readonly string[];
}

/** Rows laid out together at most. */
const MAX_ROWS_HELD = 50;

function laidOut<Cells>(layout: Layout<Cells>): RowWriter<Row> {
  let held: Cells[] = [];
  let isBegun = false;
  const flush = () => {
    const lines = [...(isBegun ? [] : [layout.heading()]), ...held.flatMap(layout.draw)];
    isBegun = true;
    held = [];
    return lines.map((line) => `${line}\n`).join('');
  };
  return {
    head: () => '',
    row(row) {
      held.push(layout.measure(row));
      return held.length === MAX_ROWS_HELD ? flush() : '';
    },
    flush: () => (held.length > 0 ? flush() : ''),
    foot: flush,
  };
}

/**
 * If the terminal is too narrow, columns added by --fields are shortened first, then the wallet, and then columns are left out.
 * Amounts start as wide as most of them are, `$12,345,678.90` and `474.123`.
 */
const DEFAULT_COLUMNS: readonly Column[] = [
  // A shorter address could not be recognised.
  { head: 'WALLET', cut: 'middle', minWidth: 13, start: 13, unseen: 42 },
  { head: 'STATUS', start: 8, narrow: { below: 33, width: 0 } },
  { head: 'COLLATERAL', isNumber: true, start: 14, maxWidth: 22, narrow: { below: 51, width: 0 } },
  { head: 'SCORE', isNumber: true, start: 7, maxWidth: 22, narrow: { below: 33, width: 5 } },
];

/** As wide as most values are (`Medium Risk`), so that later rows rarely widen a column. */
const VALUE_WIDTH = 12;

/** An added column keeps room for its name and a typical value before the address is shortened. */
const addedColumn = (head: string): Column => ({
  head,
  cut: 'end',
  minWidth: Math.max(VALUE_WIDTH, Math.min(16, displayWidth(head))),
});

/** The cells of a row; if it has an error, the error replaces the amounts. */
interface DefaultCells {
  readonly cells: readonly Cell[];
  readonly error: string | undefined;
  readonly remarks: string;
}

function defaultLayout(added: RowColumns, own: OwnColumns, drawing: Drawing): Layout<DefaultCells> {
  const { width, chalk } = drawing;
  const usual = [...DEFAULT_COLUMNS, ...added.names.map(headText).map(addedColumn)];
  const before = own.choose(width - minWidthOf(usual), width - wholeWidth(usual) - GAP.length);
  const table = new Table([...before, ...usual], { ...drawing, isCut: true });
  return {
    measure(row) {
      const texts = [nameOf(row, own, width), row.status, ...amountsOf(row), ...shownValues(added, row, width)];
      const cells = [...own.texts(row), ...texts];
      table.observe(cells);
      const error = errorText(row);
      return { cells, error: error && ownCopy(visible(error)), remarks: ownCopy(visible(remarksOf(row))) };
    },
    heading: () => table.head(),
    draw({ cells, error, remarks }) {
      if (error === undefined) return withRemarks(table.line(cells), remarks, drawing);
      // A row without an answer has no amounts: the error takes their place.
      return table.behind(cells.slice(0, before.length + 2), error).map((line) => chalk.bold(line));
    },
  };
}

/** Each value cut to `width` columns. */
const shownValues = ({ names, values }: RowColumns, row: Row, width: number) =>
  values(row).map((value, i) => ownCopy(truncate(fieldText(names[i] ?? '', value), width)));

function amountsOf({ document, score }: Row): readonly [collateral: string, score: string] {
  const collateral = document && memberOf(document, 'total_collateral_usd');
  const text = document ? visible(cellText(score)) || '-' : '';
  return [ownCopy(collateral ? fieldText('total_collateral_usd', collateral) : ''), ownCopy(text)];
}

/** The warning of an answer, and what the rules say about it. */
function remarksOf(row: Row): string {
  const matched = verdictText(row, 'matched');
  const unjudged = verdictText(row, 'unjudged');
  const excused = verdictText(row, 'excused');
  const parts = [
    row.warning,
    matched && `matched ${matched}`,
    unjudged && `not judged: ${unjudged}`,
    excused && `excused from ${excused}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

/** The wallet of a row, or the text found in its place. */
function nameOf(row: Row, own: OwnColumns, width: number): Cell {
  const wallet = walletOf(row);
  if (wallet) return ownCopy(visible(cellText(wallet)));
  return { loose: ownCopy(visible((own.walletText(row) || inputText(row.input)).slice(0, 4 * width))) };
}

/** Initial widths of well-known columns, so that later rows rarely widen them. */
const KNOWN_COLUMNS: ReadonlyMap<string, Pick<Column, 'isNumber' | 'start' | 'minWidth'>> = new Map([
  ['wallet_address', { start: 42, minWidth: 13 }],
  ['status', { start: 8, minWidth: 8 }],
  ['total_collateral_usd', { isNumber: true, start: 14, minWidth: 14 }],
  ['score', { isNumber: true, start: 7, minWidth: 7 }],
  ['answered_at', { start: 24 }],
  ['line', { isNumber: true, start: 4, minWidth: 4 }],
]);

function pickedColumn(name: string, path: Path, own: OwnColumns): Column {
  const [home, container, column] = path;
  const ofInput = home === META && container === 'input' && path.length === 3;
  const known = ofInput ? own.sampleColumn(String(column)) : KNOWN_COLUMNS.get(formatRowPath(path));
  return { head: headText(name), cut: 'end', minWidth: VALUE_WIDTH, start: VALUE_WIDTH, ...known };
}

/** The layout of picked columns, all of equal importance. */
function pickedLayout(
  columns: RowColumns,
  paths: readonly Path[],
  { own, drawing }: { readonly own: OwnColumns; readonly drawing: Drawing },
): Layout<readonly string[]> {
  const heads = columns.names.map((name, i) => pickedColumn(name, paths[i] ?? [], own));
  const before = own.choose(drawing.width - minWidthOf(heads), drawing.width - wholeWidth(heads) - GAP.length);
  const table = new Table([...before, ...heads], { ...drawing, isCut: true });
  return {
    measure(row) {
      const cells = [...own.texts(row), ...shownValues(columns, row, drawing.width)];
      table.observe(cells);
      return cells;
    },
    heading: () => table.head(),
    draw: (cells) => [table.line(cells)],
  };
}

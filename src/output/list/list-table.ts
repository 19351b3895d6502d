/**
 * A list for a person, or for `cut` and `awk`. Rows appear as they come, so the columns cannot wait for the widest cell:
 * rows that are ready together are laid out together, and what a later one needs more, it gets from there on. On a pipe
 * cells are separated by tabs, and nothing is cut.
 */
import type { Node } from '../../document/node.ts';
import { memberOf, type Path } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import type { ListHead } from '../../lists/list.ts';
import { formatRowPath, META } from '../../row/paths/own-names.ts';
import { parseRowPath } from '../../row/paths/row-path.ts';
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

/** @param options.head the list, whose own columns a person sees first */
export async function createTableWriter(
  options: ColumnSelection & TextOptions & { readonly head?: ListHead | undefined },
): Promise<RowWriter<Row>> {
  const { fields, keepsDefaults, allColumns, terminal, header, head } = options;
  const columns = rowColumns(options, TABLE_COLUMNS);
  if (!terminal) return createTabWriter(columns);
  const drawing = await drawingOn(terminal);
  const own = createOwnColumns(head ?? {}, drawing.width);
  if (allColumns || (fields && !keepsDefaults)) {
    const paths = allColumns?.map(parseRowPath) ?? fields?.map(({ path }) => path) ?? [];
    return laidOut(pickedLayout(columns, paths, { own, drawing }), header);
  }
  return laidOut(defaultLayout(fieldColumns(fields ?? []), own, drawing), header);
}

function createTabWriter(columns: RowColumns): RowWriter<Row> {
  return {
    head: () => '',
    row: (row) => `${columns.values(row).map(tabCell).join('\t').replace(WORKFLOW_COMMAND, '$1\\u003a:')}\n`,
    foot: () => '',
  };
}

const tabCell = (value: Node | undefined) => visible(cellText(value));

/** GitHub Actions runs a line of a job's output that begins so. */
const WORKFLOW_COMMAND = /^(\s*)::/;

/** How rows become lines: all that are drawn together are measured before. */
interface Layout<Cells> {
  /** What is shown of `row`, which is not kept for it, and makes room for it. */
  measure(row: Row): Cells;
  heading(): string;
  draw(cells: Cells): readonly string[];
}

/** Rows that never pause are shown this many at a time. */
const MAX_ROWS_HELD = 50;

function laidOut<Cells>(layout: Layout<Cells>, header: boolean): RowWriter<Row> {
  let held: Cells[] = [];
  let isBegun = !header;
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
 * A terminal too narrow for all shortens what --fields added, then the wallet, and then does without a column. Amounts begin as
 * wide as most are, `$12,345,678.90` and `474.123`; wider ones are rare.
 */
const DEFAULT_COLUMNS: readonly Column[] = [
  // A shorter address could not be recognised.
  { head: 'WALLET', cut: 'middle', minWidth: 13, start: 13, unseen: 42 },
  { head: 'STATUS', start: 8, narrow: { below: 33, width: 0 } },
  { head: 'COLLATERAL', isNumber: true, start: 14, maxWidth: 22, narrow: { below: 51, width: 0 } },
  { head: 'SCORE', isNumber: true, start: 7, maxWidth: 22, narrow: { below: 33, width: 5 } },
];

/** As wide as most values are, `Medium Risk`, lest each row moves what is behind it. */
const VALUE_WIDTH = 12;

/** An added column keeps the room for its name and a value, within reason, before an address is shortened. */
const addedColumn = (head: string): Column => ({
  head,
  cut: 'end',
  minWidth: Math.max(VALUE_WIDTH, Math.min(16, displayWidth(head))),
});

/** What a row shows: its cells, or as many as stand before the error that it has instead. */
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
      // A row without an answer has no amounts.
      return table.behind(cells.slice(0, before.length + 2), error).map((line) => chalk.bold(line));
    },
  };
}

/** No more of each value than fits a line of `width` columns. */
const shownValues = ({ names, values }: RowColumns, row: Row, width: number) =>
  values(row).map((value, i) => ownCopy(truncate(fieldText(names[i] ?? '', value), width)));

function amountsOf({ document, score }: Row): readonly [collateral: string, score: string] {
  const collateral = document && memberOf(document, 'total_collateral_usd');
  const text = document ? visible(cellText(score)) || '-' : '';
  return [ownCopy(collateral ? fieldText('total_collateral_usd', collateral) : ''), ownCopy(text)];
}

/** What a person should know of an answer beside its figures. */
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

/** The wallet of a row, or what stands where one should be. */
function nameOf(row: Row, own: OwnColumns, width: number): Cell {
  const wallet = walletOf(row);
  if (wallet) return ownCopy(visible(cellText(wallet)));
  return { loose: ownCopy(visible((own.walletText(row) || inputText(row.input)).slice(0, 4 * width))) };
}

/** How columns begin of which it is known what they hold, lest a later row moves what is behind them. */
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

/** Columns of which none is worth more than another. */
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

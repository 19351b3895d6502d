/**
 * The layout of a list of lines, decided by its beginning: plain lines, or as CSV, with its
 * delimiter, first line and columns. What spreadsheets put above the table (`sep=;`, a title) is
 * not a row.
 */

import { redactPrivateKeys, redactUnder } from '../../secrets/private-key.ts';
import { matchNames } from '../../text/same-name.ts';
import { addressesIn, findWallet, readWallet } from '../../wallet/address.ts';
import { checkWidth, isSkipped, type Line, missingCounter } from '../lines.ts';
import type { ListRecord, ReadListOptions } from '../list.ts';
import type { ListReading } from '../remarks.ts';
import { ListSyntaxError } from '../syntax-error.ts';
import {
  type Cells,
  chooseDelimiter,
  delimitersIn,
  hasHeader,
  isKnownName,
  isUsualName,
  looksLikeWallet,
  namedColumn,
  walletColumn,
  walletsIn,
} from './columns.ts';
import { alignCells, type CsvRecord, parseCsv } from './csv.ts';

export interface CsvLayout {
  readonly delimiter: string;
  /** The line on which the table begins, from 1. */
  readonly from: number;
  /** Whether the first record names the columns. */
  readonly isHeaded: boolean;
  /** Lines that only their position makes a title or a header: no cell has a usual name. */
  readonly guessed: readonly Line[];
  readonly columns: readonly string[];
  /** The index of the column with the wallets. */
  readonly column: number;
  /** The cells of the first rows. */
  readonly sample: readonly (readonly string[])[];
}

/**
 * The layout of the CSV that begins with `lines`; undefined when they are plain lines.
 * @throws ListSyntaxError when it is unclear which column has the wallets
 */
export function csvLayout(lines: readonly Line[], options: ReadListOptions): CsvLayout | undefined {
  const rows = lines.filter(({ text }) => !isSkipped(text));
  const separator = separatorOf(rows[0]);
  const start = separator === undefined ? rows[titleLength(rows, options)] : rows[1];
  const from = start?.line ?? 1;
  const table = lines.filter(({ line }) => line >= from);
  const delimiter = separator ?? chooseDelimiter(table, options);
  const isPlain = delimiter === undefined && options.column === undefined;
  if (isPlain && !hasHeader(parseCsv(table.slice(0, 1), { delimiter: ',' }), options)) return undefined;
  const title = separator === undefined ? rows.filter(({ line }) => line < from) : [];
  const cells = parseCsv(table, { delimiter: delimiter ?? ',' });
  return { from, ...layoutFrom(cells, { delimiter: delimiter ?? ',', title, first: start }, options) };
}

/**
 * The same of a sheet that begins with `rows`; undefined when they are one column without a name.
 */
export function sheetLayout(rows: readonly CsvRecord[], options: ReadListOptions): CsvLayout | undefined {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const cells = rows.map((row) => alignCells(row.cells, width, ','));
  const wallet = cells.findIndex((row) => row.some((cell) => hasWallet(cell, options) || looksLikeWallet(cell)));
  const above = cells.slice(0, Math.max(0, wallet));
  const title = wallet > MAX_TITLE_ROWS + 1 ? 0 : titleRows(above, width);
  const table = cells.slice(title);
  if (width === 1 && options.column === undefined && !hasHeader(table.slice(0, 1), options)) return undefined;
  const lines = rows.slice(0, title + 1).map((row): Line => ({ line: row.line, text: row.cells.join(', ') }));
  const [first] = lines.slice(title);
  const from = first?.line ?? 1;
  return { from, ...layoutFrom(table, { delimiter: ',', title: lines.slice(0, title), first }, options) };
}

/**
 * Whether `lines` are enough to decide how the list is read: one of them has a wallet, and it is
 * clear in which column.
 */
export function isDecided(lines: readonly Line[], options: ReadListOptions): boolean {
  const holdsWallet = lines.some(({ text }) => !isSkipped(text) && hasWallet(text, options));
  return holdsWallet && csvLayout(lines, options)?.columns.length !== 0;
}

const hasWallet = (text: string, rules: ReadListOptions) =>
  readWallet(text.trim(), rules).ok || addressesIn(text).length > 0;

interface CsvTable {
  readonly delimiter: string;
  /** The lines that are taken for a title. */
  readonly title: readonly Line[];
  /** The line of its first row. */
  readonly first: Line | undefined;
}

function layoutFrom(
  cells: readonly Cells[],
  { delimiter, title, first: line }: CsvTable,
  options: ReadListOptions,
): Omit<CsvLayout, 'from'> {
  const [first] = cells;
  // A quote is open on the first line: more lines are needed.
  if (!first) return { delimiter, isHeaded: false, guessed: [], columns: [], column: 0, sample: [] };
  // If --column is one of its names, the first row is the header.
  const { column: wanted } = options;
  const isNamedHeader = wanted !== undefined && !/^\d+$/.test(wanted) && matchNames(first, wanted).length > 0;
  const isHeaded = isNamedHeader || hasHeader(cells, options);
  const isUsual = !isHeaded || isNamedHeader || first.some(isUsualName);
  const width = Math.max(...cells.map((row) => row.length));
  checkWidth(isHeaded ? first.length : width);
  const columns = isHeaded ? first.map(redactPrivateKeys) : Array.from({ length: width }, (_, i) => numbered(i));
  const rows = cells.slice(isHeaded ? 1 : 0).map((row) => alignCells(row, columns.length, delimiter));
  const names = !isHeaded && areNames(first) && !first.some(looksLikeWallet) ? first : columns;
  if (!isHeaded && wanted === undefined) refuseWalletsPerLine(rows, delimiter, options);
  const column = wanted === undefined ? walletColumn(names, rows, options) : namedColumn(columns, wanted);
  const sample = rows.map((row) => shownCells(row, { columns, column }));
  const guessed = isUsual || !line ? title : [...title, line];
  return { delimiter, isHeaded, guessed, columns, column, sample };
}

/**
 * When each line has several wallets, taking one column would lose the others.
 * @throws ListSyntaxError when all cells are wallets, and not all of a line the same
 */
function refuseWalletsPerLine(rows: readonly Cells[], delimiter: string, rules: ReadListOptions): void {
  const lines = rows.map((row) => row.filter((cell) => cell.trim()).map((cell) => walletsIn(cell, rules)));
  const isAll = lines.every((wallets) => wallets.every((wallet) => wallet !== ''));
  const several = lines.find((wallets) => new Set(wallets).size > 1);
  if (!isAll || !several) return;
  const separator = delimiter === '\t' ? '\\t' : delimiter;
  const one = lines.length > 1 ? '; for one column only, use --column 1' : '';
  throw new ListSyntaxError(`there are ${several.length} wallets in a line, and no header says which one is meant`, {
    hint: `put each on a line of its own: tr -s '${separator} ' '\\n' < FILE > list.txt${one}`,
  });
}

/**
 * The cells of a row without what may be a private key: a hash is kept, but not in the place of a
 * wallet.
 */
const shownCells = (
  cells: readonly string[],
  { columns, column }: Pick<CsvLayout, 'columns' | 'column'>,
): readonly string[] => cells.map((cell, i) => redactUnder(i === column ? '' : (columns[i] ?? ''), cell));

/**
 * The names of the columns in a table with this layout, and what reads its rows. Notes what was
 * taken for a title or a header.
 */
export function tableReader(layout: CsvLayout, options: ListReading) {
  const { columns, column, delimiter, guessed } = layout;
  const { remarks } = options;
  remarks.header(guessed);
  const names = columns.map((name, i) => name || numbered(i));
  const count = missingCounter();
  return {
    names,
    /** The cells of a row as they may be shown, and its wallet. */
    read(cells: Cells) {
      count(cells.length, columns.length);
      const own = alignCells(cells, columns.length, delimiter);
      const shown = shownCells(own, layout);
      remarks.cells(names, own, shown);
      return { cells: shown, wallet: findWallet(own[column] ?? '', options) };
    },
  };
}

/** The record of a line, or of a row in one column without a name: its text is the wallet. */
export function plainRecord(line: number, text: string, options: ListReading): ListRecord {
  const input = redactPrivateKeys(text);
  if (input !== text) options.remarks.redacted();
  return { line, input, wallet: findWallet(text, options) };
}

const numbered = (index: number) => `column_${index + 1}`;

/** Whether each of `cells` may name a column: it is no number. */
const areNames = (cells: Cells) => cells.every((cell) => /[^\d\s.,%$€-]/.test(cell));

/** The delimiter in a first line such as `sep=;`, which Excel reads. */
function separatorOf(line: Line | undefined): string | undefined {
  return line && /^"?sep=([^\p{L}\p{N}\s"#]|\t)"?\r?$/iu.exec(line.text)?.[1];
}

const MAX_TITLE_ROWS = 10;
const filled = (row: Cells) => row.filter((cell) => cell.trim()).length;

/**
 * How many of the first rows are a title: all above a header row, which is above the first wallet.
 * A title row has one cell, or another number of cells than the table; any other row that is not a
 * wallet must not be dropped.
 */
function titleLength(rows: readonly Line[], options: ReadListOptions): number {
  const wallet = rows
    .slice(0, MAX_TITLE_ROWS + 2)
    .findIndex(({ text }) => hasWallet(text, options) || looksLikeWallet(text));
  const above = rows.slice(0, Math.max(0, wallet));
  for (const delimiter of delimitersIn(above)) {
    const cellsOf = (row: Line | undefined) => (row && parseCsv([row], { delimiter })[0]) ?? [];
    const title = titleRows(above.map(cellsOf), cellsOf(rows[wallet]).length);
    if (title > 0) return title;
  }
  return 0;
}

/** @param width of the row of the first wallet */
function titleRows(above: readonly Cells[], width: number): number {
  const named = above.findIndex((row) => filled(row) > 1 && row.some(isKnownName));
  // Without a known name, the last row above the first wallet, if each cell may name a column.
  const last = above.at(-1) ?? [];
  const areNamed = width > 1 && last.length === width && areNames(last);
  const header = named < 0 && areNamed ? above.length - 1 : named;
  const isTitle = (row: Cells) => filled(row) < 2 || row.length !== above[header]?.length;
  return header > 0 && above.slice(0, header).every(isTitle) ? header : 0;
}

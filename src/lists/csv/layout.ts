/**
 * How a list of lines is read, decided by its beginning: as plain lines, or as CSV, with its delimiter, first line and columns.
 * What spreadsheets put above the table (`sep=;`, a title) is not a row.
 */

import { withholdPrivateKeys } from '../../secrets/private-key.ts';
import { addressesIn, readWallet } from '../../wallet/address.ts';
import { isSkipped, type Line } from '../lines.ts';
import type { ReadListOptions } from '../list.ts';
import {
  chooseDelimiter,
  delimitersIn,
  hasHeader,
  isKnownName,
  looksLikeWallet,
  namedColumn,
  walletColumn,
} from './columns.ts';
import { alignCells, parseCsv } from './csv.ts';

export interface CsvLayout {
  readonly delimiter: string;
  /** The line on which the table begins, from 1. */
  readonly from: number;
  /** Whether the first record names the columns. */
  readonly isHeaded: boolean;
  readonly columns: readonly string[];
  /** The index of the column with the wallets. */
  readonly column: number;
  /** The cells of the first rows. */
  readonly sample: readonly (readonly string[])[];
}

/**
 * The layout of the CSV that begins with `lines`; undefined when they are plain lines.
 * @throws ListDamage when it is unclear which column has the wallets
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
  return { from, ...layoutOf(table, delimiter ?? ',', options) };
}

/** Whether `lines` are enough to decide how the list is read: one of them has a wallet, and it is clear in which column. */
export function isDecided(lines: readonly Line[], options: ReadListOptions): boolean {
  const holdsWallet = lines.some(({ text }) => !isSkipped(text) && holds(text, options));
  return holdsWallet && csvLayout(lines, options)?.columns.length !== 0;
}

const holds = (text: string, rules: ReadListOptions) =>
  readWallet(text.trim(), rules).ok || addressesIn(text).length > 0;

function layoutOf(table: readonly Line[], delimiter: string, options: ReadListOptions): Omit<CsvLayout, 'from'> {
  const cells = parseCsv(table, { delimiter });
  const [first] = cells;
  // A quote is open on the first line: more lines are needed.
  if (!first) return { delimiter, isHeaded: false, columns: [], column: 0, sample: [] };
  const isHeaded = hasHeader(cells, options) || isNamed(first, options.column);
  const width = Math.max(...cells.map((row) => row.length));
  const columns = isHeaded ? first.map(withholdPrivateKeys) : Array.from({ length: width }, (_, i) => numbered(i));
  const rows = cells.slice(isHeaded ? 1 : 0).map((row) => alignCells(row, { width: columns.length, delimiter }));
  const told = !isHeaded && areNames(first) && !first.some(looksLikeWallet) ? first : columns;
  const column =
    options.column === undefined ? walletColumn(told, rows, options) : namedColumn(columns, options.column);
  return { delimiter, isHeaded, columns, column, sample: rows.map((row) => row.map(withholdPrivateKeys)) };
}

export const numbered = (index: number) => `column_${index + 1}`;

/** Whether each of `cells` may name a column: it is no number. */
const areNames = (cells: readonly string[]) => cells.every((cell) => /[^\d\s.,%$€-]/.test(cell));

/** Whether --column is a name, and one of `cells`: then they are the header. */
function isNamed(cells: readonly string[], column: string | undefined): boolean {
  if (column === undefined || /^\d+$/.test(column)) return false;
  return cells.some((cell) => cell.trim().toLowerCase() === column.trim().toLowerCase());
}

/** The delimiter in a first line such as `sep=;`, which Excel reads. */
function separatorOf(line: Line | undefined): string | undefined {
  return line && /^"?sep=([,;|\t])"?\r?$/i.exec(line.text)?.[1];
}

const MAX_TITLE_ROWS = 10;
const filled = (row: readonly string[]) => row.filter((cell) => cell.trim()).length;

/**
 * How many of the first rows are a title: all above a header row, which is above the first wallet. A title row has one cell,
 * or another number of cells than the table; any other row that is not a wallet must not be dropped.
 */
function titleLength(rows: readonly Line[], options: ReadListOptions): number {
  const wallet = rows
    .slice(0, MAX_TITLE_ROWS + 2)
    .findIndex(({ text }) => holds(text, options) || looksLikeWallet(text));
  const above = rows.slice(0, Math.max(0, wallet));
  for (const delimiter of delimitersIn(above)) {
    const cells = above.map((row) => parseCsv([row], { delimiter })[0] ?? []);
    const named = cells.findIndex((row) => filled(row) > 1 && row.some(isKnownName));
    const header = named >= 0 ? named : lastNames(cells, rows, wallet, delimiter);
    const width = cells[header]?.length;
    const isTitle = (row: readonly string[]) => filled(row) < 2 || row.length !== width;
    if (header > 0 && cells.slice(0, header).every(isTitle)) return header;
  }
  return 0;
}

/** The index of the last row above the first wallet, if each of its cells may name a column; else -1. */
function lastNames(
  above: readonly (readonly string[])[],
  rows: readonly Line[],
  wallet: number,
  delimiter: string,
): number {
  const first = rows[wallet];
  const width = first ? (parseCsv([first], { delimiter })[0]?.length ?? 0) : 0;
  const last = above.at(-1) ?? [];
  const isNames = width > 1 && last.length === width && areNames(last);
  return isNames ? above.length - 1 : -1;
}

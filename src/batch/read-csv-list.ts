/** CSV as a wallet list: whether it has a header, which column holds the wallets, what is carried along. */
import { findWallet } from '../wallet/find.ts';
import { withhold } from '../wallet/secret.ts';
import type { ListOptions } from './list.ts';
import { hasHeader, namedColumn, walletColumn } from './read-columns.ts';
import { type CsvRecord, readCsv } from './read-csv.ts';
import type { Line } from './read-lines.ts';
import { type Batches, dropWhile, map, type Rows, sample } from './read-rows.ts';

interface Csv {
  readonly lines: Batches<Line>;
  readonly delimiter: string;
}

/** @throws ListDamage when there is no row, or no telling which column is meant. */
export async function openCsv({ lines, delimiter }: Csv, options: ListOptions): Promise<Rows> {
  const start = await sample(readCsv(lines, delimiter), csvLength);
  const cells = start.rows.map((record) => record.cells);
  const isHeaded = hasHeader(cells, options) || isNamed(cells[0] ?? [], options.column);
  const { rows, all } = await sample(
    isHeaded ? dropWhile(start.all, (record) => record === start.rows[0]) : start.all,
    csvLength,
  );
  const width = Math.max(...cells.map((row) => row.length));
  const columns = isHeaded
    ? (cells[0] ?? []).map((name) => withhold(name, options.format))
    : Array.from({ length: width }, (_, i) => numbered(i));
  const fitted = (record: CsvRecord) => alignCells(record.cells, { width: columns.length, delimiter });
  const column =
    options.column === undefined
      ? walletColumn(columns, rows.map(fitted), options)
      : namedColumn(columns, options.column);
  const names = columns.map((name, i) => name || numbered(i));
  return {
    head: { kind: 'csv', columns, delimiter },
    batches: map(all, (record) => {
      const own = fitted(record);
      const wallet = findWallet(own[column] ?? '', options);
      const shown = own.map((cell) => withhold(cell, options.format));
      return { line: record.line, input: shown.map((cell, i) => [names[i] ?? '', cell]), cells: shown, wallet };
    }),
  };
}

const csvLength = ({ cells }: CsvRecord) => cells.join(' ').length;
const numbered = (index: number) => `column_${index + 1}`;

/** Whether --column is a name, and one of `cells`: then they are the header, whatever stands below. */
function isNamed(cells: readonly string[], column: string | undefined): boolean {
  if (column === undefined || /^\d+$/.test(column)) return false;
  return cells.some((cell) => cell.trim().toLowerCase() === column.trim().toLowerCase());
}

/** As many cells as there are columns, so that what is added stays aligned: an unquoted delimiter is text of the last. */
function alignCells(
  cells: readonly string[],
  { width, delimiter }: { width: number; delimiter: string },
): readonly string[] {
  if (cells.length === width) return cells;
  if (cells.length < width) return [...cells, ...Array<string>(width - cells.length).fill('')];
  const excess = cells.slice(width);
  const isBlank = excess.every((cell) => cell.trim() === '');
  return isBlank ? cells.slice(0, width) : [...cells.slice(0, width - 1), cells.slice(width - 1).join(delimiter)];
}

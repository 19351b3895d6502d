/**
 * CSV as RFC 4180 has it, with LF. What is quoted is decided here: a library that is made for streams of records takes longer to be
 * asked for one than it takes to write it. Which text a spreadsheet would run is decided in text/formula.ts.
 */
import type { Node } from '../../document/node.ts';
import { cellText } from '../../row/row-columns.ts';
import { visible } from '../../text/escape.ts';
import { neutralise } from '../../text/formula.ts';
import type { RowCells, RowWriter, TextOptions } from './writer.ts';

/** What is quoted whatever the delimiter is. */
const SPECIAL = /["\r\n]/;

/** One record with its line end. A lone empty cell is quoted: a blank line would be no record to most readers. */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  if (cells.length === 1 && cells[0] === '') return '""\n';
  let line = '';
  for (const [i, cell] of cells.entries()) {
    const isQuoted = SPECIAL.test(cell) || cell.includes(delimiter);
    line += (i === 0 ? '' : delimiter) + (isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell);
  }
  return `${line}\n`;
}

export function createCsvWriter<R>(
  { names, input, values }: RowCells<R>,
  { header, terminal }: TextOptions,
): RowWriter<R> {
  // Data keeps its control characters; on a terminal they would be obeyed.
  const shown = terminal ? visible : (text: string) => text;
  const line = (cells: readonly string[]) => csvLine(cells.map(shown), input?.delimiter);
  return {
    head: () => (input?.bom ? '\ufeff' : '') + (header ? line(names) : ''),
    row: (row) => line([...(input?.cells(row) ?? []), ...values(row).map(safeText)]),
    foot: () => '',
  };
}

/** Only text can be a formula; a number such as -5 stays one. */
const safeText = (node: Node | undefined) => (node?.kind === 'number' ? node.spelling : neutralise(cellText(node)));

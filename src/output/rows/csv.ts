/** Rows as CSV (RFC 4180, but with LF). Formulas are neutralised by text/formula.ts. */
import type { Node } from '../../document/node.ts';
import { cellText } from '../../document/write.ts';
import { visible } from '../../text/escape.ts';
import { neutralise } from '../../text/formula.ts';
import type { Terminal } from '../terminal/lines.ts';
import { freeNames, type RowCells, type RowFormat } from './row-format.ts';

export const csvRows: RowFormat = ({ cells }, { terminal }) => ({ ...csvLines(cells(), terminal), foot: () => '' });

/** Lines of text: the header, and each row. @param terminal set if they are shown on one */
export function csvLines<R>({ own, names: added, values }: RowCells<R>, terminal: Terminal | undefined) {
  const { columns = [], delimiter, bom } = own?.head ?? {};
  const names = [...columns, ...freeNames(columns, added.map(neutralise))];
  // Data keeps its control characters; a terminal would interpret them.
  const shown = terminal ? visible : (text: string) => text;
  const line = (texts: readonly string[]) => csvLine(texts.map(shown), delimiter);
  // Only text can be a formula; a number such as -5 stays one.
  const text = (node: Node | undefined) => (node?.kind === 'number' ? node.spelling : neutralise(cellText(node)));
  return {
    head: () => (bom ? '\ufeff' : '') + (names.length > 0 ? line(names) : ''),
    row: (row: R) => line([...(own?.cells(row) ?? []), ...values(row).map(text)]),
  };
}

/** Characters that are quoted with any delimiter. */
const NEEDS_QUOTES = /["\r\n]/;

/**
 * One record with its line end. A single empty cell is quoted, because most readers skip blank
 * lines. Hand-written because csv libraries are made for streams and are slow for single records.
 */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  if (cells.length === 1 && cells[0] === '') return '""\n';
  let line = '';
  for (const [i, cell] of cells.entries()) {
    const isQuoted = NEEDS_QUOTES.test(cell) || cell.includes(delimiter);
    line += (i === 0 ? '' : delimiter) + (isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell);
  }
  return `${line}\n`;
}

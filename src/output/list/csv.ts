/**
 * CSV as RFC 4180 has it, with LF. What is quoted is decided here: a library that is made for streams of records takes longer to be
 * asked for one than it takes to write it. Which text a spreadsheet would run is decided in text/formula.ts.
 */

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

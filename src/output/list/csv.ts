/**
 * CSV as RFC 4180 has it, with LF. Quoting is csv-stringify's; which text a spreadsheet would run is decided in
 * text/formula.ts, because csv-stringify's own `escape_formulas` looks at the first character only and takes numbers for
 * formulas.
 */
import { stringify } from 'csv-stringify/sync';

/** One record with its line end. A lone empty cell is quoted: a blank line would be no record to most readers. */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  return stringify([cells], {
    delimiter,
    record_delimiter: '\n',
    quoted_match: /[\r\n]/,
    quoted_empty: cells.length === 1,
  });
}

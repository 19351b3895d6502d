/**
 * CSV as RFC 4180 has it, with LF. Quoting is csv-stringify's; which text a spreadsheet would run is decided here,
 * because csv-stringify's own `escape_formulas` looks at the first character only and takes numbers for formulas.
 */
import { stringify } from 'csv-stringify/sync';

/** A formula starts with one of these (OWASP, CSV injection), also behind what a spreadsheet trims away. */
const FORMULA = /^(?:[\t\r]|[\p{C}\p{Z}]*[=+\-@＝＋－＠])/u;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** GitHub Actions runs a line of a job's output that begins so; a quoted cell has lines of its own. */
const WORKFLOW_COMMAND = /^(?=[^\S\r\n\u2028\u2029]*::)/gm;

/** `text` such that a spreadsheet or a build log shows it instead of running it; text that is a number is left alone. */
export function neutralise(text: string): string {
  if (NUMBER.test(text)) return text;
  return (FORMULA.test(text) ? `'${text}` : text).replace(WORKFLOW_COMMAND, "'");
}

/** One record with its line end. A lone empty cell is quoted: a blank line would be no record to most readers. */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  return stringify([cells], {
    delimiter,
    record_delimiter: '\n',
    quoted_match: /[\r\n]/,
    quoted_empty: cells.length === 1,
  });
}

/**
 * Text that a spreadsheet or a build log would run: made harmless in csv by an apostrophe in front,
 * and read back. A text that has apostrophes there itself gets one more, so that what is read is
 * what was written.
 */

/**
 * At the start of a text: a formula starts like this (OWASP, CSV injection), also after what a
 * spreadsheet trims.
 */
const FORMULA = /'*(?:[\t\r]|[\p{C}\p{Z}]*[=+\-@＝＋－＠])/u.source;
/**
 * GitHub Actions runs a line of a job's output that begins like this; a quoted cell may have
 * several lines.
 */
const COMMAND_START = /'*[^\S\r\n\u2028\u2029]*::/u.source;
const START = '(?<![^])';

const DANGEROUS = new RegExp(`^(?=${START}${FORMULA}|${COMMAND_START})`, 'gmu');
const NEUTRAL = new RegExp(`^(?:${START}'(?=${FORMULA})|'(?=${COMMAND_START}))`, 'gmu');

const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Most cells: a line of ASCII that begins with a letter or a digit is neither of the two. */
const HARMLESS = /^(?:[0-9A-Za-z][ -~]*)?$/;

/**
 * `text` such that a spreadsheet or a build log shows it instead of running it; text that is a
 * number is left alone.
 */
export function neutralise(text: string): string {
  return HARMLESS.test(text) || PLAIN_NUMBER.test(text) ? text : text.replace(DANGEROUS, "'");
}

/**
 * The text of which `neutralise` made `cell`; a cell that it cannot have made comes from another
 * program, and stays as it is.
 */
export function unneutralise(cell: string): string {
  if (!cell.includes("'")) return cell;
  const text = cell.replace(NEUTRAL, '');
  return neutralise(text) === cell ? text : cell;
}

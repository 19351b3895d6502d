/** Text that a spreadsheet or a build log would run: made harmless in csv, and read back. */

/** A formula starts with one of these (OWASP, CSV injection), also after what a spreadsheet trims. */
const isFormula = (text: string) => /^(?:[\t\r]|[\p{C}\p{Z}]*[=+\-@＝＋－＠])/u.test(text);
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Also one that has the marks of a neutral one already: it gets one more, so that reading it back takes off one. */
const isLikeFormula = (text: string) => isFormula(text.replace(/^'+/, ''));

/** GitHub Actions runs a line of a job's output that begins like this; a quoted cell may have several lines. */
const WORKFLOW_COMMAND = /^(?='*[^\S\r\n\u2028\u2029]*::)/gm;
const NEUTRAL_COMMAND = /^'(?='*[^\S\r\n\u2028\u2029]*::)/gm;

/** Most cells: a line of ASCII that begins with a letter or a digit is neither of the two. */
const HARMLESS = /^(?:[0-9A-Za-z][ -~]*)?$/;

/** `text` such that a spreadsheet or a build log shows it instead of running it; text that is a number is left alone. */
export function neutralise(text: string): string {
  if (HARMLESS.test(text) || NUMBER.test(text)) return text;
  return (isLikeFormula(text) ? `'${text}` : text).replace(WORKFLOW_COMMAND, "'");
}

/** The text of which `neutralise` made `cell`. */
export function unneutralise(cell: string): string {
  if (!cell.includes("'")) return cell;
  const text = cell.replace(NEUTRAL_COMMAND, '');
  return text.startsWith("'") && isLikeFormula(text) ? text.slice(1) : text;
}

/** Tells a person at a terminal which file was made. */
import type { Context } from '../../context.ts';
import { shownPath } from '../../files/file-error.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { counted } from '../../text/words.ts';

/** In quotes only where it might be read as something else: a blank in it, or what had to be escaped. */
function nameOf(path: string): string {
  const name = visibleName(path);
  return /[\s'"\\]/.test(name) ? shownPath(path) : name;
}

/** @param rows that the file has; undefined where it has none, as a page */
export function sayWritten(output: string | undefined, context: Context, rows?: number): void {
  if (output === undefined || output === '-') return;
  context.report.hint(`wrote ${nameOf(output)}${rows === undefined ? '' : ` (${counted(rows, 'row')})`}`);
}

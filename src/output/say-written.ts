/** Says at a terminal which file was written. */
import type { Context } from '../context.ts';
import { madePath } from '../files/file-error.ts';
import { counted } from '../text/words.ts';

/**
 * @param output as `-o` was typed; nothing is said of standard output.
 * @param rows how many it has; undefined for a page
 */
export function sayWritten(output: string | undefined, context: Context, rows?: number): void {
  if (output === undefined || output === '-') return;
  context.report.hint(`wrote ${madePath(output)}${rows === undefined ? '' : ` (${counted(rows, 'row')})`}`);
}

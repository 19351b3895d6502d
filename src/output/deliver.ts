/** The end of a run that writes rows or a page: the output is completed, put in place, and named on a terminal. */
import type { Context } from '../context.ts';
import { madePath } from '../files/file-error.ts';
import type { Target } from '../files/target.ts';
import { counted } from '../text/words.ts';
import type { RowOutput, RowsEnd } from './rows/row-output.ts';

/** @throws IoError */
export async function deliver<R>(
  output: RowOutput<R>,
  target: Target,
  { context, ...how }: RowsEnd & { readonly context: Context },
): Promise<void> {
  await output.end(how);
  await target.commit();
  if (target.isReplacement) sayWritten(target.output, context, output.written());
}

/** Says at a terminal which file was written. @param rows how many it has; undefined for a page */
export function sayWritten(output: string | undefined, context: Context, rows?: number): void {
  if (output === undefined || output === '-') return;
  context.report.hint(`wrote ${madePath(output)}${rows === undefined ? '' : ` (${counted(rows, 'row')})`}`);
}

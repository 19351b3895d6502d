/** The end of a run that writes rows: its output is completed, put in place, and named. */
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import type { RowOutput, RowsEnd } from '../../output/rows/row-output.ts';
import { sayWritten } from './say-written.ts';

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

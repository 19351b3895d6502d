/** The end of a run that writes rows: its outputs are completed, put in place together, and named. */
import type { Output } from '../../cli/choose-format.ts';
import { type FormatName, isReport } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import { commitTargets } from '../../files/targets.ts';
import type { CountedOutput, RowsEnd } from '../../output/rows/row-output.ts';
import { sayWritten } from './say-written.ts';

export interface Delivery extends RowsEnd {
  readonly outputs: readonly Output<FormatName>[];
  readonly context: Context;
}

/** @throws IoError, which says which files are new when not all are */
export async function deliver<R>(
  output: CountedOutput<R>,
  targets: readonly Target[],
  { outputs, context, ...how }: Delivery,
): Promise<void> {
  await output.end(how);
  await commitTargets(placed(targets, how));
  for (const { output: path, isReplacement } of placed(targets, how)) {
    const format = outputs.find((one) => one.path === path)?.format;
    if (isReplacement) sayWritten(path, context, format && isReport(format) ? undefined : output.written());
  }
}

const placed = (targets: readonly Target[], { leavesFiles }: Pick<RowsEnd, 'leavesFiles'>) =>
  targets.filter(({ isReplacement }) => !(isReplacement && leavesFiles));

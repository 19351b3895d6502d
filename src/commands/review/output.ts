/**
 * What a review writes: the letter, document or lines on stdout; to the file of -o its rows as they
 * come, or its page when it is kept.
 */
import type { Sink } from '../../files/sink.ts';
import { writeAll } from '../../files/stream.ts';
import { checkTarget } from '../../files/target.ts';
import type { OpenedList } from '../../list-run/run-list.ts';
import { listRows } from '../../output/list/list-rows.ts';
import { writeReport } from '../../output/report/write-report.ts';
import { briefLines } from '../../output/review/brief.ts';
import { reviewText } from '../../output/review/document.ts';
import { letterLines } from '../../output/review/letter.ts';
import { openRows } from '../../output/rows/open-rows.ts';
import { runFacts } from '../../output/rows/row-format.ts';
import { paged } from '../../output/terminal/paged.ts';
import { terminalOrPipe } from '../../output/terminal/terminal-of.ts';
import type { Review } from '../../review/review.ts';
import type { Row } from '../../row/row.ts';
import type { ColumnSelection } from '../../rules/row-columns.ts';
import type { ReviewRun } from './review-options.ts';

/** Files that must not be written. */
const filesRead = ({ list, policy }: ReviewRun['options']) =>
  [list, policy].filter((path) => path !== undefined && path !== '-' && path !== '') as string[];

/** @throws IoError when the file of -o cannot be written */
export async function checkOutput({ options, context }: ReviewRun): Promise<void> {
  const { output } = options;
  if (output !== undefined) await checkTarget({ output, forbidden: filesRead(options) }, context);
}

/** Where -o names a file of rows. @throws IoError when it cannot be written */
export async function openOutput(
  { options, settings, context }: ReviewRun,
  columns: ColumnSelection,
  { head, rows }: Pick<OpenedList, 'head' | 'rows'>,
): Promise<Sink<Row> | undefined> {
  const { output, rowsFormat: format, list, rules } = options;
  if (output === undefined || format === 'html') return undefined;
  const run = runFacts([list], context, { rules, isSynthetic: settings.isSandbox });
  const to = { output, forbidden: filesRead(options), format, rows, run, context };
  return openRows(listRows({ ...columns, head }), to);
}

/** Writes the page to the file of -o, if that is one. @param path the kept review */
export async function writeReviewPage(
  path: string,
  review: Review,
  { options: { output, rowsFormat: format, typedWords }, context }: ReviewRun,
): Promise<void> {
  if (output === undefined || format !== 'html') return;
  await writeReport({ file: path, format, output, words: ['review', ...typedWords], review }, context);
}

/** Prints the letter, the document, or a few lines. */
export async function printReview(
  review: Review,
  { options: { format, brief, color, mayPrompt }, context }: ReviewRun,
): Promise<void> {
  if (format === 'json') {
    await writeAll(context.stdout, reviewText(review));
    return;
  }
  const terminal = terminalOrPipe({ output: undefined, color }, context);
  const lines = brief ? briefLines(review) : await letterLines(review, terminal);
  const text = `${lines.join('\n')}\n`;
  for await (const block of paged([text], { context, mayWait: mayPrompt && context.stdout.isTTY === true })) {
    await writeAll(context.stdout, block);
  }
}

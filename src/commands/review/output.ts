/**
 * The output of a review, made from its kept file: the letter, the document or the
 * brief on stdout, and the page or the rows in the file of -o.
 */
import { isScalar } from '../../document/node.ts';
import { memberOf } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import { ExitCode, ListError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import type { Sink } from '../../files/sink.ts';
import { writeAll } from '../../files/stream.ts';
import { checkTarget } from '../../files/target.ts';
import type { OpenedList } from '../../list-run/run-list.ts';
import { listRows } from '../../output/list/list-rows.ts';
import { writeReport } from '../../output/report/write-report.ts';
import { briefLines } from '../../output/review/brief.ts';
import { reviewText } from '../../output/review/document.ts';
import { fullDay, letterLines } from '../../output/review/letter.ts';
import { openRows } from '../../output/rows/open-rows.ts';
import { type RunFacts, runFacts } from '../../output/rows/row-format.ts';
import { paged } from '../../output/terminal/paged.ts';
import { terminalOrPipe } from '../../output/terminal/terminal-of.ts';
import { reviewVerdicts } from '../../review/alarms.ts';
import { type Review, readReview } from '../../review/read-review.ts';
import { inputNode, type Row } from '../../row/row.ts';
import { type ColumnSelection, verdictColumns } from '../../rules/row-columns.ts';
import { KeptReviews, type OpenedReview } from '../../runs/kept-reviews.ts';
import { openRun, SILENT } from '../../runs/open-run.ts';
import { isoDay, isoSeconds } from '../../text/when.ts';
import type { ReviewRun } from './review-options.ts';

/** Files that must not be written. */
const filesRead = ({ list, policy }: ReviewRun['options']) =>
  [list, policy].filter((path) => path !== undefined && path !== '-' && path !== '') as string[];

/** @throws IoError when the file of -o cannot be written */
export async function checkOutput({ options, context }: ReviewRun): Promise<void> {
  const { output } = options;
  if (output !== undefined) await checkTarget({ output, forbidden: filesRead(options) }, context);
}

/**
 * Opens the file of -o for rows; undefined if -o is not given, or names a page.
 * @throws IoError when it cannot be written, UsageError for more rows than the format can take
 */
async function openRowsOutput(
  { options, context }: ReviewRun,
  columns: ColumnSelection,
  { head, rows, run }: Pick<OpenedList, 'head' | 'rows'> & { readonly run: RunFacts },
): Promise<Sink<Row> | undefined> {
  const { output, rowsFormat: format } = options;
  if (output === undefined || format === 'html') return undefined;
  const forbidden = filesRead(options);
  return openRows(listRows({ ...columns, head }), { output, forbidden, format, rows, run, context });
}

/** @throws as openRowsOutput, before anything is sent */
export async function checkRowsOutput(list: OpenedList, columns: ColumnSelection, run: ReviewRun): Promise<void> {
  const facts = runFacts([run.options.list], run.context, run.options);
  await (await openRowsOutput(run, columns, { ...list, run: facts }))?.close();
}

/** Writes the file of -o. */
export async function writeOutput(kept: OpenedReview, review: Review, run: ReviewRun): Promise<void> {
  const { output, rowsFormat: format, typedWords } = run.options;
  if (output === undefined) return;
  if (format !== 'html') return writeRowsOf(kept, review, run);
  const words = ['review', ...typedWords];
  await writeReport({ file: kept.file.path, format, output, words, review }, run.context);
}

/**
 * The rows of a kept review as profile -o writes those of a list; their verdicts are the alarms
 * that are open, confirmed today or not.
 */
async function writeRowsOf({ plain, header, end }: OpenedReview, review: Review, run: ReviewRun): Promise<void> {
  const { context } = run;
  const { kind, columns, delimiter, bom, sheet } = header.list;
  const head =
    columns.length > 0 ? { kind, columns, delimiter, bom, ...(sheet !== undefined && { sheet }) } : undefined;
  const facts = { source: review.name, at: header.started, rules: header.rules, isSynthetic: review.isSandbox };
  const verdicts = { verdictColumns: verdictColumns(header) };
  const sink = await openRowsOutput(run, verdicts, { head, rows: end.rows, run: facts });
  try {
    const { rows } = await openRun(plain, { host: context, report: SILENT });
    for await (const row of rows) {
      context.signal().throwIfAborted();
      const judged = { ...row, verdicts: reviewVerdicts(row) };
      await sink?.row(head ? { ...judged, cells: cellsOf(row, columns) } : judged);
    }
    await sink?.end({ counts: end.counts });
  } finally {
    await sink?.close();
  }
}

/**
 * The cells of the list's columns: those of a record in its order, those of JSON by their names.
 */
function cellsOf({ input }: Row, columns: readonly string[]): readonly string[] {
  const node = inputNode(input);
  const members = node.kind === 'object' ? node.members : [];
  const isRecord = members.length === columns.length && members.every(([name], i) => name === columns[i]);
  if (isRecord) return members.map(([, value]) => cellText(value));
  return columns.map((name) => {
    const value = memberOf({ kind: 'object', members }, name);
    return value && isScalar(value) ? cellText(value) : '';
  });
}

/** Prints the letter, the document, or the brief. */
export async function printReview(
  review: Review,
  { options: { format, brief, color, mayPrompt }, context }: ReviewRun,
): Promise<void> {
  if (format === 'json') return writeAll(context.stdout, reviewText(review));
  const isTerminal = context.stdout.isTTY === true;
  const terminal = terminalOrPipe({ output: undefined, color }, context);
  const lines = brief ? briefLines(review) : await letterLines(review, terminal);
  const text = `${lines.join('\n')}\n`;
  for await (const block of paged([text], { context, mayWait: mayPrompt && isTerminal })) {
    await writeAll(context.stdout, block);
  }
}

const EXITS = Object.values(ExitCode);

/**
 * `--as-of WHEN`: prints a kept review again. Nothing is sent.
 * @returns the exit code that the review had
 * @throws ListError if none is that old
 */
export async function printKept(asOf: number, run: ReviewRun): Promise<ExitCode | undefined> {
  const { options, context } = run;
  await checkOutput(run);
  const reviews = new KeptReviews({ folder: options.folder, context, trustsAll: true });
  try {
    const files = reviews.files.filter(({ started }) => started <= asOf);
    const kept = await reviews.firstUsable(files, async (opened) => opened);
    if (!kept) throw noReview(asOf, run, reviews);
    const day = isoDay(kept.file.started);
    if (day !== isoDay(asOf)) context.report.info(`the newest review up to then is of ${fullDay(day)}`);
    const review = await readReview(kept, context);
    await writeOutput(kept, review, run);
    await printReview(review, run);
    return EXITS.find((code) => code === kept.end.exitCode);
  } finally {
    reviews.close();
  }
}

function noReview(asOf: number, { options }: ReviewRun, { files }: KeptReviews): ListError {
  const oldest = files.at(-1);
  const code = 'no_review';
  const none = `${shownPath(options.folder)} has no review`;
  if (!oldest) return new ListError(none, { code, hint: 'riskcli review LIST keeps one' });
  const message = `${none} from ${isoSeconds(asOf)} or before: the oldest is from ${isoSeconds(oldest.started)}`;
  return new ListError(message, { code, hint: 'name a later time' });
}

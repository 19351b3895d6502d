/** `riskcli review --as-of WHEN`: a kept review printed as it was. Nothing is sent. */
import { basename, resolve } from 'node:path';
import { isScalar, type ObjectNode } from '../../document/node.ts';
import { memberOf } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import { ExitCode, ListError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import type { PlainFile } from '../../lists/plain-file.ts';
import { rebuildReview } from '../../review/rebuild.ts';
import { inputNode, type Row, type RowInput } from '../../row/row.ts';
import { verdictColumns } from '../../rules/row-columns.ts';
import { openKept, reportPassedOver } from '../../runs/open-kept.ts';
import { openRun, SILENT } from '../../runs/open-run.ts';
import { type KeptFile, keptFiles } from '../../runs/review-folder.ts';
import type { ReviewEnd, ReviewHeader } from '../../runs/review-lines.ts';
import { isoSeconds } from '../../text/when.ts';
import { checkOutput, openOutput, printReview, writeReviewPage } from './output.ts';
import type { ReviewRun } from './review-options.ts';

const EXITS = Object.values(ExitCode);

/** @returns the exit code that the review had. @throws ListError where none is that old */
export async function printKept(asOf: number, run: ReviewRun): Promise<ExitCode | undefined> {
  const { options } = run;
  await checkOutput(run);
  const files = keptFiles(options.folder);
  for (const file of files.filter(({ begun }) => begun <= asOf)) {
    const others = files.filter((other) => other !== file);
    const exitCode = await printIfWhole(file, others, run);
    if (exitCode !== undefined) return EXITS.find((code) => code === exitCode);
  }
  const oldest = files.at(-1);
  const message = `${shownPath(options.folder)} has no review from ${isoSeconds(asOf)} or before`;
  throw new ListError(oldest ? `${message}: the oldest is from ${isoSeconds(oldest.begun)}` : message, {
    code: 'no_review',
    hint: oldest ? 'name a later time' : 'riskcli review LIST keeps one',
  });
}

/** @returns its exit code; undefined, with a warning, where it cannot be used */
async function printIfWhole(file: KeptFile, files: readonly KeptFile[], run: ReviewRun): Promise<number | undefined> {
  const { context } = run;
  let plain: PlainFile | undefined;
  try {
    plain = await openKept(file, { context, trustsAll: true });
    const folder = basename(resolve(run.options.folder));
    const report = { info: context.report.info, warn() {} };
    const kept = await rebuildReview(plain, { context, files, folder, report });
    if (!kept) throw new ListError('it is torn, or no kept review');
    await writeRowsOf(plain, kept, run);
    await writeReviewPage(file.path, kept.review, run);
    await printReview(kept.review, run);
    return kept.end.exitCode;
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    reportPassedOver(file, error.message, context);
    return undefined;
  } finally {
    plain?.close();
  }
}

/** Writes the rows to the file of -o, if that takes rows. */
async function writeRowsOf(
  plain: PlainFile,
  { header, end }: { readonly header: ReviewHeader; readonly end: ReviewEnd },
  run: ReviewRun,
): Promise<void> {
  const { options, context } = run;
  if (options.output === undefined || options.rowsFormat === 'html') return;
  const kept = await openRun(plain, { host: context, report: SILENT });
  // Numbers of a workbook are numbers; those of another list are texts.
  const kind = /\.xls[xm]$/i.test(header.list.name) ? 'workbook' : 'csv';
  let rows: Awaited<ReturnType<typeof openOutput>>;
  let columns: readonly string[] | undefined;
  try {
    for await (const row of kept.rows) {
      context.signal().throwIfAborted();
      columns ??= listColumnsOf(row.input);
      const head = columns.length > 0 ? ({ kind, columns, delimiter: ',', bom: false } as const) : undefined;
      rows ??= await openOutput(run, { verdictColumns: verdictColumns(header) }, { head, rows: end.rows });
      await rows?.row(columns.length > 0 ? { ...row, cells: cellsOf(row, columns) } : row);
    }
    await rows?.end({ counts: kept.end()?.counts ?? {} });
  } finally {
    await rows?.close();
  }
}

/** The list's own columns, those of its first row. */
const listColumnsOf = (input: RowInput): readonly string[] =>
  objectOf(input).members.flatMap(([name, value]) => (isScalar(value) ? [name] : []));

const cellsOf = ({ input }: Row, columns: readonly string[]) =>
  columns.map((name) => cellText(memberOf(objectOf(input), name)));

function objectOf(input: RowInput): ObjectNode {
  const node = inputNode(input);
  return node.kind === 'object' ? node : { kind: 'object', members: [] };
}

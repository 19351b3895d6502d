/** `riskcli review --as-of WHEN`: a kept review printed as it was. Nothing is sent. */
import type { Context } from '../../context.ts';
import { isScalar, NULL, type ObjectNode } from '../../document/node.ts';
import { memberOf } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import { ExitCode, ListError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import { tryEarlier } from '../../output/review/compared.ts';
import { retell } from '../../output/review/retell.ts';
import { inputNode, type Row, type RowInput } from '../../row/row.ts';
import { verdictColumns } from '../../row/row-columns.ts';
import { type KeptFile, keptFiles } from '../../runs/keep-folder.ts';
import { openResults } from '../../runs/open-results.ts';
import { isoSeconds } from '../../text/when.ts';
import { writeReviewPage } from './page-file.ts';
import { printReview } from './print.ts';
import type { ReviewRun } from './review-options.ts';
import { checkOutput, openOutput } from './review-sink.ts';

/** @returns the exit code that the review had. @throws ListError where none is that old */
export async function printKept(asOf: number, run: ReviewRun): Promise<ExitCode | undefined> {
  const { options } = run;
  const files = keptFiles(options.folder);
  for (const file of files.filter(({ begun }) => begun <= asOf)) {
    const kept = await openKept(file, run);
    if (!kept) continue;
    return print(file, { files: files.filter((other) => other !== file), run });
  }
  const oldest = files.at(-1);
  const message = `${shownPath(options.folder)} has no review from ${isoSeconds(asOf)} or before`;
  throw new ListError(oldest ? `${message}: the oldest is from ${isoSeconds(oldest.begun)}` : message, {
    code: 'no_review',
    hint: oldest ? 'name a later time' : 'riskcli review LIST keeps one',
  });
}

const EXITS = Object.values(ExitCode);

/** Whether the review at `file` is whole; told where it is not. */
async function openKept(file: KeptFile, { context, options }: ReviewRun): Promise<boolean> {
  const judging = { rules: [], exceptions: undefined, accept: options.accept, scorePath: undefined, base: undefined };
  return (await tryEarlier(file, { judging, context })) !== undefined;
}

async function print(
  file: KeptFile,
  { files, run }: { readonly files: readonly KeptFile[]; readonly run: ReviewRun },
): Promise<ExitCode | undefined> {
  const { options, context } = run;
  await checkOutput(run);
  const results = await openResults(file.path, { host: context, onDamage: context.report.warn });
  try {
    const { review } = results;
    if (!review) throw new TypeError('a kept review was read before');
    const { header } = review;
    const columns = options.output === undefined ? undefined : await listColumns(file.path, context);
    const head = columns && ({ kind: 'csv', columns, delimiter: ',', bom: false } as const);
    const rows = await openOutput(run, { verdictColumns: verdictColumns(header) }, { head, rows: undefined });
    try {
      const cellsOf = ({ input }: Row) => columns?.map((name) => cellText(memberOf(objectOf(input), name)));
      const told = await retell(results, {
        header,
        files,
        context,
        onRow: (row) => rows?.row(columns ? { ...row, cells: cellsOf(row) } : row),
      });
      await rows?.end({ counts: review.end()?.counts ?? {} });
      await writeReviewPage(file.path, told, run);
      await printReview(told, run);
    } finally {
      await rows?.close();
    }
    return EXITS.find((code) => code === review.end()?.exitCode);
  } finally {
    results.close();
  }
}

/** The list's own columns, those of its first row; undefined where it had none. */
async function listColumns(path: string, context: Context): Promise<readonly string[] | undefined> {
  const results = await openResults(path, { host: context, onDamage() {} });
  try {
    for await (const { input } of results.rows) {
      const { members } = objectOf(input() ?? NULL);
      return members.length > 0 ? members.flatMap(([name, value]) => (isScalar(value) ? [name] : [])) : undefined;
    }
    return undefined;
  } finally {
    results.close();
  }
}

function objectOf(input: RowInput): ObjectNode {
  const node = inputNode(input);
  return node.kind === 'object' ? node : { kind: 'object', members: [] };
}

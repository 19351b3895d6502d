/** Rows of a list, written to where -o says, and the line with which the list ends. */

import type { Context } from '../../context.ts';
import { isScalar } from '../../document/node.ts';
import { formatPath } from '../../document/path.ts';
import { checkTarget } from '../../files/target.ts';
import { concludeList } from '../../list-run/conclusion.ts';
import { dryRun } from '../../list-run/dry-run.ts';
import { type ListInput, openInput, reportRemarks } from '../../list-run/input.ts';
import { type OpenedList, runList } from '../../list-run/run-list.ts';
import type { ListRecord, ListRemark } from '../../lists/list.ts';
import { listRows } from '../../output/list/list-rows.ts';
import { openRows } from '../../output/rows/open-rows.ts';
import { type ListSummary, renderSummary, summaryLines } from '../../output/terminal/summary.ts';
import { terminalOf } from '../../output/terminal/terminal-of.ts';
import { hasColumns } from '../../row/formats.ts';
import { inputNode } from '../../row/row.ts';
import { RowJudge } from '../../rules/row-judge.ts';
import { terminalColumns } from '../../text/columns.ts';
import { type ProfileOptions, type ProfileRun, profileRunFacts } from './profile-options.ts';

/**
 * @throws whatever stopped the list, with the counts in its message; the same command continues
 * with what was not asked
 */
export async function profileList(run: ProfileRun): Promise<undefined> {
  const { options, context } = run;
  // A dry run says it in what it prints.
  const onRead = (remarks: readonly ListRemark[]) => options.dryRun || reportRemarks(remarks, context);
  const input = await openInput({ ...options, onRead }, context);
  try {
    const judged = new RowJudge(options, context);
    const { journalUse: journal } = options;
    const { paths } = judged;
    if (options.dryRun) await dryRun({ ...run, input, journal, paths });
    else await writeList(run, input, judged);
  } finally {
    input.close();
  }
}

async function writeList(run: ProfileRun, input: ListInput, judged: RowJudge): Promise<void> {
  const { options, settings, context } = run;
  const { journalUse: journal, maxRequests, rate, concurrency, output } = options;
  const terminal = terminalOf(options, context);
  const forbidden = profileInputFiles(options);
  await checkTarget({ output, forbidden }, context);
  const end = await runList({
    ...{ settings, context, input, journal, maxRequests, rate, concurrency, paths: judged.paths },
    showsRows: terminal !== undefined,
    async openSink({ head, first, rows }: OpenedList) {
      if (hasColumns(options.format)) hintNested(first, run);
      const { format, shape } = options;
      if (shape.top !== undefined && !shape.sort && !shape.where) {
        context.report.info('--top cuts what is shown: all rows of the list are requested, and paid for');
      }
      const about = { terminal, rows, run: profileRunFacts(run) };
      const kind = listRows({ ...judged.columns, head });
      const sink = await openRows(kind, { output, forbidden, format, shape, context, ...about });
      return { ...sink, row: (row) => sink.row(judged.judge(row)) };
    },
  });
  const error = concludeList(end, { ...options, judged, context, journal: journal?.path });
  // After a stop it is unknown which exceptions the remaining rows would have used.
  if (!end.stop) judged.reportOnRules();
  printSummary(end.summary, context);
  if (error) throw error;
  context.signal().throwIfAborted();
}

/** For a person only. */
function printSummary(summary: ListSummary, { stderr, report }: Context): void {
  if (!stderr.isTTY || report.isQuiet) return;
  if (report.isJson) report.info(summaryLines(summary).join('; '));
  else stderr.write(renderSummary(summary, { width: terminalColumns(stderr) }), () => {});
}

/** Cells hold only the scalars of a JSON element: what they leave out is reported. */
function hintNested([first]: readonly ListRecord[], { options: { selection, format }, context }: ProfileRun): void {
  const node = first && inputNode(first.input);
  const [name] = (node?.kind === 'object' ? node.members : []).find(([, value]) => !isScalar(value)) ?? [];
  if (name === undefined || selection.fields?.some(({ path }) => path[1] === 'input')) return;
  const path = formatPath(['input', name]);
  context.report.hint(`${format} has no column for ${path} of the list; --fields '+NAME=${path}.MEMBER' adds one`);
}

/** Files that the run reads, which the output must not replace. */
function profileInputFiles({ source, journalUse, policy }: ProfileOptions): string[] {
  const list = source.kind === 'file' ? source.file : undefined;
  return [list, journalUse?.path, policy].filter((path) => path !== undefined);
}

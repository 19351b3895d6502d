/** Rows of a list, written to where -o says, and the line with which the list ends. */

import type { Context } from '../../context.ts';
import { checkTarget, openTarget, type Target } from '../../files/target.ts';
import { openInput } from '../../list-run/input.ts';
import { type RowSink, runList } from '../../list-run/run-list.ts';
import { createListOutput } from '../../output/list/list-output.ts';
import type { RowOutput } from '../../output/rows/row-output.ts';
import { accountFor, type ListSummary, renderSummary, summaryLines } from '../../output/terminal/summary.ts';
import type { Row } from '../../row/row.ts';
import { columnsOf } from '../../text/width.ts';
import { deliver } from '../shared/deliver.ts';
import { type JudgedRows, judgeRows } from '../shared/judged-rows.ts';
import { concludeList } from '../shared/list/conclusion.ts';
import type { ListOptions, ListRun } from '../shared/list/options.ts';

/** @throws whatever stopped the list, with the counts in its message; the same command continues with what was not asked */
export async function profileList(run: ListRun): Promise<undefined> {
  const { options, context } = run;
  const input = await openInput(options, context);
  try {
    const judged = judgeRows(options, context);
    for (const warning of judged.view.typoWarnings) context.report.hint(warning);
    if (options.dryRun) await (await import('../shared/list/dry-run.ts')).dryRun(input, run);
    else await writeList(run, input, judged);
  } finally {
    input.close();
  }
}

async function writeList(
  run: ListRun,
  input: Awaited<ReturnType<typeof openInput>>,
  judged: JudgedRows,
): Promise<void> {
  const { options, settings, context, tell } = run;
  const { journalUse: journal, maxRequests, rate, concurrency } = options;
  const sink = await openSink(run, judged);
  try {
    const gates = { evaluate: judged.evaluate, firstLook: judged.view.firstLook };
    const end = await runList({ settings, context, input, maxRequests, rate, concurrency, journal, gates, sink });
    const { requests, refusals } = end.summary;
    const rows = accountFor(end.counts, end.stop && end.total).byStatus;
    tell?.({ rows, matched: judged.matches.counts.byRule, requests, refusals });
    const error = concludeList(end, { options, judged, context, journal: journal?.path });
    // After a stop, an exception might have applied to a row not reached.
    if (!end.stop) judged.reportOnRules();
    printSummary(end.summary, context);
    if (error) throw error;
    context.signal().throwIfAborted();
  } finally {
    await sink.close();
  }
}

/** For a person only. */
function printSummary(summary: ListSummary, { stderr, report }: Context): void {
  if (!stderr.isTTY || report.isQuiet) return;
  if (report.isJson) report.info(summaryLines(summary).join('; '));
  else stderr.write(renderSummary(summary, { width: columnsOf(stderr) }), () => {});
}

/** Writes rows to where -o says. @throws IoError where they cannot be written */
async function openSink(run: ListRun, judged: JudgedRows): Promise<RowSink & { close(): Promise<void> }> {
  const { options, context } = run;
  const { output, format } = options;
  const destination = { output, forbidden: filesRead(options) };
  await checkTarget(destination, context);
  let target: Target | undefined;
  let rows: RowOutput<Row> | undefined;
  return {
    isShown: judged.view.terminal !== undefined,
    async open(head) {
      // Checks the path again: the journal exists now.
      target = await openTarget(destination, context);
      const cards = cardsOf(run, judged);
      rows = await createListOutput(target, { format, view: judged.view, head, cards, context });
    },
    row: (row) => rows?.row(row),
    flush: () => rows?.flush(),
    async end({ stop, isOutputWhole }) {
      // After a torn row nothing is written. A file is replaced by the whole list; a stream has its rows, and only its end is written.
      if (!target || !rows || !isOutputWhole || (stop && target.isReplacement)) return;
      await deliver(rows, target, { isStopped: stop !== undefined, context });
    },
    async close() {
      rows?.close();
      await target?.discard();
    },
  };
}

/** Files that the run reads, which the output must not replace. */
function filesRead({ source, journalUse, policy }: ListOptions): string[] {
  const list = source.kind === 'file' ? source.file : undefined;
  return [list, journalUse?.path, policy].filter((path) => path !== undefined);
}

/** More wallets than this are shown as a list. */
const MAX_CARDS = 4;

/** A few wallets as arguments, without --fields, are shown whole. */
function cardsOf({ options: { source }, settings }: ListRun, { view }: JudgedRows) {
  const isFew = source.kind === 'arguments' && source.wallets.length <= MAX_CARDS;
  return isFew && !view.fields ? { scorePath: settings.get('score').value } : undefined;
}

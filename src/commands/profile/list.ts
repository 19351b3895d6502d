/** Rows of a list, written to where -o says, and the line with which the list ends. */

import { isReport } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import { checkTargets, discardTargets, openTargets } from '../../files/targets.ts';
import { removeTemporaries } from '../../files/temporaries.ts';
import { openInput } from '../../list-run/input.ts';
import type { ListOutcome } from '../../list-run/outcome.ts';
import { type RowSink, runList } from '../../list-run/run-list.ts';
import type { CardsOptions } from '../../output/list/list-cards.ts';
import { createListOutput } from '../../output/list/list-output.ts';
import type { ReportAbout } from '../../output/report/report-output.ts';
import type { CountedOutput } from '../../output/rows/row-output.ts';
import { accountFor, type ListSummary, renderSummary, summaryLines } from '../../output/terminal/summary.ts';
import { chooseLabel } from '../../row/label.ts';
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
    const error = concludeList(end, { options, judged, context });
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

/** Writes rows to the targets of -o. @throws IoError for those that cannot be written */
async function openSink(run: ListRun, judged: JudgedRows): Promise<RowSink & { close(): Promise<void> }> {
  const { options, context } = run;
  const destination = { outputs: options.outputs.map(({ path }) => path), forbidden: filesRead(options) };
  await checkTargets(destination, context);
  const about = await aboutReport(run);
  let targets: readonly Target[] = [];
  let output: CountedOutput<Row> | undefined;
  return {
    isShown: judged.view.terminal !== undefined,
    async open(head, first) {
      const { label, outputs, header } = options;
      if (label !== undefined && first.length > 0)
        chooseLabel(
          first.map(({ input }) => input),
          { wanted: label },
        );
      // The lock of their own journal is held.
      if (options.journal === undefined) for (const path of options.output) removeTemporaries(path, context.uid);
      // Checks the paths again: the journal exists now.
      targets = await openTargets(destination, context);
      const cards = cardsOf(run, judged);
      output = await createListOutput(targets, { outputs, header, view: judged.view, head, cards, about, context });
    },
    row: (row) => output?.row(row),
    flush: () => output?.flush(),
    async end(outcome) {
      if (!output || isLeft(targets, outcome)) return;
      const isStopped = outcome.stop !== undefined;
      await deliver(output, targets, { outputs: options.outputs, isStopped, leavesFiles: isStopped, context });
    },
    async close() {
      output?.close();
      await discardTargets(targets);
    },
  };
}

/**
 * Whether nothing is written at the end. A file is replaced by the whole list; a stream already has its rows, and only its end is
 * written. After a torn row nothing is written, and files stay as they were.
 */
function isLeft(targets: readonly Target[], { stop, isOutputWhole }: ListOutcome): boolean {
  if (!isOutputWhole && targets.length === 1) return true;
  return stop !== undefined && targets.every(({ isReplacement }) => isReplacement);
}

/** Files that the run reads, which the output must not replace. */
function filesRead({ source, journalUse, policy, baseline }: ListOptions): string[] {
  const lists = source.kind === 'files' ? source.files : [];
  return [...lists, journalUse?.path, policy, baseline].filter((path) => path !== undefined);
}

/** More wallets than this are shown as a list. */
const MAX_CARDS = 4;

/** A few wallets as arguments, without --fields, are shown whole, side by side. */
function cardsOf({ options, settings }: ListRun, { view }: JudgedRows): CardsOptions | undefined {
  const { source, mayWait } = options;
  const isFew = source.kind === 'arguments' && source.wallets.length <= MAX_CARDS;
  if (!isFew || view.fields || view.allFields) return undefined;
  return { scorePath: settings.score.value, mayWait };
}

/** What reports say of the list. Of most runs none is written. */
async function aboutReport(run: ListRun): Promise<ReportAbout | undefined> {
  if (!run.options.outputs.some(({ format }) => isReport(format))) return undefined;
  return (await import('../shared/list/about-report.ts')).aboutList(run);
}

/** Rows of a list, written to where -o says, and the line with which the list ends. */
import { hasColumns } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import { isScalar } from '../../document/node.ts';
import { formatPath } from '../../document/path.ts';
import { concludeList, countsOf } from '../../list-run/conclusion.ts';
import { dryRun } from '../../list-run/dry-run.ts';
import { type ListInput, openInput } from '../../list-run/input.ts';
import { type RowSink, runList } from '../../list-run/run-list.ts';
import type { ListRecord } from '../../lists/list.ts';
import { createRowsTarget } from '../../output/list/rows-target.ts';
import { type ListSummary, renderSummary, summaryLines } from '../../output/terminal/summary.ts';
import { terminalOf } from '../../output/terminal/terminal-of.ts';
import { type JudgedRows, judgeRows } from '../../row/judged-rows.ts';
import { inputNode } from '../../row/row.ts';
import { columnsOf } from '../../text/columns.ts';
import type { ProfileOptions, ProfileRun } from './profile-options.ts';

/** @throws whatever stopped the list, with the counts in its message; the same command continues with what was not asked */
export async function profileList(run: ProfileRun): Promise<undefined> {
  const { options, context } = run;
  const input = await openInput(options, context);
  try {
    const judged = judgeRows(options, context);
    const { journalUse: journal } = options;
    const { paths } = judged;
    if (options.dryRun) await dryRun({ ...run, input, journal, paths });
    else await writeList(run, input, judged);
  } finally {
    input.close();
  }
}

async function writeList(run: ProfileRun, input: ListInput, judged: JudgedRows): Promise<void> {
  const { options, settings, context, tell } = run;
  const { journalUse: journal, maxRequests, rate, concurrency } = options;
  const sink = await openSink(run, judged);
  const how = { journal, maxRequests, rate, concurrency };
  try {
    const end = await runList({ settings, context, input, ...how, gates: judged, sink });
    const { requests, refusals } = end.summary;
    const rows = countsOf(end);
    tell?.({ rows, byRule: judged.counts.byRule(), requests, refusals });
    const error = concludeList(end, { ...options, judged, context, journal: journal?.path });
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
async function openSink(run: ProfileRun, judged: JudgedRows): Promise<RowSink & { close(): Promise<void> }> {
  const { options, context } = run;
  const { output, format, shape } = options;
  const terminal = terminalOf(options, context);
  const view = { ...judged.columns, shape, terminal };
  const forbidden = filesRead(options);
  const rows = await createRowsTarget({ output, forbidden, format, view, cards: cardsOf(run), context });
  return {
    ...rows,
    open(head, first) {
      if (hasColumns(format)) hintNested(first, run);
      return rows.open(head);
    },
    isShown: terminal !== undefined,
    async end({ stop, isOutputWhole }) {
      // After a torn row nothing is written.
      if (isOutputWhole) await rows.end({ isStopped: stop !== undefined });
    },
  };
}

/** Of a list of JSON, cells have the scalars of an element as columns; what it leaves out is told. */
function hintNested([first]: readonly ListRecord[], { options: { selection, format }, context }: ProfileRun): void {
  const node = first && inputNode(first.input);
  const [name] = (node?.kind === 'object' ? node.members : []).find(([, value]) => !isScalar(value)) ?? [];
  if (name === undefined || selection.fields?.some(({ path }) => path[1] === 'input')) return;
  const path = formatPath(['input', name]);
  context.report.hint(`${format} has no column for ${path} of the list; --fields '+NAME=${path}.MEMBER' adds one`);
}

/** Files that the run reads, which the output must not replace. */
function filesRead({ source, journalUse, policy }: ProfileOptions): string[] {
  const list = source.kind === 'file' ? source.file : undefined;
  return [list, journalUse?.path, policy].filter((path) => path !== undefined);
}

/** More wallets than this are shown as a list. */
const MAX_CARDS = 4;

/** A few wallets as arguments, without --fields, are shown whole. */
function cardsOf({ options: { source, selection }, settings }: ProfileRun) {
  const isFew = source.kind === 'arguments' && source.wallets.length <= MAX_CARDS;
  return isFew && !selection.fields
    ? { scorePath: settings.get('score').value, isSandbox: settings.isSandbox }
    : undefined;
}

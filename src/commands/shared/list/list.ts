/** Runs a list from its first to its last row, with its journal, its output and its conclusion. */

import type { ListOutcome } from '../../../batch/outcome.ts';
import { countList, type ListCounts } from '../../../batch/plan.ts';
import { runList } from '../../../batch/run.ts';
import type { Drain } from '../../../batch/stop.ts';
import { refuseWindowsName } from '../../../files/windows-name.ts';
import type { ListHead, ListRecord, WalletList } from '../../../lists/list.ts';
import { readAhead } from '../../../lists/read-ahead.ts';
import type { CardsOptions } from '../../../output/list/list-cards.ts';
import { createListOutput } from '../../../output/list/list-output.ts';
import type { CountedOutput } from '../../../output/rows/row-output.ts';
import { accountFor } from '../../../output/terminal/summary.ts';
import { chooseLabel } from '../../../row/label.ts';
import type { Row } from '../../../row/row.ts';
import { reportCandidates } from '../../../row/score.ts';
import { openSession, type Session } from '../../../session/open-session.ts';
import { counted } from '../../../text/words.ts';
import { type Delivery, deliver } from '../deliver.ts';
import { judgeRows } from '../judged-rows.ts';
import { openInput } from '../list-input.ts';
import { concludeList, endOfBoth } from './conclusion.ts';
import { type Close, type OpenedRun, openRun } from './open-run.ts';
import type { ListOptions, ListRun } from './options.ts';

interface RunningList extends OpenedRun {
  readonly session: Session;
  /** Set if the list could be counted before it started. */
  readonly counts: ListCounts | undefined;
}

/** @throws whatever stopped the list, with the counts in its message; the same command continues with what was not asked */
export async function profileList(run: ListRun): Promise<undefined> {
  const closers: Close[] = [];
  const { output, journal = '-' } = run.options;
  for (const path of [...output, journal]) refuseWindowsName(path, run.context);
  try {
    const input = await openInput(run.options, run.context);
    closers.push(input.close);
    const judged = judgeRows(run.options, run.context);
    for (const warning of judged.view.typoWarnings) run.context.report.hint(warning);
    if (run.options.dryRun) await (await import('./dry-run.ts')).dryRun(input, run);
    else await runInto(await openRun({ ...run, input, judged }, closers), closers);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

const NO_ROWS: ListOutcome['counts'] = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };

function openBudgetedSession(run: OpenedRun): Promise<Session> {
  const { rate, concurrency } = run.options;
  return openSession(run, {
    key: run.settings.resolveKey,
    list: true,
    pacer: { rate, concurrency },
    beforeSend() {
      run.store.checkLock();
      run.budget.spend();
    },
    onAttempt: (attempt) => run.watch.attempt(attempt),
  });
}

async function runInto(opened: OpenedRun, closers: Close[]): Promise<undefined> {
  const { input, watch } = opened;
  const counts = input.isRepeatable ? await checkList(opened) : undefined;
  const list = await input.open();
  const records = await begin(list.records, opened);
  // The key comes last: every mistake in flags, settings and list has been reported by now.
  const run = { ...opened, counts, session: await openBudgetedSession(opened) };
  closers.push(run.session.close);
  watch.begin(counts, run.session.gate);
  const output = await openOutput(run, list.head);
  try {
    const outcome = await runRows(run, records, output);
    watch.close();
    await endRun(run, output, outcome);
  } finally {
    output.close();
  }
}

/** Waits for the first records: only then is it known whether a stream is empty or cannot be read. */
async function begin(source: WalletList['records'], { options, tell }: OpenedRun) {
  const { taken, all, failure } = await readAhead(source, { enough: (batches) => batches.length > 0 });
  if (failure) {
    tell?.({ rows: NO_ROWS });
    throw failure.error;
  }
  checkLabel(taken.flat(), options);
  return all;
}

function openOutput(run: RunningList, head: ListHead | undefined): Promise<CountedOutput<Row>> {
  const { targets, options, judged, about, context } = run;
  const { outputs, header } = options;
  return createListOutput(targets, { outputs, header, view: judged.view, head, cards: cardsOf(run), about, context });
}

/** Puts the output in place and reports how the list ended. @throws the error with which it ends */
async function endRun(run: RunningList, output: CountedOutput<Row>, outcome: ListOutcome): Promise<void> {
  const { context, store, options, judged, watch, counts, session } = run;
  const rows = accountFor(outcome.counts, outcome.stop && counts?.rows).byStatus;
  run.tell?.({ rows, matched: judged.matches.counts.byRule });
  // Reported at the end: the output is written even if the journal cannot be synced.
  const syncError = await store.sync().then(
    () => undefined,
    (error: unknown) => error,
  );
  const failure = concludeList(outcome, run);
  const concluded = endOfBoth(failure, syncError);
  const end = await finish(run, output, { outcome, concluded }).catch((error: unknown) => {
    throw endOfBoth(concluded, error);
  });
  // After a stop, an exception might have applied to a row not reached.
  if (!outcome.stop) judged.reportOnRules();
  await session.close();
  // Last of all: a run that is stopped before this leaves every answer in the journal.
  const canRemoveJournal = outcome.isComplete && !context.signal().aborted && options.journal === undefined;
  if (canRemoveJournal) await store.remove();
  watch.summarise(outcome);
  const told = canRemoveJournal ? failure : end;
  if (told) throw told;
  context.signal().throwIfAborted();
}

/** @throws UsageError when the list has no column that --label may mean: before anything is paid for */
function checkLabel(first: readonly ListRecord[], { label }: ListOptions): void {
  if (label === undefined || first.length === 0) return;
  const inputs = first.map(({ input }) => input);
  chooseLabel(inputs, { wanted: label });
}

/** More wallets than this are shown as a list. */
const MAX_CARDS = 4;

/** A few wallets as arguments, without --fields, are shown whole, side by side. */
function cardsOf({ options, judged: { view }, scorePath }: OpenedRun): CardsOptions | undefined {
  const { source, mayWait } = options;
  const isFew = source.kind === 'arguments' && source.wallets.length <= MAX_CARDS;
  if (!isFew || view.fields || view.allFields) return undefined;
  return { scorePath, mayWait };
}

/** Reads a file to its end before anything is paid: a mistake may be in its last line. */
async function checkList({ input, store, context }: OpenedRun): Promise<ListCounts> {
  const { records } = await input.open();
  return countList(records, { known: store, signal: context.signal() });
}

function runRows(run: RunningList, records: WalletList['records'], output: CountedOutput<Row>): Promise<ListOutcome> {
  const { session, scorePath, context, judged, watch, store, budget } = run;
  let areCandidatesReported = false;
  return runList({
    records,
    store,
    client: session.client,
    gate: session.gate,
    budget,
    clock: context,
    maxInFlight: session.maxInFlight,
    signal: context.signal(),
    scorePath,
    firstLook: judged.view.firstLook,
    onProgress: () => watch.update(),
    onStop: () => watch.stopping(),
    onDrain: (drain) => awaitDrain(drain, run),
    onPause: output.flush,
    onRow(row) {
      watch.row(row);
      if (!areCandidatesReported) areCandidatesReported = reportCandidates(row, context.report);
      return output.row(judged.evaluate(row));
    },
  });
}

/** Time to complete the output and the files after the last answer, milliseconds. */
const FINISH_MS = 900;

/**
 * Keeps the process running after a signal while paid requests are under way, and says for how long. Also says now how to resume: a
 * second signal ends the process without a message.
 */
function awaitDrain({ requests, withinMs }: Drain, { context, store }: OpenedRun): void {
  context.stopWithin(withinMs + FINISH_MS);
  context.report.warn(
    `waiting up to ${withinMs / 1000} s for ${counted(requests, 'request')} already sent and paid for; a second signal (Ctrl-C) stops at once${store.isKept ? ', and the same command still resumes' : ''}`,
  );
}

/** Puts the output in place. @returns the error with which the list ends */
async function finish(
  { targets, ...run }: OpenedRun,
  output: CountedOutput<Row>,
  { outcome, concluded }: { readonly outcome: ListOutcome; readonly concluded: unknown },
): Promise<unknown> {
  const delivery = deliveryOf({ targets, ...run }, outcome);
  if (delivery) await deliver(output, targets, delivery);
  return concluded;
}

/**
 * A file is replaced by the whole list; a stream already has its rows, and only its end is written. Undefined where there is
 * nothing to do. After a torn row nothing is written, and files stay as they were.
 */
function deliveryOf(
  { targets, options, context }: Pick<OpenedRun, 'targets' | 'options' | 'context'>,
  { stop, isOutputWhole }: ListOutcome,
): Delivery | undefined {
  if (!isOutputWhole && targets.length === 1) return undefined;
  const isStopped = stop !== undefined;
  if (isStopped && targets.every(({ isReplacement }) => isReplacement)) return undefined;
  return { outputs: options.outputs, isStopped, leavesFiles: isStopped, context };
}

/** A list from its first to its last row: the journal, the run, the output and what is said at the end come together here. */

import { type Budget, createBudget } from '../../../batch/budget.ts';
import type { ListOutcome } from '../../../batch/outcome.ts';
import { countList, type ListCounts } from '../../../batch/plan.ts';
import { runList } from '../../../batch/run.ts';
import type { Drain } from '../../../batch/stop.ts';
import { isReport } from '../../../cli/formats.ts';
import type { Context } from '../../../context.ts';
import type { Path } from '../../../document/path.ts';
import type { Target } from '../../../files/target.ts';
import { checkTargets, discardTargets, openTargets } from '../../../files/targets.ts';
import { refuseWindowsName } from '../../../files/windows-name.ts';
import type { AnswerStore } from '../../../journal/answer-store.ts';
import type { ListRecord } from '../../../lists/list.ts';
import type { CardsOptions } from '../../../output/list/list-cards.ts';
import { createListOutput } from '../../../output/list/list-output.ts';
import type { ReportAbout } from '../../../output/report/report-output.ts';
import type { CountedOutput } from '../../../output/rows/row-output.ts';
import { accountFor } from '../../../output/terminal/summary.ts';
import { chooseLabel } from '../../../row/label.ts';
import type { Row } from '../../../row/row.ts';
import { noteCandidates } from '../../../row/score.ts';
import { openSession, type Session, sessionSettings } from '../../../session/open-session.ts';
import { type Delivery, deliver, putInPlace, sayPlaced } from '../deliver.ts';
import { type JudgedRows, judgeRows } from '../judged-rows.ts';
import { type ListInput, openInput } from '../list-input.ts';
import { concludeList, endOfBoth, isSilent } from './conclusion.ts';
import { isWhole, type KnownThen, type ListOptions, type ListRun } from './options.ts';
import { openAnswers } from './store.ts';
import { createWatch, type Watch } from './watch.ts';

/** Everything that a run of a list has open. */
interface OpenedRun extends ListRun {
  readonly judged: JudgedRows;
  readonly input: ListInput;
  readonly budget: Budget;
  readonly watch: Watch;
  /** Of the setting, which is judged before anything is sent. */
  readonly scorePath: Path | undefined;
  readonly store: AnswerStore;
  readonly targets: readonly Target[];
  /** What reports say of the list; undefined when none is written. */
  readonly about: ReportAbout | undefined;
}

type Close = () => unknown;

/** @throws whatever stopped the list, with the counts in its message; what was not asked goes on with the same command. */
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

/** Opens what a run needs, in the order in which a mistake is cheapest; each thing opened leaves its `close` in `closers`. */
async function openRun(run: Pick<OpenedRun, keyof ListRun | 'input' | 'judged'>, closers: Close[]): Promise<OpenedRun> {
  const { options, context, settings, judged } = run;
  context.engine.keepHeapSmall();
  const scorePath = settings.score.value;
  sessionSettings(run, { isKeySent: true });
  const { maxRequests, rate, concurrency } = options;
  const budget = createBudget({ maxRequests });
  const watch = createWatch(context, {
    progressMs: options.progress,
    maxRate: rate,
    concurrency,
  });
  closers.push(watch.close, () => run.publish?.(watch.requestCounts));
  const destination = { outputs: options.outputs.map(({ path }) => path), forbidden: filesRead(options) };
  await checkTargets(destination, context);
  const about = await aboutReport(run, closers);
  const store = await openAnswers(run);
  closers.push(() => store.close());
  // Looks again: the journal is there now.
  const opened = await openTargets({ ...destination, makeRoom: () => store.releaseRoom() }, context);
  closers.push(() => discardTargets(opened));
  const isShown = ({ output }: Target) => output === '-' && judged.view.terminal !== undefined;
  const targets = opened.map((target) => (isShown(target) ? besideProgress(target, watch) : target));
  return { ...run, budget, watch, scorePath, store, targets, about };
}

const NO_ROWS: ListOutcome['counts'] = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };

/** The same `records`, the first of which are there: that a stream is empty, or cannot be read, shows only then. */
async function begun<T>(records: AsyncIterable<readonly T[]>) {
  const iterator = records[Symbol.asyncIterator]();
  let first: Promise<IteratorResult<readonly T[]>> | undefined = iterator.next();
  const begin = await first;
  const next = () => {
    const result = first ?? iterator.next();
    first = undefined;
    return result;
  };
  const end = async () => (await iterator.return?.()) ?? { done: true, value: undefined };
  return {
    first: begin.done ? [] : begin.value,
    records: { [Symbol.asyncIterator]: () => ({ next, return: end }) },
  };
}

function openListSession(run: OpenedRun): Promise<Session> {
  const { rate, concurrency } = run.options;
  return openSession(run, {
    key: run.settings.resolveKey,
    list: true,
    pacer: { rate, concurrency },
    beforeSend() {
      run.store.checkLock();
      run.budget.spend();
    },
    onAttempt: run.watch.attempt,
  });
}

/** What a person reads is written where the progress line stands. */
function besideProgress(target: Target, watch: Watch): Target {
  return {
    ...target,
    write(text) {
      watch.clear();
      return target.write(text);
    },
  };
}

/** What was paid for or thought about must not be replaced by the output. */
function filesRead({ source, journalFile, policy, baseline }: ListOptions): string[] {
  const lists = source.kind === 'files' ? source.files : [];
  return [...lists, journalFile, policy, baseline].filter((path) => path !== undefined);
}

/** What reports say of the list. Of most runs none is written. */
async function aboutReport(run: ListRun, closers: Close[]): Promise<ReportAbout | undefined> {
  if (!run.options.outputs.some(({ format }) => isReport(format))) return undefined;
  run.context.engine.keepYoungHeapSmall();
  return (await import('./about-report.ts')).aboutList(run, closers);
}

async function aboutSince(
  run: OpenedRun,
  known: KnownThen | undefined,
  closers: Close[],
): Promise<ReportAbout | undefined> {
  if (!run.about || !known) return run.about;
  const { baselineThen } = await import('./about-report.ts');
  return { ...run.about, baseline: await baselineThen(known, run, closers) };
}

/** So many answers, and an optimised parser has earned what it costs. Of a stream nobody knows: most are short. */
const MANY_REQUESTS = 20_000;

async function runInto(prepared: OpenedRun, closers: Close[]): Promise<undefined> {
  const { input, context, store, options, judged, watch, targets } = prepared;
  const counts = input.isRepeatable ? await checkList(prepared) : undefined;
  if ((counts?.requests ?? 0) < MANY_REQUESTS) context.engine.compileParserOnce();
  const list = await input.open();
  const { first, records } = await begun(list.records).catch((error: unknown) => {
    prepared.publish?.({ rows: NO_ROWS });
    throw error;
  });
  checkLabel(first, options);
  closers.push(() => prepared.companion?.close());
  const about = await aboutSince(prepared, await prepared.companion?.begin(first), closers);
  // The key comes last: whatever is wrong with what was typed, set or listed has been told by now.
  const run = { ...prepared, session: await openListSession(prepared) };
  closers.push(run.session.close);
  watch.begin(counts, run.session.gate);
  const cards = cardsOf(run);
  const { outputs, header } = options;
  const shown = { outputs, header, view: judged.view, head: list.head, cards, about, context };
  const output = await createListOutput(targets, shown);
  try {
    const outcome = await runRows(run, records, output);
    watch.close();
    const rows = accountFor(outcome.counts, outcome.stop && counts?.rows).byStatus;
    // Of a list that was stopped nobody knows what its other rows would have had.
    const unseen = outcome.stop ? undefined : judged.unseen();
    run.publish?.({ rows, matched: judged.matches.counts.byRule, ...(unseen && { unseen }) });
    // Told last: what the output has is not lost with the journal.
    const syncError = await store.sync().then(
      () => undefined,
      (error: unknown) => error,
    );
    const failure = concludeList(outcome, { ...run, counts });
    const concluded = endOfBoth(failure, syncError);
    const end = await finish(run, output, { outcome, concluded }).catch((error: unknown) => {
      throw endOfBoth(concluded, error);
    });
    // Of a list that was stopped nobody knows what would have applied.
    if (!outcome.stop && !isSilent(end)) judged.note();
    await run.session.close();
    // Last of all: who is stopped before this finds every answer in the journal.
    const canRemoveJournal = outcome.isComplete && !context.signal().aborted && options.journal === undefined;
    if (canRemoveJournal) await store.remove();
    if (!run.companion) watch.summarise(outcome);
    const told = canRemoveJournal ? failure : end;
    if (told) throw told;
    context.signal().throwIfAborted();
  } finally {
    output.close();
  }
}

/** @throws UsageError when the list has no column that --label may mean: before anything is paid for */
function checkLabel(first: readonly ListRecord[], { label, walletFormat: format }: ListOptions): void {
  if (label === undefined || first.length === 0) return;
  const inputs = first.map(({ input }) => input);
  chooseLabel(inputs, { wanted: label, format });
}

/** More wallets than this are a list to look through. */
const MAX_CARDS = 4;

/** Who types a few wallets, and picks nothing of their answers, wants to see the whole answers beside each other. */
function cardsOf({ options, judged: { view }, scorePath }: OpenedRun): CardsOptions | undefined {
  const { source, mayWait } = options;
  const isFew = source.kind === 'arguments' && source.wallets.length <= MAX_CARDS;
  if (!isFew || view.fields || view.allFields) return undefined;
  return { scorePath, mayWait };
}

/** A file is read to its end before anything is paid: what is wrong with its last line is known then. */
async function checkList({ input, store, context }: OpenedRun): Promise<ListCounts> {
  const { records } = await input.open();
  return countList(records, { known: store, signal: context.signal() });
}

function runRows(
  run: OpenedRun & { readonly session: Session },
  records: Parameters<typeof runList>[0]['records'],
  output: CountedOutput<Row>,
): Promise<ListOutcome> {
  const { session, scorePath, context, options, judged, watch, store, budget } = run;
  let isNoted = false;
  return runList({
    records,
    store,
    client: session.client,
    gate: session.gate,
    budget,
    clock: context,
    maxInFlight: session.maxInFlight,
    signal: context.signal(),
    partial: options.partial,
    scorePath,
    firstLook: judged.view.firstLook,
    onProgress: watch.changed,
    onStop: watch.stopping,
    onDrain: (drain) => awaitDrain(drain, context),
    onPause: output.flush,
    onRow(row) {
      watch.row(row);
      if (!isNoted) isNoted = noteCandidates(row, context.report);
      const told = judged.evaluate(row);
      run.companion?.row(told);
      return output.row(told);
    },
  });
}

/** What may follow when the last answer is there, milliseconds: the end of the output, the files. */
const FINISH_MS = 900;

/** A signal has come while paid requests are under way: says how long they are waited for, and lets the process wait. */
function awaitDrain({ requests, withinMs }: Drain, { report, stopWithin }: Context): void {
  stopWithin(withinMs + FINISH_MS);
  const sent = requests === 1 ? '1 request' : `${requests} requests`;
  report.warn(
    `waiting up to ${withinMs / 1000} s for ${sent} already sent and paid for; a second signal (Ctrl-C) stops at once`,
  );
}

/** Puts the output in place, then what a companion has found. @returns the error with which the list ends */
async function finish(
  { targets, companion, ...run }: OpenedRun,
  output: CountedOutput<Row>,
  { outcome, concluded }: { readonly outcome: ListOutcome; readonly concluded: unknown },
): Promise<unknown> {
  const delivery = deliveryOf({ targets, ...run }, outcome);
  if (!companion) {
    if (delivery) await deliver(output, targets, delivery);
    return concluded;
  }
  if (!delivery || outcome.stop || !isWhole(concluded)) return concluded;
  run.context.signal().throwIfAborted();
  await putInPlace(output, targets, delivery);
  return companion.end(outcome, concluded).finally(() => sayPlaced(output, targets, delivery));
}

/**
 * A file is replaced by the whole list, or with --partial by what there is; a stream has had its rows, and is made whole. Undefined
 * where there is nothing to do. Behind half a row nothing is written, and files stay as they were.
 */
function deliveryOf(
  { targets, options, context }: Pick<OpenedRun, 'targets' | 'options' | 'context'>,
  { stop, isWhole, isOutputWhole }: ListOutcome,
): Delivery | undefined {
  if (!isOutputWhole && targets.length === 1) return undefined;
  const isStopped = stop !== undefined;
  const leavesFiles = isStopped && !(options.partial && isWhole && isOutputWhole);
  if (leavesFiles && targets.every(({ isReplacement }) => isReplacement)) return undefined;
  return { outputs: options.outputs, isStopped, leavesFiles, context };
}

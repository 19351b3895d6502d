/**
 * Runs a list from its first record to its last row: what was answered is in the journal, the rows
 * are in the sink. It prints nothing but notes; how it ended is what it returns.
 */

import type { Path } from '../document/path.ts';
import type { Sink } from '../files/sink.ts';
import { growHeapSlowly } from '../host/engine.ts';
import type { ResultStore } from '../journal/store.ts';
import { isTable, type ListHead, type ListRecord, type WalletList } from '../lists/list.ts';
import { readAhead } from '../lists/read-ahead.ts';
import type { ListSummary } from '../output/terminal/summary.ts';
import type { PathChecker } from '../paths/path-checker.ts';
import type { Row } from '../row/row.ts';
import { reportCandidates } from '../row/score.ts';
import { monthlyUse } from '../session/key-state.ts';
import { openSession, sessionSettings } from '../session/open-session.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { counted } from '../text/words.ts';
import { type OpenedAnswers, openAnswers, refuseStale } from './answers.ts';
import { createBudget } from './budget.ts';
import type { ListInput } from './input.ts';
import type { JournalUse } from './journal-use.ts';
import { ListProgress } from './list-progress.ts';
import type { ListOutcome } from './outcome.ts';
import { countList, type ListCounts, requestsLeft, shortage } from './plan.ts';
import { runRows } from './run-rows.ts';
import type { Drain } from './stop.ts';

/** A list that can be read; nothing has been sent yet. */
export interface OpenedList {
  readonly head: ListHead | undefined;
  /** Its first records. */
  readonly first: readonly ListRecord[];
  /** How many rows it has, if it could be counted. */
  readonly rows: number | undefined;
}

export interface ListRun extends ResolvedRun {
  /** The caller closes it. */
  readonly input: ListInput;
  readonly maxRequests?: number | undefined;
  /** Requests a second, at most. */
  readonly rate?: number | undefined;
  readonly concurrency?: number | undefined;
  /** Undefined when the answers are kept only for this run. */
  readonly journal: JournalUse | undefined;
  /**
   * Finds mistyped paths: in the columns of the list before anything is sent, then in the first
   * answers.
   */
  readonly paths: PathChecker;
  /** Opens where the rows go. The list closes it. */
  readonly openSink: (list: OpenedList) => Promise<Sink<Row, ListOutcome>>;
  /** Whether the rows go to the terminal that shows the progress. */
  readonly showsRows?: boolean;
}

export interface ListEnd extends ListOutcome {
  /** Rows of the list, if it could be counted before. */
  readonly total: number | undefined;
  /** Whether the answers outlive the run. */
  readonly isKept: boolean;
  /** When the newest answer that is kept was given, milliseconds since 1970. */
  readonly newestAnsweredAt: number;
  /** Faults of this machine: in the journal, or in the sink. */
  readonly faults: readonly unknown[];
  readonly summary: ListSummary;
}

/**
 * @returns how the list ended, whatever stopped it once it had begun
 * @throws whatever prevents its beginning: a setting, a list, a journal, a sink or a key that
 * cannot be used. Nothing was sent then.
 */
export async function runList(run: ListRun): Promise<ListEnd> {
  const { journal, input, paths, context, settings } = run;
  growHeapSlowly();
  const scorePath = settings.get('score').value;
  sessionSettings(run, { sendsKey: true });
  const progress = new ListProgress(context);
  const answers = await openAnswers(journal, run);
  const { store } = answers;
  try {
    // A file is read to its end before anything is paid: a mistake may be in its last line.
    const counts = input.isRepeatable ? await countRepeatable(run, answers) : undefined;
    refuseStale(counts?.stale ?? staleAnswers(answers), journal, run);
    const { records, head, first } = await openListRecords(input);
    paths.checkColumns({ isTable: isTable(head), first });
    const sink = await run.openSink({ head, first, rows: counts?.rows });
    try {
      return await runOpened(run, { sink, records, counts, scorePath, store, progress });
    } finally {
      await sink.close();
    }
  } finally {
    progress.close();
    store.close();
  }
}

/** The files of a run, and the facts known before anything is sent. */
interface Opened {
  readonly sink: Sink<Row, ListOutcome>;
  readonly records: WalletList['records'];
  readonly counts: ListCounts | undefined;
  /** The setting `score`. */
  readonly scorePath: Path | undefined;
  readonly store: ResultStore;
  readonly progress: ListProgress;
}

async function runOpened(run: ListRun, opened: Opened): Promise<ListEnd> {
  const { context, paths, maxRequests, rate, concurrency } = run;
  const { records, counts, scorePath, store, progress } = opened;
  const budget = createBudget(maxRequests);
  // The key comes last: every mistake in flags, settings and list has been reported by now.
  const session = await openSession(run, {
    sendsKey: true,
    isList: true,
    pacer: { rate, concurrency },
    beforeSend() {
      store.checkLock();
      budget.spend();
    },
    onAttempt: (attempt) => progress.attempt(attempt),
  });
  try {
    await reportShortage(run, counts);
    progress.begin(counts, session.gate);
    const { client, gate, maxInFlight } = session;
    const asking = { store, client, gate, maxInFlight, budget, clock: context, signal: context.signal(), paths };
    const outcome = await runRows({ ...showRows(run, opened), ...asking, records, scorePath });
    progress.close();
    const { isKept, newestAnsweredAt } = store;
    const faults = await complete(outcome, run, { ...opened, session });
    return { ...outcome, total: counts?.rows, isKept, newestAnsweredAt, faults, summary: progress.summary(outcome) };
  } finally {
    await session.close();
  }
}

/**
 * Called before anything is paid. What is left of the month depends on the key, which a command may
 * have to print.
 */
async function reportShortage(run: ListRun, counts: ListCounts | undefined): Promise<void> {
  const { settings, context, maxRequests } = run;
  const monthly = settings.isSandbox ? undefined : monthlyUse(run, await settings.describeKey());
  const note = counts && shortage(counts, { monthlyLeft: requestsLeft(monthly), maxRequests });
  if (note !== undefined) context.report.info(note);
}

async function countRepeatable({ input, context }: ListRun, { store, stale }: OpenedAnswers) {
  const { records } = await input.open();
  const known = { has: (id: string) => store.has(id), stale };
  return countList(records, { known, signal: context.signal() });
}

/**
 * The wallets of a stream are not known before something is sent, so any old answer may be for one
 * of them.
 */
const staleAnswers = ({ store, stale }: OpenedAnswers) =>
  [...stale].filter(([id]) => !store.has(id)).map(([, answeredAt]) => answeredAt);

/**
 * Opens the list and reads its first records: only they show whether a stream is empty or cannot be
 * read.
 */
export async function openListRecords(input: ListInput) {
  const { records, head } = await input.open();
  const { taken, all, failure } = await readAhead(records, (batches) => batches.length > 0);
  if (failure) throw failure.error;
  return { records: all, head, first: taken.flat() };
}

/** The handlers of rows, and of progress meanwhile. */
function showRows({ context, showsRows }: ListRun, { sink, progress, store, scorePath }: Opened) {
  const clearProgress = () => {
    if (showsRows) progress.clear();
  };
  let isScoreReported = false;
  return {
    onProgress: () => progress.update(),
    onStop: () => progress.stopping(),
    onDrain({ requests, withinMs }: Drain) {
      context.stopWithin(withinMs + FINISH_MS);
      context.report.warn(
        `waiting up to ${withinMs / 1000} s for ${counted(requests, 'request')} already sent and ` +
          'paid for; a second signal (Ctrl-C) stops at ' +
          `once${store.isKept ? ', and the same command still resumes' : ''}`,
      );
    },
    onPause() {
      clearProgress();
      return sink.flush();
    },
    onRow(row: Row) {
      progress.row(row);
      if (!isScoreReported)
        isScoreReported =
          row.status === 'scored' || reportCandidates(row, { setting: scorePath, report: context.report });
      clearProgress();
      return sink.row(row);
    },
  };
}

/** Time to complete the output and the files after the last answer, milliseconds. */
const FINISH_MS = 900;

/**
 * Completes the journal and what the sink writes. The journal goes last: a run that is stopped
 * before leaves every answer in it.
 * @returns what could not be completed
 */
async function complete(
  outcome: ListOutcome,
  { journal, context }: ListRun,
  { sink, store, session }: Opened & { readonly session: { close(): Promise<void> } },
): Promise<readonly unknown[]> {
  let faults: unknown[] = [];
  const note = (error: unknown) => {
    faults.push(error);
  };
  // Reported at the end: the rows are put in place even if the journal cannot be synced.
  await store.sync().catch(note);
  // After a torn row nothing is written.
  const inPlace = outcome.isOutputWhole && (await sink.end(outcome).then(() => true, note));
  await session.close();
  if (inPlace && journal?.removes(outcome) && !context.signal().aborted) {
    faults = [];
    await store.remove().catch(note);
  }
  return faults;
}

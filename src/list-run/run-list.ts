/**
 * Runs a list from its first record to its last row: what was answered is in the journal, the rows are in the sink. It prints
 * nothing but notes; how it ended is what it returns.
 */

import type { Path } from '../document/path.ts';
import { growHeapSlowly } from '../host/engine.ts';
import type { AnswerStore } from '../journal/store.ts';
import type { ListHead, ListRecord, WalletList } from '../lists/list.ts';
import { readAhead } from '../lists/read-ahead.ts';
import type { ListSummary } from '../output/terminal/summary.ts';
import type { FirstLook } from '../row/paths/first-look.ts';
import type { Row } from '../row/row.ts';
import { reportCandidates } from '../row/score.ts';
import { openSession, type Session, sessionSettings } from '../session/open-session.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { counted } from '../text/words.ts';
import { type JournalUse, openAnswers } from './answers.ts';
import { createBudget } from './budget.ts';
import type { ListInput } from './input.ts';
import type { ListOutcome } from './outcome.ts';
import { countList, type ListCounts } from './plan.ts';
import { runRows } from './run-rows.ts';
import type { Drain } from './stop.ts';
import { Watch } from './watch.ts';

/** Where the rows of a list go. */
export interface RowSink {
  /** Called when the list can be read and nothing was sent. @param first its first records */
  open(head: ListHead | undefined, first: readonly ListRecord[]): Promise<void>;
  /** Takes the next row; the list waits for it. What it throws stops the list. */
  row(row: Row): Promise<void> | undefined;
  /** Writes rows that were collected: none follows at once. */
  flush(): Promise<void> | undefined;
  /** Called when no row follows, before the journal is removed. What it throws is one of the run's faults. */
  end(outcome: ListOutcome): Promise<void>;
  /** Whether it writes to the terminal that shows the progress. */
  readonly isShown?: boolean;
}

/** What judges rows before they are put out. */
export interface Gates {
  /** `row` with what it matched. */
  evaluate(row: Row): Row;
  /** Looks for mistyped paths in the first answers. */
  readonly firstLook: FirstLook;
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
  readonly gates: Gates;
  readonly sink: RowSink;
}

export interface ListEnd extends ListOutcome {
  /** Rows of the list, if it could be counted before. */
  readonly total: number | undefined;
  /** Whether the answers outlive the run. */
  readonly isKept: boolean;
  /** What could not be completed on this machine: the journal, what the sink writes. */
  readonly faults: readonly unknown[];
  readonly summary: ListSummary;
}

/**
 * @returns how the list ended, whatever stopped it once it had begun
 * @throws whatever prevents its beginning: a setting, a list, a journal, a sink or a key that cannot be used. Nothing was sent then.
 */
export async function runList(run: ListRun): Promise<ListEnd> {
  const { context, settings, journal, input } = run;
  growHeapSlowly();
  const scorePath = settings.get('score').value;
  sessionSettings(run, { isKeySent: true });
  const watch = new Watch(context);
  const store = await openAnswers(journal, run);
  try {
    const counts = input.isRepeatable ? await checkList(input, store, context.signal()) : undefined;
    return await runOpened({ ...run, watch, store, counts, scorePath });
  } finally {
    watch.close();
    store.close();
  }
}

interface OpenedList extends ListRun {
  readonly store: AnswerStore;
  readonly watch: Watch;
  /** Set if the list could be counted before it started. */
  readonly counts: ListCounts | undefined;
  readonly scorePath: Path | undefined;
}

async function runOpened(run: OpenedList): Promise<ListEnd> {
  const { input, watch, counts, sink, maxRequests } = run;
  const list = await input.open();
  // Only with the first records is it known whether a stream is empty or cannot be read.
  const { taken, all, failure } = await readAhead(list.records, { enough: (batches) => batches.length > 0 });
  if (failure) throw failure.error;
  await sink.open(list.head, taken.flat());
  const budget = createBudget({ maxRequests });
  // The key comes last: every mistake in flags, settings and list has been reported by now.
  const session = await openBudgetedSession(run, budget);
  try {
    watch.begin(counts, session.gate);
    const outcome = await runThrough(run, { records: all, session, budget });
    watch.close();
    return await endRun(run, session, outcome);
  } finally {
    await session.close();
  }
}

/** Reads a file to its end before anything is paid: a mistake may be in its last line. */
async function checkList(input: ListInput, known: AnswerStore, signal: AbortSignal): Promise<ListCounts> {
  const { records } = await input.open();
  return countList(records, { known, signal });
}

function openBudgetedSession(run: OpenedList, budget: ReturnType<typeof createBudget>): Promise<Session> {
  const { rate, concurrency, store, watch } = run;
  return openSession(run, {
    key: run.settings.resolveKey,
    list: true,
    pacer: { rate, concurrency },
    beforeSend() {
      store.checkLock();
      budget.spend();
    },
    onAttempt: (attempt) => watch.attempt(attempt),
  });
}

interface Begun {
  readonly records: WalletList['records'];
  readonly session: Session;
  readonly budget: ReturnType<typeof createBudget>;
}

function runThrough(run: OpenedList, { records, session, budget }: Begun): Promise<ListOutcome> {
  const { store, context, gates, sink, watch, scorePath } = run;
  const { client, gate, maxInFlight } = session;
  const clearProgress = () => {
    if (sink.isShown) watch.clear();
  };
  let areCandidatesReported = false;
  return runRows({
    records,
    store,
    client,
    gate,
    budget,
    clock: context,
    maxInFlight,
    signal: context.signal(),
    scorePath,
    firstLook: gates.firstLook,
    onProgress: () => watch.update(),
    onStop: () => watch.stopping(),
    onDrain: (drain) => awaitDrain(drain, run),
    onPause() {
      clearProgress();
      return sink.flush();
    },
    onRow(row) {
      watch.row(row);
      if (!areCandidatesReported) areCandidatesReported = reportCandidates(row, context.report);
      clearProgress();
      return sink.row(gates.evaluate(row));
    },
  });
}

/** Time to complete the output and the files after the last answer, milliseconds. */
const FINISH_MS = 900;

/**
 * Keeps the process running after a signal while paid requests are under way, and says for how long. Also says now how to resume: a
 * second signal ends the process without a message.
 */
function awaitDrain({ requests, withinMs }: Drain, { context, store }: OpenedList): void {
  context.stopWithin(withinMs + FINISH_MS);
  context.report.warn(
    `waiting up to ${withinMs / 1000} s for ${counted(requests, 'request')} already sent and paid for; a second signal (Ctrl-C) stops at once${store.isKept ? ', and the same command still resumes' : ''}`,
  );
}

/**
 * Completes the journal and what the sink writes. The journal goes last: a run that is stopped before leaves every answer in it.
 */
async function endRun(run: OpenedList, session: Session, outcome: ListOutcome): Promise<ListEnd> {
  const { store, sink, journal, counts, watch, context } = run;
  const faults: unknown[] = [];
  const note = (error: unknown) => {
    faults.push(error);
  };
  const { isKept } = store;
  // Reported at the end: the rows are put in place even if the journal cannot be synced.
  await store.sync().catch(note);
  const inPlace = await sink.end(outcome).then(() => true, note);
  await session.close();
  if (inPlace && journal?.removes(outcome) && !context.signal().aborted) {
    faults.length = 0;
    await store.remove().catch(note);
  }
  return { ...outcome, total: counts?.rows, isKept, faults, summary: watch.summary(outcome) };
}

/**
 * Runs a list: takes its records, has each distinct wallet asked for once, and emits a row for each record in the order
 * of the input. Memory holds the records between the two; the answers wait in the store.
 */
import type { Clock } from '../context.ts';
import type { Path } from '../document/path.ts';
import { SignalError } from '../errors.ts';
import type { ListRecord } from '../lists/list.ts';
import type { Row } from '../row/row.ts';
import { type Asker, type AskerOptions, createAsker } from './asker.ts';
import type { Budget } from './budget.ts';
import { answeredRow, failedRow, invalidRow, pendingRow, settledRow } from './make-row.ts';
import { createTally, type ListOutcome, type Tally } from './outcome.ts';
import { createReader, type Reader } from './reader.ts';
import { createRecentAnswers, type RecentAnswers } from './recent-answers.ts';
import { createStop, type Landing, type Stop } from './stop.ts';
import { createWakeup, type Wakeup } from './wakeup.ts';
import { createWindow, type Window } from './window.ts';

export interface RunOptions extends Omit<AskerOptions, 'clock' | 'wakeup' | 'stop' | 'recent'> {
  readonly records: AsyncIterable<ListRecord>;
  /** The one that the client asks before each request: closing it holds retries back, too. */
  readonly budget: Pick<Budget, 'close'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Stops the list; its reason becomes the outcome's. */
  readonly signal: AbortSignal;
  /** Called with one row after the other; the list waits for it. What it throws stops the list. */
  readonly onRow: (row: Row) => Promise<void> | undefined;
  /** Called when no row is ready, and at the end: rows that were held back to be written together go out. */
  readonly onPause?: () => Promise<void> | undefined;
  /** Emits the rows that were not asked for, too, down to the end of the list. */
  readonly partial?: boolean;
  /** The setting `score`. */
  readonly scorePath?: Path;
  /** Called after each change; must be cheap. */
  readonly onProgress?: () => void;
  /** Called when a signal has stopped the list while requests are under way. */
  readonly onLanding?: (landing: Landing) => void;
}

interface Run {
  readonly options: RunOptions;
  readonly wakeup: Wakeup;
  readonly stop: Stop;
  readonly asker: Asker;
  readonly reader: Reader;
  readonly window: Window;
  readonly tally: Tally;
  readonly recent: RecentAnswers;
  isTaken: boolean;
  /** Nobody takes rows any more. */
  isSinkBroken: boolean;
}

/**
 * Runs the list to its end or to the first thing that stops it, and says what became of it. What stopped it is in the
 * outcome; nothing expected is thrown.
 */
export async function runList(options: RunOptions): Promise<ListOutcome> {
  const wakeup = createWakeup();
  const { clock, budget, onLanding } = options;
  const stop = createStop({ clock, wakeup, inFlight: () => asker.inFlight, onStop: budget.close, onLanding });
  const recent = createRecentAnswers();
  const asker: Asker = createAsker({ ...options, wakeup, stop, recent });
  const reader = createReader(options.records, { wakeup, onError: stop.request });
  const tally = createTally(options.store.known);
  const run: Run = {
    options,
    wakeup,
    stop,
    asker,
    reader,
    window: createWindow(),
    tally,
    recent,
    isTaken: false,
    isSinkBroken: false,
  };
  const onAbort = () => stop.request(options.signal.reason);
  options.signal.addEventListener('abort', onAbort);
  if (options.signal.aborted) onAbort();
  try {
    await Promise.all([takeRecords(run), emitRows(run)]);
    asker.end();
    return tally.outcome({ stop: stop.requested, failed: asker.failed, isWhole: reader.isAtEnd });
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    stop.close();
    reader.close();
  }
}

/** Whether the rest of the list is of no interest: a partial output wants it, unless there is no time for it. */
function isOver({ stop, options, isSinkBroken }: Run): boolean {
  if (!stop.requested) return false;
  return !options.partial || isSinkBroken || (stop.isLate && stop.requested.reason instanceof SignalError);
}

async function takeRecords(run: Run): Promise<void> {
  const { asker, reader, window, wakeup } = run;
  const givesUp = () => isOver(run);
  for (;;) {
    await wakeup.until(() => !window.isFull || givesUp());
    const record = givesUp() ? undefined : await reader.next(givesUp);
    if (!record) break;
    if (record.wallet.ok && isToAsk(run, record.wallet.id)) await asker.ask(record.wallet);
    window.push(record);
    changed(run);
  }
  run.isTaken = true;
  wakeup.notify();
}

/** A wallet costs one request, however many rows it has and however far apart they are. */
function isToAsk({ asker, options }: Run, id: string): boolean {
  return !options.store.has(id) && !asker.isAsking(id) && !asker.failureOf(id);
}

async function emitRows(run: Run): Promise<void> {
  const { asker, options, window, wakeup } = run;
  const isReady = ({ wallet }: ListRecord) => !wallet.ok || !asker.isAsking(wallet.id);
  const isNext = () => (window.first ? isReady(window.first) : run.isTaken);
  for (;;) {
    if (!window.first || !isNext()) await deliver(run, () => options.onPause?.());
    await wakeup.until(isNext);
    const record = window.first;
    if (!record) return;
    // Not awaited without need: most rows are only put to those that are written together.
    const written = deliver(run, () => emitRow(run, record));
    if (written) await written;
    window.shift();
    changed(run);
  }
}

/** Does what hands rows on; when it fails, nobody takes rows any more. */
function deliver(run: Run, work: () => Promise<void> | undefined): Promise<void> | undefined {
  const fail = (error: unknown) => {
    run.isSinkBroken = true;
    run.stop.request(error, { lands: run.options.store.isKept });
  };
  try {
    return work()?.catch(fail);
  } catch (error) {
    fail(error);
    return undefined;
  }
}

function emitRow(run: Run, record: ListRecord): Promise<void> | undefined {
  const row = readRow(run, record);
  if (run.isSinkBroken || (row.status === 'pending' && !run.options.partial)) return undefined;
  return run.options.onRow(row);
}

/** The row of a record that nothing is in flight for, counted. */
function readRow({ asker, options, tally, recent }: Run, record: ListRecord): Row {
  const { wallet } = record;
  if (!wallet.ok) return tally.count(invalidRow(record, wallet));
  const { scorePath } = options;
  const answer = recent.take(wallet.id);
  if (answer) return tally.count(answeredRow(record, { wallet, ...answer, scorePath }));
  const stored = options.store.get(wallet.id);
  if (stored) {
    const row = settledRow(record, { stored, wallet, scorePath });
    tally.countStored(stored);
    return tally.count(row, 'refused');
  }
  const failed = asker.failureOf(wallet.id);
  if (failed) return tally.count(failedRow(record, { wallet, error: failed.error }), failed.failure);
  return tally.count(pendingRow(record, wallet));
}

function changed({ options, wakeup }: Run): void {
  wakeup.notify();
  options.onProgress?.();
}

/**
 * Runs a list: takes its records, requests each distinct wallet once, and emits a row for each record in input order. Records
 * wait in memory in between, answers in the store.
 */
import type { Clock } from '../context.ts';
import type { Path } from '../document/path.ts';
import { takeTurn } from '../host/clock.ts';
import { storedDocument, storedRow } from '../journal/stored-row.ts';
import type { ListRecord, WalletList } from '../lists/list.ts';
import { answeredRow, failedRow, invalidRow, pendingRow } from '../row/make-row.ts';
import type { Row } from '../row/row.ts';
import type { Budget } from './budget.ts';
import { createTally, type ListOutcome, type Tally } from './outcome.ts';
import { Reader } from './reader.ts';
import { createRecentAnswers, type RecentAnswers } from './recent-answers.ts';
import { Scheduler, type SchedulerOptions } from './scheduler.ts';
import { type Drain, Stop } from './stop.ts';
import { createWakeup, type Wakeup } from './wakeup.ts';

export interface RowsOptions extends Omit<SchedulerOptions, 'clock' | 'wakeup' | 'stop' | 'recent'> {
  readonly records: WalletList['records'];
  /** The budget that the client asks before each request: closing it also prevents retries. */
  readonly budget: Pick<Budget, 'close'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  /** Stops the list; its reason is that of the outcome. */
  readonly signal: AbortSignal;
  /** Called with one row after the other; the list waits for it. What it throws stops the list. */
  readonly onRow: (row: Row) => Promise<void> | undefined;
  /** Called when no row is ready, and at the end: writes rows that were collected. */
  readonly onPause?: () => Promise<void> | undefined;
  /** The path that the setting `score` names. */
  readonly scorePath?: Path;
  /** Called after each change; must be cheap. */
  readonly onProgress?: () => void;
  /** Called once, when no more requests are sent. */
  readonly onStop?: () => void;
  /** Called when a signal has stopped the list while requests are in flight. */
  readonly onDrain: (drain: Drain) => void;
}

interface Batch {
  readonly options: RowsOptions;
  readonly wakeup: Wakeup;
  readonly stop: Stop;
  readonly scheduler: Scheduler;
  readonly reader: Reader;
  readonly queue: ReturnType<typeof createRecordQueue>;
  readonly tally: Tally;
  readonly recent: RecentAnswers;
  /** Whether the list has given all its records. */
  isTaken: boolean;
  /** Whether the output has failed, so that it takes no more rows. */
  isSinkBroken: boolean;
}

/**
 * Runs the list to its end, or until something stops it. What stopped it is in the outcome; only internal errors are thrown.
 */
export async function runRows(options: RowsOptions): Promise<ListOutcome> {
  const wakeup = createWakeup();
  const { clock, budget, onDrain } = options;
  const onStop = (reason: unknown) => {
    budget.close(reason);
    options.onStop?.();
  };
  const stop = new Stop({ clock, wakeup, inFlight: () => scheduler.inFlight, onStop, onDrain });
  const recent = createRecentAnswers();
  const scheduler: Scheduler = new Scheduler({ ...options, wakeup, stop, recent });
  const reader = new Reader(options.records, { wakeup, onError: (error) => stop.request(error) });
  const tally = createTally(options.store.end);
  const batch: Batch = {
    options,
    wakeup,
    stop,
    scheduler,
    reader,
    queue: createRecordQueue(),
    tally,
    recent,
    isTaken: false,
    isSinkBroken: false,
  };
  const forget = stopWith(options.signal, stop);
  try {
    await Promise.all([takeRecords(batch), emitRows(batch)]);
    scheduler.end();
    return tally.outcome({
      stop: stop.requested,
      failed: scheduler.failed,
      isOutputWhole: !batch.isSinkBroken,
    });
  } finally {
    forget();
    stop.close();
    reader.close();
  }
}

/** Stops the list when `signal` aborts, until what it returns is called. */
function stopWith(signal: AbortSignal, stop: Stop): () => void {
  const onAbort = () => stop.request(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return () => signal.removeEventListener('abort', onAbort);
}

async function takeRecords(batch: Batch): Promise<void> {
  const { scheduler, reader, queue, wakeup, stop } = batch;
  const givesUp = () => stop.requested !== undefined;
  const yieldTurn = createYielder();
  for (;;) {
    // Awaited only if needed: each await would cost a list of a million as many turns.
    const room = wakeup.waitUntil(() => !queue.isFull || givesUp());
    if (room) await room;
    const next = givesUp() ? undefined : reader.next(givesUp);
    const record = next instanceof Promise ? await next : next;
    if (!record) break;
    lookAt(batch, record);
    if (record.wallet.ok && isNeeded(batch, record.wallet.id)) {
      await scheduler.request(record.wallet);
      const turn = yieldTurn();
      if (turn) await turn;
    }
    queue.push(record);
    changed(batch);
  }
  batch.isTaken = true;
  wakeup.notify();
}

/** Shows the first records, and their stored answers, to the check for mistyped paths. */
function lookAt({ options: { firstLook, store }, stop }: Batch, { wallet, input }: ListRecord): void {
  if (!firstLook || stop.requested) return;
  try {
    firstLook.observeInput(input);
    if (firstLook.isOver || !wallet.ok || !store.has(wallet.id)) return;
    const document = storedDocument(store.get(wallet.id));
    if (document) firstLook.observeAnswer(wallet.id, document);
  } catch (error) {
    stop.request(error);
  }
}

/** Whether a wallet has to be requested: once, however many rows it has. */
function isNeeded({ scheduler, options }: Batch, id: string): boolean {
  return !options.store.has(id) && !scheduler.isInFlight(id) && !scheduler.failureOf(id);
}

/** Answers that come this far apart, in milliseconds, are written one by one: a turn takes more than a write. */
const APART_MS = 20;

async function emitRows(batch: Batch): Promise<void> {
  const { scheduler, options, queue, wakeup } = batch;
  const { monotonic } = options.clock;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const isReady = ({ wallet }: ListRecord) => !wallet.ok || !scheduler.isInFlight(wallet.id);
  const isNext = () => (queue.first ? isReady(queue.first) : batch.isTaken);
  const mustWait = () => !queue.first || !isNext();
  for (;;) {
    // Answers that have arrived together are written together, in one system call.
    if (mustWait() && monotonic() - writtenAt < APART_MS) await takeTurn();
    if (mustWait()) {
      await deliver(batch, () => options.onPause?.());
      writtenAt = monotonic();
    }
    const next = wakeup.waitUntil(isNext);
    if (next) await next;
    const record = queue.first;
    if (!record) return;
    // Awaited only if needed: most rows are only added to a block that is written later.
    const written = deliver(batch, () => emitRow(batch, record));
    if (written) await written;
    queue.shift();
    changed(batch);
  }
}

/** Requests sent in one turn of the event loop: as many as are in flight when the service is fast. */
const MAX_PER_TURN = 20;

/**
 * Called after each request, the result returns a promise when the event loop must have its turn before the next one. While
 * requests take longer to make than the pace allows, as the first hundreds do, no answer would be read otherwise before all
 * that may be in flight are: a thousand sockets for a service that answers at once.
 */
function createYielder(): () => Promise<void> | undefined {
  let left = MAX_PER_TURN;
  return () => {
    left -= 1;
    if (left > 0) return undefined;
    left = MAX_PER_TURN;
    return takeTurn();
  };
}

/** Runs `work`, which writes rows; when it fails, the output is broken. */
function deliver(batch: Batch, work: () => Promise<void> | undefined): Promise<void> | undefined {
  const fail = (error: unknown) => {
    batch.isSinkBroken = true;
    batch.stop.request(error, { drains: batch.options.store.isKept });
  };
  try {
    return work()?.catch(fail);
  } catch (error) {
    fail(error);
    return undefined;
  }
}

function emitRow(batch: Batch, record: ListRecord): Promise<void> | undefined {
  const row = readRow(batch, record);
  if (batch.isSinkBroken || row.status === 'pending') return undefined;
  return batch.options.onRow(row);
}

/** The row of a record whose wallet is not in flight; counts it. */
function readRow({ scheduler, options, tally, recent }: Batch, record: ListRecord): Row {
  const { wallet } = record;
  if (!wallet.ok) return tally.count(invalidRow(record, wallet));
  const { scorePath } = options;
  const answer = recent.take(wallet.id);
  if (answer) {
    const { document, answeredAt } = answer;
    return tally.count(answeredRow(record, { wallet, document, answeredAt, scorePath }));
  }
  const stored = options.store.get(wallet.id);
  if (stored) {
    const row = storedRow(record, { stored, wallet, scorePath });
    tally.countStored(stored);
    return tally.count(row, 'refused');
  }
  const failed = scheduler.failureOf(wallet.id);
  if (failed) return tally.count(failedRow(record, wallet, failed.error), failed.failure);
  return tally.count(pendingRow(record, wallet));
}

function changed({ options, wakeup }: Batch): void {
  wakeup.notify();
  options.onProgress?.();
}

/** The most records that may wait for their rows. */
const CAPACITY = 20_000;

/**
 * Records, in order, from the time they are read until their rows are emitted. It is bounded, since a slow wallet holds back
 * the rows after it, and memory must not grow with them.
 */
function createRecordQueue() {
  const records: (ListRecord | undefined)[] = [];
  let taken = 0;
  let emitted = 0;
  return {
    get isFull() {
      return taken - emitted === CAPACITY;
    },
    /** The oldest record; undefined when there is none. */
    get first() {
      return records[emitted % CAPACITY];
    },
    push(record: ListRecord) {
      records[taken % CAPACITY] = record;
      taken += 1;
    },
    shift() {
      records[emitted % CAPACITY] = undefined;
      emitted += 1;
    },
  };
}

/**
 * Runs a list: takes its records, requests each distinct wallet once, and emits a row for each
 * record in input order. Records wait in memory in between, answers in the store.
 */
import type { Path } from '../document/path.ts';
import { yieldToEvents } from '../host/clock.ts';
import type { ListRecord, WalletList } from '../lists/list.ts';
import type { PathChecker } from '../paths/path-checker.ts';
import { answeredRow, failedRow, invalidRow, pendingRow } from '../row/make-row.ts';
import type { Row } from '../row/row.ts';
import type { Budget } from './budget.ts';
import { OutageCounter } from './outage.ts';
import { createRowTally, type ListOutcome } from './outcome.ts';
import { rowError, Scheduler, type SchedulerOptions } from './scheduler.ts';
import { type Drain, Stop } from './stop.ts';
import { Wakeup } from './wakeup.ts';

export interface RowsOptions extends Omit<SchedulerOptions, 'wakeup' | 'stop'> {
  readonly records: WalletList['records'];
  /** The budget that the client asks before each request: closing it also prevents retries. */
  readonly budget: Budget;
  readonly paths: PathChecker;
  /** Stops the list; its reason is that of the outcome. */
  readonly signal: AbortSignal;
  /** Called with one row after the other; the list waits for it. What it throws stops the list. */
  readonly onRow: (row: Row) => Promise<void> | undefined;
  /** Called when no row is ready, and at the end: writes rows that were collected. */
  readonly onPause?: () => Promise<void> | undefined;
  /** The path that the setting `score` names. */
  readonly scorePath?: Path | undefined;
  /** Called after each change; must be cheap. */
  readonly onProgress?: () => void;
  /** Called once, when no more requests are sent. */
  readonly onStop?: () => void;
  /** Called when a signal has stopped the list while requests are in flight. */
  readonly onDrain: (drain: Drain) => void;
}

/**
 * Runs the list to its end, or until something stops it. What stopped it is in the outcome; only
 * internal errors are thrown.
 */
export async function runRows(options: RowsOptions): Promise<ListOutcome> {
  return new RowsRun(options).run();
}

/**
 * The most records that may wait for their rows: a slow wallet holds back the rows after it, and
 * memory must not grow with them.
 */
const MAX_WAITING = 10_000;

/** Requests between two reads of the answers that have arrived, but for the first of a list. */
const REQUESTS_PER_TURN = 16;

class RowsRun {
  private readonly wakeup = new Wakeup();
  private readonly stop: Stop;
  private readonly scheduler: Scheduler;
  private readonly outage = new OutageCounter();
  private readonly tally = createRowTally();
  /** The offset of this run's first record in the store, in bytes. */
  private readonly begin: number;
  /** Records from the time they are read until their rows are emitted. */
  private readonly waiting: ListRecord[] = [];
  private isTaken = false;
  /** Whether the output has failed, so that it takes no more rows. */
  private isSinkBroken = false;

  constructor(private readonly options: RowsOptions) {
    const { clock, budget, store, onDrain } = options;
    const { wakeup } = this;
    const onStop = (reason: unknown) => {
      budget.close(reason);
      options.onStop?.();
    };
    const stop = new Stop({ clock, wakeup, inFlight: () => this.scheduler.inFlight, onStop, onDrain });
    this.stop = stop;
    this.scheduler = new Scheduler({ ...options, wakeup, stop }, store.size > 0);
    this.begin = store.end;
  }

  async run(): Promise<ListOutcome> {
    const { stop, scheduler, tally } = this;
    const { signal } = this.options;
    const onAbort = () => stop.request(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    try {
      await Promise.all([this.takeRecords(), this.emitRows()]);
      if (!stop.requested) this.checkLock();
      const outage = tally.hasAnswers() ? undefined : this.outage.withoutAnswer();
      if (outage !== undefined && !stop.requested) stop.request(outage);
      const isOutputWhole = !this.isSinkBroken;
      return tally.outcome({ stop: stop.requested, failed: scheduler.failures.size, isOutputWhole });
    } finally {
      signal.removeEventListener('abort', onAbort);
      stop.close();
    }
  }

  private async takeRecords(): Promise<void> {
    const { scheduler, wakeup, stop, waiting } = this;
    const { paths } = this.options;
    let requested = 0;
    for await (const batch of this.batches()) {
      for (const record of batch) {
        await wakeup.waitUntil(() => waiting.length < MAX_WAITING || stop.requested !== undefined);
        if (stop.requested) break;
        if (record.wallet.ok && this.isNeeded(record.wallet.id)) {
          // Answers of earlier runs are looked at for mistyped paths before any is paid for.
          await wakeup.waitUntil(() => paths.isDecided || !this.isNext() || stop.requested !== undefined);
          await scheduler.request(record.wallet);
          // Answers that have arrived are read before more requests are made: the first of them
          // have the rate limit.
          requested += 1;
          if (requested < REQUESTS_PER_TURN || requested % REQUESTS_PER_TURN === 0) await yieldToEvents();
        }
        waiting.push(record);
        this.changed();
      }
    }
    this.isTaken = true;
    wakeup.notify();
  }

  /** The records, until the list is stopped: it may be silent then. */
  private async *batches(): AsyncGenerator<readonly ListRecord[]> {
    const { wakeup, stop } = this;
    const iterator = this.options.records[Symbol.asyncIterator]();
    try {
      while (!stop.requested) {
        let next: IteratorResult<readonly ListRecord[]> | undefined;
        iterator.next().then(
          (result) => {
            next = result;
            wakeup.notify();
          },
          (error: unknown) => stop.request(error),
        );
        await wakeup.waitUntil(() => next !== undefined || stop.requested !== undefined);
        if (!next || next.done) return;
        yield next.value;
      }
    } finally {
      // Not awaited: a list that waits for input would not return.
      iterator.return?.().catch(() => {});
    }
  }

  /** Whether a wallet has to be requested: once, however many rows it has. */
  private isNeeded(id: string): boolean {
    const { scheduler, options } = this;
    return !options.store.has(id) && !scheduler.isInFlight(id) && !scheduler.failures.has(id);
  }

  private async emitRows(): Promise<void> {
    const { options, waiting, wakeup } = this;
    for (;;) {
      if (!this.isNext()) await this.deliver(() => options.onPause?.());
      await wakeup.waitUntil(() => this.isNext() || (this.isTaken && waiting.length === 0));
      const [record] = waiting;
      if (!record) return;
      await this.deliver(() => this.emitRow(record));
      waiting.shift();
      this.changed();
    }
  }

  /** Whether the row of the oldest record can be emitted. */
  private isNext(): boolean {
    const [record] = this.waiting;
    return record !== undefined && (!record.wallet.ok || !this.scheduler.isInFlight(record.wallet.id));
  }

  private async emitRow(record: ListRecord): Promise<void> {
    const { paths, onRow } = this.options;
    const row = this.readRow(record);
    if (this.isSinkBroken || row.status === 'pending') return;
    await onRow(row);
    if (paths.mistypedError) this.stop.request(paths.mistypedError);
  }

  /** Runs `work`, which writes rows; when it fails, the output is broken. */
  private async deliver(work: () => Promise<void> | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.isSinkBroken = true;
      this.stop.request(error, { drains: this.options.store.isKept });
    }
  }

  /** The row of a record whose wallet is not in flight; counts it. */
  private readRow(record: ListRecord): Row {
    const { scheduler, tally, outage, begin } = this;
    const { store, scorePath } = this.options;
    const { wallet } = record;
    if (!wallet.ok) return tally.count(invalidRow(record, wallet));
    const stored = store.get(wallet.id);
    if (stored) {
      const row =
        'refusal' in stored
          ? failedRow(record, wallet, stored.refusal)
          : answeredRow(record, { ...stored, wallet, scorePath });
      if (stored.offset < begin) tally.countReused(stored);
      else if ('refusal' in stored) outage.refused();
      else outage.answered();
      return tally.count(row, 'refused');
    }
    const error = scheduler.failures.get(wallet.id);
    if (!error) return tally.count(pendingRow(record, wallet));
    const general = scheduler.unjudged.delete(wallet.id) ? outage.failed(error) : undefined;
    if (general) this.stop.request(general);
    return tally.count(failedRow(record, wallet, rowError(error)), error.kind);
  }

  private checkLock(): void {
    try {
      this.options.store.checkLock();
    } catch (error) {
      this.stop.request(error);
    }
  }

  private changed(): void {
    this.wakeup.notify();
    this.options.onProgress?.();
  }
}

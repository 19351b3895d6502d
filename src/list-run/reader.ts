/** Takes records from a list one at a time; a stop ends the wait for a list that is silent. */
import type { ListRecord, WalletList } from '../lists/list.ts';
import type { Wakeup } from './wakeup.ts';

/** Reads `records` no faster than `next` is called. */
export class Reader {
  private readonly iterator: AsyncIterator<readonly ListRecord[]>;
  private batch: readonly ListRecord[] = [];
  private taken = 0;
  private isReading = false;
  private hasEnded = false;
  private hasFailed = false;

  /** @param onError gets what the list throws, once */
  constructor(
    records: WalletList['records'],
    private readonly options: { readonly wakeup: Wakeup; readonly onError: (error: unknown) => void },
  ) {
    this.iterator = records[Symbol.asyncIterator]();
  }

  /** The next record, or a promise if it has to be read; undefined at the end of the list, when it fails, or when `givesUp` holds. */
  next(givesUp: () => boolean): ListRecord | undefined | Promise<ListRecord | undefined> {
    return this.taken < this.batch.length ? this.batch[this.taken++] : this.readOn(givesUp);
  }

  /** Lets the list close its file. */
  close(): void {
    // Not awaited: a list that waits for input would not return.
    this.iterator.return?.().catch(() => {});
  }

  private async readOn(givesUp: () => boolean): Promise<ListRecord | undefined> {
    while (this.taken === this.batch.length && !this.hasEnded && !this.hasFailed && !givesUp()) {
      void this.read();
      await this.options.wakeup.waitUntil(() => !this.isReading || givesUp());
    }
    return this.taken < this.batch.length ? this.batch[this.taken++] : undefined;
  }

  private async read(): Promise<void> {
    this.isReading = true;
    try {
      const next = await this.iterator.next();
      this.hasEnded = next.done === true;
      [this.batch, this.taken] = [next.done ? [] : next.value, 0];
    } catch (error) {
      this.hasFailed = true;
      this.options.onError(error);
    } finally {
      this.isReading = false;
      this.options.wakeup.notify();
    }
  }
}

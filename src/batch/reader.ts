/** Takes records from a list one at a time, and is not stuck when a stop comes while the list is silent. */
import type { ListRecord, WalletList } from '../lists/list.ts';
import type { Wakeup } from './wakeup.ts';

export interface Reader {
  /** The next record, or a promise of it where it has to be read; undefined at the end of the list, when it fails, and as soon as `givesUp` holds. */
  next(givesUp: () => boolean): ListRecord | undefined | Promise<ListRecord | undefined>;
  /** Whether the list was read to its end. */
  readonly isAtEnd: boolean;
  /** Lets the list close its file. */
  close(): void;
}

/** Reads `records` no faster than `next` is called. `onError` gets what the list throws, once. */
export function createReader(
  records: WalletList['records'],
  { wakeup, onError }: { readonly wakeup: Wakeup; readonly onError: (error: unknown) => void },
): Reader {
  const iterator = records[Symbol.asyncIterator]();
  let batch: readonly ListRecord[] = [];
  let taken = 0;
  let isReading = false;
  let isAtEnd = false;
  let hasFailed = false;

  async function read(): Promise<void> {
    isReading = true;
    try {
      const next = await iterator.next();
      isAtEnd = next.done === true;
      [batch, taken] = [next.done ? [] : next.value, 0];
    } catch (error) {
      hasFailed = true;
      onError(error);
    } finally {
      isReading = false;
      wakeup.notify();
    }
  }

  async function readOn(givesUp: () => boolean): Promise<ListRecord | undefined> {
    while (taken === batch.length && !isAtEnd && !hasFailed && !givesUp()) {
      if (!isReading) void read();
      await wakeup.waitUntil(() => !isReading || givesUp());
    }
    return taken < batch.length ? batch[taken++] : undefined;
  }

  return {
    get isAtEnd() {
      return isAtEnd;
    },
    next: (givesUp) => (taken < batch.length ? batch[taken++] : readOn(givesUp)),
    close() {
      // Not awaited: a list that waits for its own input would not answer.
      iterator.return?.().catch(() => {});
    },
  };
}

/** Takes records from a list one at a time, and is not stuck when a stop comes while the list is silent. */
import type { ListRecord } from '../lists/list.ts';
import type { Wakeup } from './wakeup.ts';

export interface Reader {
  /** Resolves to the next record; to undefined at the end of the list, when it fails, and as soon as `givesUp` holds. */
  next(givesUp: () => boolean): Promise<ListRecord | undefined>;
  /** Whether the list was read to its end. */
  readonly isAtEnd: boolean;
  /** Lets the list close its file. */
  close(): void;
}

/** Reads `records` no faster than `next` is called. `onError` gets what the list throws, once. */
export function createReader(
  records: AsyncIterable<ListRecord>,
  { wakeup, onError }: { readonly wakeup: Wakeup; readonly onError: (error: unknown) => void },
): Reader {
  const iterator = records[Symbol.asyncIterator]();
  let arrived: IteratorResult<ListRecord, unknown> | undefined;
  let isReading = false;
  let isAtEnd = false;
  let hasFailed = false;

  async function read(): Promise<void> {
    isReading = true;
    try {
      arrived = await iterator.next();
      isAtEnd = arrived.done === true;
    } catch (error) {
      hasFailed = true;
      onError(error);
    } finally {
      isReading = false;
      wakeup.notify();
    }
  }

  return {
    get isAtEnd() {
      return isAtEnd;
    },
    async next(givesUp) {
      if (!isReading && !arrived && !hasFailed) void read();
      await wakeup.until(() => arrived !== undefined || hasFailed || givesUp());
      if (!arrived || arrived.done) return undefined;
      const { value } = arrived;
      arrived = undefined;
      return value;
    },
    close() {
      // Not awaited: a list that waits for its own input would not answer.
      iterator.return?.().catch(() => {});
    },
  };
}

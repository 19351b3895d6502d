/**
 * The records between being taken from the list and being emitted as rows, in order. It is bounded: a wallet that is
 * slow to answer holds back the rows behind it, and memory must not grow with them.
 */
import type { ListRecord } from '../lists/list.ts';

/** Records at most: the oldest may lag the newest by as much. */
const CAPACITY = 20_000;

export interface Window {
  readonly isFull: boolean;
  /** The oldest record; undefined when there is none. */
  readonly first: ListRecord | undefined;
  push(record: ListRecord): void;
  shift(): void;
}

export function createWindow(): Window {
  const records = new Array<ListRecord | undefined>(CAPACITY);
  let taken = 0;
  let emitted = 0;
  return {
    get isFull() {
      return taken - emitted === CAPACITY;
    },
    get first() {
      return records[emitted % CAPACITY];
    },
    push(record) {
      records[taken % CAPACITY] = record;
      taken += 1;
    },
    shift() {
      records[emitted % CAPACITY] = undefined;
      emitted += 1;
    },
  };
}

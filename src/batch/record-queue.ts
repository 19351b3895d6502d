/**
 * Holds records, in order, from when they are taken from the list until they are emitted as rows. It is bounded: a wallet
 * that is slow to answer holds back the rows behind it, and memory must not grow with them.
 */
import type { ListRecord } from '../lists/list.ts';

/** The most records, by which the oldest may lag behind the newest. */
const CAPACITY = 20_000;

export interface RecordQueue {
  readonly isFull: boolean;
  /** The oldest record; undefined when there is none. */
  readonly first: ListRecord | undefined;
  push(record: ListRecord): void;
  shift(): void;
}

export function createRecordQueue(): RecordQueue {
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

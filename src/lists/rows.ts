/** Streams of rows in batches: samples of their beginning, map, filter. */

import type { ListHead, ListRecord } from './list.ts';
import { type Decision, type Pause, readAhead } from './read-ahead.ts';
import { ListSyntaxError } from './syntax-error.ts';

/** Items in arrays of a block's items: awaiting each would cost more than reading it. */
export type Batches<T> = AsyncIterable<readonly T[]>;

export interface Rows {
  readonly head: Pick<ListHead, 'kind'> & Partial<ListHead>;
  readonly batches: Batches<ListRecord>;
  /** Where the addresses are if these rows have none. */
  readonly elsewhere?: string | undefined;
}

// A number of rows, so that the sample is the same however a pipe splits its bytes.
const SAMPLED_LINES = 25;
export const SAMPLE_LENGTH = 64 * 1024;

export interface Sampling<T> {
  /** The length of an item; undefined for one that is not a row. */
  readonly lengthOf: (item: T) => number | undefined;
  /**
   * Whether the items taken so far decide how the list is read. A ListSyntaxError means that they
   * do not.
   */
  readonly decide: (items: readonly T[]) => Decision;
  readonly pause?: Pause | undefined;
}

/**
 * The items at the beginning of `batches`, with up to 25 rows or as many as decide, and all
 * batches.
 */
export async function sample<T>(batches: Batches<T>, { lengthOf, decide, pause }: Sampling<T>) {
  const items: T[] = [];
  let rows = 0;
  let length = 0;
  const isFull = () => rows === SAMPLED_LINES || length > SAMPLE_LENGTH;
  const add = (item: T) => {
    const itsLength = lengthOf(item);
    if (itsLength !== undefined) rows++;
    items.push(item);
    length += 1 + (itsLength ?? 0);
  };
  function look(taken: readonly (readonly T[])[]): Decision {
    for (const item of taken.at(-1) ?? []) if (!isFull()) add(item);
    try {
      return isFull() || decide(items);
    } catch (error) {
      if (error instanceof ListSyntaxError) return false;
      throw error;
    }
  }
  const { all, failure } = await readAhead(batches, look, pause);
  return { items, all, failure };
}

export async function* map<T, U>(batches: Batches<T>, change: (item: T) => U): Batches<U> {
  for await (const batch of batches) yield batch.map(change);
}

export async function* filter<T>(batches: Batches<T>, keeps: (item: T) => boolean): Batches<T> {
  for await (const batch of batches) yield batch.filter(keeps);
}

/** `batches` without the first items for which `drops` holds. */
export async function* dropWhile<T>(batches: Batches<T>, drops: (item: T) => boolean): Batches<T> {
  let isDropping = true;
  for await (const batch of batches) {
    const first = isDropping ? batch.findIndex((item) => !drops(item)) : 0;
    if (first < 0) continue;
    isDropping = false;
    yield batch.slice(first);
  }
}

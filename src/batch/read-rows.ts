/** Rows on their way: taken from the beginning for a decision, changed, left out. */
import type { ListHead, ListRecord } from './list.ts';
import { readAhead } from './read-ahead.ts';
import { ListDamage } from './read-damage.ts';

/** Rows come in arrays, as many as a block of the file holds: awaiting each would cost more than reading it. */
export type Batches<T> = AsyncIterable<readonly T[]>;

/** A list of one kind, opened. */
export interface Rows {
  readonly head: Pick<ListHead, 'kind'> & Partial<ListHead>;
  readonly batches: Batches<ListRecord>;
}

// Few enough for a slow pipe; and the sample ends at the same row however the pipe cuts its bytes.
const SAMPLE_ROWS = 25;
export const SAMPLE_LENGTH = 64 * 1024;

/**
 * The rows at the beginning of `batches`, and all of it. `lengthOf` tells how long an item is, undefined for one that is
 * no row.
 * @throws ListDamage when there is no row.
 */
export async function sample<T>(batches: Batches<T>, lengthOf: (item: T) => number | undefined) {
  const rows: T[] = [];
  let length = 0;
  const isFull = () => rows.length === SAMPLE_ROWS || length > SAMPLE_LENGTH;
  let seen = 0;
  const { all } = await readAhead(batches, (taken) => {
    for (; seen < taken.length; seen++) {
      for (const item of taken[seen] ?? []) {
        if (isFull()) return true;
        const itsLength = lengthOf(item);
        if (itsLength !== undefined) rows.push(item);
        length += 1 + (itsLength ?? 0);
      }
    }
    return isFull();
  });
  if (rows.length > 0) return { rows, all };
  // What kept the rows from coming is a better answer, if there is such a thing.
  for await (const _ of all);
  throw new ListDamage('the list is empty', { hint: 'put one wallet address on each line' });
}

export async function* map<T, U>(batches: Batches<T>, change: (item: T) => U): Batches<U> {
  for await (const batch of batches) yield batch.map(change);
}

export async function* filter<T>(batches: Batches<T>, keeps: (item: T) => boolean): Batches<T> {
  for await (const batch of batches) yield batch.filter(keeps);
}

/** Without the first items that `drops` holds of. */
export async function* dropWhile<T>(batches: Batches<T>, drops: (item: T) => boolean): Batches<T> {
  let isDropping = true;
  for await (const batch of batches) {
    const first = isDropping ? batch.findIndex((item) => !drops(item)) : 0;
    if (first < 0) continue;
    isDropping = false;
    yield first === 0 ? batch : batch.slice(first);
  }
}

/** How many rows of a list are done: counted here once, so that its summary and its error cannot disagree. */
import type { Status } from '../../row/row.ts';

type Counts = Readonly<Record<Status, number>>;

interface Account {
  /** Rows that are settled, in whichever way. */
  readonly done: number;
  /** With all that is left of the list as pending. */
  readonly byStatus: Counts;
}

/**
 * `counts` are those of a run; `total` is how many rows its list has, where that is known. Rows that were never taken, as
 * the list was stopped before, are in no status yet.
 */
export function accountFor(counts: Counts, total: number | undefined): Account {
  const done = counts.scored + counts.no_score + counts.invalid + counts.failed;
  const pending = total === undefined ? counts.pending : Math.max(0, total - done);
  return { done, byStatus: { ...counts, pending } };
}

/** How many rows of a list are done: counted here once, so that its summary and its error cannot disagree. */
import type { Status } from '../../row/row.ts';

type Counts = Readonly<Record<Status, number>>;

/**
 * `counts` are those of a run; `total` is how many rows its list has, where that is known. Rows that were never taken, as
 * the list was stopped before, are in no status yet.
 * @returns the rows that are settled, in whichever way; and by status, with all that is left of the list as pending
 */
export function accountFor(counts: Counts, total: number | undefined) {
  const done = counts.scored + counts.no_score + counts.invalid + counts.failed;
  const pending = total === undefined ? counts.pending : Math.max(0, total - done);
  return { done, byStatus: { ...counts, pending } };
}

/** The summary of a list on a terminal: counts of rows and requests. */
import type { Status } from '../../row/row.ts';
import { truncate } from '../../text/width.ts';
import { countWords, groupDigits, roughDuration } from '../../text/words.ts';

export interface ListSummary {
  readonly counts: Readonly<Record<Status, number>>;
  /** Rows of the list, if known. */
  readonly total?: number | undefined;
  /** Answered rows with a warning. */
  readonly incomplete: number;
  readonly requests: number;
  /** Requests refused by the rate limit. */
  readonly refusals: number;
  readonly elapsedMs: number;
}

/**
 * Counts the rows that are done, so that a summary and an error cannot disagree.
 * @param counts rows by status in this run; rows that a stopped run never read are not included
 * @param total rows of the list, if known
 * @returns rows that are not pending; and rows by status, with the rest of the list as pending
 */
export function accountFor(counts: Readonly<Record<Status, number>>, total: number | undefined) {
  const done = counts.scored + counts.no_score + counts.invalid + counts.failed;
  const pending = total === undefined ? counts.pending : Math.max(0, total - done);
  return { done, byStatus: { ...counts, pending } };
}

/** `summary` as lines of at most `width` columns; ends in a newline. */
export function renderSummary(summary: ListSummary, { width }: { readonly width: number }): string {
  return summaryLines(summary)
    .map((line) => `${truncate(line, width)}\n`)
    .join('');
}

/** Counts of rows and requests. */
export function summaryLines(summary: ListSummary): readonly string[] {
  const { counts, total, requests, refusals, elapsedMs, incomplete } = summary;
  const { done, byStatus } = accountFor(counts, total);
  const statuses = countWords(Object.entries(byStatus));
  const isPart = total !== undefined && byStatus.pending > 0;
  const rows = isPart ? `${groupDigits(done)} of ${groupDigits(total)}` : groupDigits(done);
  const refused = refusals > 0 ? `, refused by the rate limit ${groupDigits(refusals)}` : '';
  return [
    `rows ${rows}${statuses && `: ${statuses}`}`,
    ...(incomplete > 0 ? [`incomplete ${groupDigits(incomplete)}: see warning`] : []),
    `requests ${groupDigits(requests)} in ${roughDuration(elapsedMs)}${refused}`,
  ];
}

/** The summary of a list on a terminal: counts, requests, and a histogram of the scores. */
import type { Status } from '../../row/row.ts';
import { truncate } from '../../text/width.ts';
import { groupDigits, roughDuration } from '../../text/words.ts';
import { rangeText } from '../report/amounts.ts';
import { scoreBins } from '../report/distribution.ts';
import { barLines } from './bars.ts';

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
  /** Scores of the answered rows. */
  readonly scores: readonly number[];
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
  const lines = [...summaryLines(summary), ...histogramLines(summary.scores, width)];
  return lines.map((line) => `${truncate(line, width)}\n`).join('');
}

/** Counts of rows and requests. */
export function summaryLines(summary: ListSummary): readonly string[] {
  const { requests, refusals, elapsedMs, incomplete } = summary;
  const refused = refusals > 0 ? `, refused by the rate limit ${groupDigits(refusals)}` : '';
  return [
    rowsLine(summary),
    ...(incomplete > 0 ? [`incomplete ${groupDigits(incomplete)}: see warning`] : []),
    `requests ${groupDigits(requests)} in ${roughDuration(elapsedMs)}${refused}`,
  ];
}

function rowsLine({ counts, total }: ListSummary): string {
  const { done, byStatus } = accountFor(counts, total);
  const statuses = Object.entries(byStatus)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${status} ${groupDigits(count)}`);
  const isPart = total !== undefined && byStatus.pending > 0;
  const rows = isPart ? `${groupDigits(done)} of ${groupDigits(total)}` : groupDigits(done);
  return `rows ${rows}${statuses.length > 0 ? `: ${statuses.join(', ')}` : ''}`;
}

/** About this many are drawn. */
const SUMMARY_BARS = 6;
/** Fewer scores are not drawn. */
const MIN_DRAWN = 10;
/** Larger numbers are not drawn: doubles are too coarse there to label ranges. */
const MAX_DRAWN = 1e15;

/** A bar for each range of scores, in ascending order. */
function histogramLines(scores: readonly number[], width: number): readonly string[] {
  const drawn = scores.filter((score) => Math.abs(score) < MAX_DRAWN);
  if (drawn.length < MIN_DRAWN) return [];
  const bars = scoreBins(drawn, SUMMARY_BARS).map((bin) => ({ text: rangeText('score', bin), count: bin.count }));
  return ['score', ...barLines(bars, { width, isRange: true })];
}

/** The summary of a list on a terminal: counts, requests, and a histogram of the scores. */
import type { Status } from '../../row/row.ts';
import { padEnd, padStart, truncate } from '../../text/width.ts';
import { counted, grouped, roughDuration } from '../../text/words.ts';

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
  const refused = refusals > 0 ? `, ${grouped(refusals)} refused by the rate limit` : '';
  return [
    rowsLine(summary),
    ...(incomplete > 0 ? [`incomplete ${grouped(incomplete)}: see warning`] : []),
    `${counted(requests, 'request')} in ${roughDuration(elapsedMs)}${refused}`,
  ];
}

function rowsLine({ counts, total }: ListSummary): string {
  const { done, byStatus } = accountFor(counts, total);
  const statuses = Object.entries(byStatus)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${grouped(count)} ${status.replaceAll('_', ' ')}`);
  const isPart = total !== undefined && byStatus.pending > 0;
  const rows = isPart ? `${grouped(done)} of ${counted(total, 'row')}` : counted(done, 'row');
  return `${rows}${statuses.length > 0 ? `: ${statuses.join(', ')}` : ''}`;
}

const MAX_BINS = 8;
/** Fewer scores are not drawn. */
const MIN_VALUES_SHOWN = 10;
/** Larger numbers are not drawn: doubles are too coarse there to label ranges. */
const MAX_VALUES_SHOWN = 1e15;

/** A bar for each range of scores, in ascending order. */
function histogramLines(scores: readonly number[], width: number): readonly string[] {
  const finite = scores.filter((score) => Math.abs(score) < MAX_VALUES_SHOWN);
  if (finite.length < MIN_VALUES_SHOWN) return [];
  const { bins, decimals } = binsOf(finite);
  const maxCount = bins.reduce((largest, { count }) => Math.max(largest, count), 0);
  const label = (value: number) => value.toFixed(decimals);
  const widest = Math.max(...bins.flatMap(({ from, to }) => [label(from).length, label(to).length]));
  const room = Math.max(1, Math.min(40, width - 2 * widest - grouped(maxCount).length - 10));
  return [
    'score',
    ...bins.map((bin) => {
      const bar = '█'.repeat(Math.ceil((bin.count / maxCount) * room));
      const range = `${padStart(label(bin.from), widest)} to ${padStart(label(bin.to), widest)}`;
      return `  ${range}  ${padEnd(bar, room)}  ${padStart(grouped(bin.count), grouped(maxCount).length)}`;
    }),
  ];
}

/** Ranges of equal round width (1, 2 or 5 times a power of ten) that start at multiples of it, start included. */
function binsOf(scores: readonly number[]) {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    low = Math.min(low, score);
    high = Math.max(high, score);
  }
  const raw = (high - low) / (MAX_BINS - 1) || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5].find((factor) => factor * power >= raw) ?? 10) * power;
  const first = Math.floor(low / step);
  const length = Math.floor(high / step) - first + 1;
  const bins = Array.from({ length }, (_, i) => ({ from: (first + i) * step, to: (first + i + 1) * step, count: 0 }));
  for (const score of scores) {
    const bin = bins[Math.floor(score / step) - first];
    if (bin) bin.count += 1;
  }
  return { bins, decimals: Math.max(0, Math.min(12, -Math.floor(Math.log10(step)))) };
}

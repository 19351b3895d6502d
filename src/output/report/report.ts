/** The content of a report, independent of its format. */
import type { Review } from '../../review/review.ts';
import { groupDigits } from '../../text/words.ts';
import { minuteOf } from './amounts.ts';
import type { Distribution } from './distribution.ts';
import type { Figures } from './figures.ts';
import type { PageRows } from './page-rows.ts';

/** Where a report comes from. Secrets are withheld from all texts. */
export interface Origin {
  /** The list and the day: `holders.csv, 14 Dec 2026`. */
  readonly title: string;
  /** Whether a sandbox made the answers up. Only a kept review says so. */
  readonly isSandbox: boolean;
  /** Name of what was read. */
  readonly source: string;
  /** When the report was made, ISO 8601 UTC. */
  readonly madeAt: string;
  readonly version: string;
  /** The command line, without secrets. */
  readonly command: string;
}

export interface Report extends PageRows {
  readonly origin: Origin;
  readonly figures: Figures;
  /** Of a page of a review. */
  readonly review?: Review;
}

/** `wallets 60, scored 58, failed 2, incomplete 1; answered 2026-11-20 15:00 UTC`. */
export function storyText({ wallets, rows, all, byStatus, incomplete, oldest, newest }: Figures): string {
  const counts = { wallets, ...byStatus, incomplete, ...(rows !== all && { rows }) };
  const shown = Object.entries(counts).filter(([name, count]) => count > 0 || name === 'wallets');
  return `${shown.map(([name, count]) => `${name} ${groupDigits(count)}`).join(', ')}${datesText(oldest, newest)}`;
}

/** `left out 2, for example 6.823,83`: what a distribution does not show. */
export const unreadText = ({ unread, example = '' }: Distribution): string | undefined =>
  unread > 0 ? `left out ${groupDigits(unread)}, for example ${example}` : undefined;

function datesText(oldest: string | undefined, newest: string | undefined): string {
  if (oldest === undefined || newest === undefined) return '';
  const [from, to] = [minuteOf(oldest), minuteOf(newest)];
  return from === to ? `; answered ${from}` : `; answered from ${from} to ${to}`;
}

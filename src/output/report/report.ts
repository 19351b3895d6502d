/** The content of a report, independent of its format. */
import type { Review } from '../../review/review.ts';
import { groupDigits } from '../../text/words.ts';
import { walletCounts } from '../review/letter.ts';
import { minuteOf } from './amounts.ts';
import type { Distribution } from './distribution.ts';
import type { Collected, Figures } from './figures.ts';

/** Where a report comes from. Secrets are redacted from all texts. */
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

export interface Report extends Collected {
  readonly origin: Origin;
  /** Of a page of a review. */
  readonly review?: Review;
}

/** `wallets 60, scored 58, failed 2, incomplete 1; answered 2026-11-20 15:00 UTC`. */
export const storyText = (figures: Figures): string => walletCounts(figures) + datesText(figures);

/** `left out 2, for example 6.823,83`: what a distribution does not show. */
export const unreadText = ({ unread, example = '' }: Distribution): string | undefined =>
  unread > 0 ? `left out ${groupDigits(unread)}, for example ${example}` : undefined;

function datesText({ oldest, newest }: Figures): string {
  if (oldest === undefined || newest === undefined) return '';
  const [from, to] = [minuteOf(oldest), minuteOf(newest)];
  return from === to ? `; answered ${from}` : `; answered from ${from} to ${to}`;
}

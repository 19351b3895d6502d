/** The content of a report, independent of its format. */
import type { Review } from '../../review/read-review.ts';
import { groupDigits } from '../../text/words.ts';
import { walletCountWords } from '../review/letter.ts';
import { minuteOf, shortOf } from './amounts.ts';
import { type Distribution, QUANTILE_NAMES } from './distribution.ts';
import type { Collected, Figures } from './figures.ts';
import { type Mark, type Measure, passes, validWallet } from './page-data.ts';

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
  /** Whether the rows are of a review: their matches are its open alarms. */
  readonly isReview?: boolean;
  /** Of a page of a review. */
  readonly review?: Review;
}

/** `wallets 60, scored 58, failed 2, incomplete 1; answered 2026-11-20 15:00 UTC`. */
export function storyText(figures: Figures): string {
  const { oldest, newest } = figures;
  const counts = walletCountWords({ ...figures, ...figures.byStatus });
  if (oldest === undefined || newest === undefined) return counts;
  const [from, to] = [minuteOf(oldest), minuteOf(newest)];
  return `${counts}; answered ${from === to ? from : `from ${from} to ${to}`}`;
}

/** `lowest 300`, `median 339`; none where no wallet has a number. */
export const quantileTexts = ({ measure, quantiles }: Distribution): readonly string[] =>
  quantiles ? QUANTILE_NAMES.map((name) => `${name} ${shortOf(measure, quantiles[name])}`) : [];

/** `left out 2, for example 6.823,83`: what a distribution does not show. */
export const unreadText = ({ unread, example = '' }: Distribution): string | undefined =>
  unread > 0 ? `left out ${groupDigits(unread)}, for example ${example}` : undefined;

const MEASURE_WORDS: Readonly<Record<Measure, string>> = { score: 'a score', collateral: 'collateral' };

/** `no wallet has a score`, `only 7 wallets have collateral`. */
export function fewText({ measure, count }: Distribution): string {
  const wallets = count === 0 ? 'no wallet has' : count === 1 ? 'only 1 wallet has' : `only ${count} wallets have`;
  return `${wallets} ${MEASURE_WORDS[measure]}`;
}

/** `without a score 3`: wallets whose value is missing, not unreadable. */
export function withoutText({ measure, count, unread }: Distribution, all: number): string | undefined {
  const missing = all - count - unread;
  return missing > 0 ? `without ${MEASURE_WORDS[measure]} ${groupDigits(missing)}` : undefined;
}

/** Indexes of the listed rows with a mark, worst first; of a wallet that is listed twice, one. */
export function markedRows({ listed, ranked }: Pick<Collected, 'listed' | 'ranked'>, mark: Mark): readonly number[] {
  const seen = new Set<string>();
  return ranked.filter((number) => {
    const row = listed[number];
    if (!row || !passes(row, { kind: mark })) return false;
    const wallet = validWallet(row) ?? `line ${row.line}`;
    if (seen.has(wallet)) return false;
    seen.add(wallet);
    return true;
  });
}

import { counted, grouped, verbFor } from '../../text/words.ts';
import { minuteOf } from './amounts.ts';
import type { Figures } from './figures/collect.ts';

/** Statuses as people read them. */
export const STATUS_WORDS = {
  scored: 'scored',
  no_score: 'no score',
  failed: 'failed',
  invalid: 'not a wallet',
  pending: 'not reached',
} as const;

/** The word for `count` rows. */
const statusWords = (status: keyof typeof STATUS_WORDS, count: number): string =>
  status === 'invalid' && count !== 1 ? 'not wallets' : STATUS_WORDS[status];

/** The end of the sentence that counts the rows: `, answered 2026-11-20 15:00 UTC: 3 scored.` */
export const storyText = (figures: Figures): string =>
  figures.rows === 0 ? '.' : `, ${datesText(figures)}: ${countsText(figures)}.`;

function datesText({ oldest, newest }: Figures): string {
  if (oldest === undefined || newest === undefined) return 'the rows do not say when they were answered';
  const [from, to] = [minuteOf(oldest), minuteOf(newest)];
  return from === to ? `answered ${from}` : `answered from ${from} to ${to}`;
}

/** `9,168 scored, 790 no score, 42 not wallets; 722 answers are incomplete`. */
function countsText({ statuses, incomplete, rows }: Figures): string {
  const withStatus = statuses.reduce((sum, [, count]) => sum + count, 0);
  const parts = statuses.map(([status, count]) => `${grouped(count)} ${statusWords(status, count)}`);
  if (withStatus < rows) parts.push(`${grouped(rows - withStatus)} without a status in the file`);
  const warning = incomplete > 0 ? `; ${counted(incomplete, 'answer')} ${verbFor(incomplete, 'is')} incomplete` : '';
  return `${parts.join(', ')}${warning}`;
}

/** Says which rows the page lists; undefined if it lists all. */
export function omissionText({ rows, listed, rules }: Figures): string | undefined {
  if (listed === rows) return undefined;
  const chosen = [
    'the lowest and highest scores and collaterals',
    rules.length > 0 && 'those that a rule matched or excused',
    rules.some(({ unjudged }) => unjudged > 0) && 'those that could not be judged',
    'those without a complete answer',
    'then the first ones',
  ].filter(Boolean);
  return (
    `This page lists ${grouped(listed)} of the ${counted(rows, 'row')}: as far as there is room, ${chosen.join(', ')}. ` +
    'All figures and charts are of all rows.'
  );
}

/** Says how many listed rows have no card; undefined if all have one. */
export function cardlessText(cardless: number): string | undefined {
  if (cardless === 0) return undefined;
  return `The cards of ${counted(cardless, 'row')} have no room in this page: the file that it was made from has them.`;
}

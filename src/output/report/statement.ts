/** Sentences of a report: its subject, the counts by status, and the rows its page does not list. */
import { visible } from '../../text/escape.ts';
import { counted, grouped, verbFor } from '../../text/words.ts';
import { minuteOf } from './amounts.ts';
import type { Changes } from './figures/changes.ts';
import type { Figures } from './figures/collect.ts';
import type { Stability } from './figures/stability.ts';
import type { Measure } from './page-data.ts';

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
export function omissionText({ rows, listed, rules }: Figures, isCompared: boolean): string | undefined {
  if (listed === rows) return undefined;
  const chosen = [
    'the lowest and highest scores and collaterals',
    rules.length > 0 && 'those that a rule matched or excused',
    rules.some(({ unjudged }) => unjudged > 0) && 'those that could not be judged',
    isCompared && 'those that changed',
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

/** `12 wallets went from scored to no score.` */
export function transitionText({ from, to, wallets }: Changes['transitions'][number]): string {
  const [before, now] = [from, to].map((status) => STATUS_NAMES.get(status) ?? (status === '' ? 'no status' : status));
  return `${counted(wallets, 'wallet')} went from ${before} to ${now}.`;
}

const STATUS_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(STATUS_WORDS));

/** `Largest rises in score`. */
export const movesTitle = (measure: Measure, what: 'rises' | 'falls'): string => `Largest ${what} in ${measure}`;

/** Shown for rows without a value of the field. */
const NO_VALUE = 'no value';
export const valueText = (value: string): string => (value === '' ? NO_VALUE : visible(value));

/** Names of groups of rows (--by). */
export const groupNames = {
  of: ({ value }: { readonly value: string | undefined }): string => valueText(value ?? ''),
  others: 'all other values',
};

/** By the usual thresholds scores are stable below 0.1 and shifted from 0.25 on. */
export function stabilityText({ psi, isTelling }: Stability): string {
  if (!isTelling) return `psi of the score ${psi.toFixed(3)}, which tells little of so few scores`;
  const judgement = psi < 0.1 ? 'stable' : psi < 0.25 ? 'shifted somewhat' : 'shifted';
  return `scores as a whole: ${judgement} (psi ${psi.toFixed(3)})`;
}

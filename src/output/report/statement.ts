/** Sentences of a report: what it is about, how many rows became what, and what its page does not hold. */
import { visible } from '../../text/escape.ts';
import { counted, grouped, verbFor } from '../../text/words.ts';
import { minuteOf } from './amounts.ts';
import type { Changes } from './figures/changes.ts';
import type { Figures } from './figures/collect.ts';
import type { Stability } from './figures/stability.ts';
import type { Measure } from './page-data.ts';

/** What a status is called where people read it. */
export const STATUS_WORDS = {
  scored: 'scored',
  no_score: 'no score',
  failed: 'failed',
  invalid: 'not a wallet',
  pending: 'not reached',
} as const;

/** The same of `count` rows. */
const statusWords = (status: keyof typeof STATUS_WORDS, count: number): string =>
  status === 'invalid' && count !== 1 ? 'not wallets' : STATUS_WORDS[status];

/** What became of the rows, and when, behind how many there are: `, answered 2026-11-20 15:00 UTC: 3 scored.` */
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

/** Which rows the page does not hold; undefined when it holds all. */
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

/** How many of the listed rows have no card; undefined when all have one. */
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

/** What stands for the value of a field that a row does not have. */
const NO_VALUE = 'no value';
export const valueText = (value: string): string => (value === '' ? NO_VALUE : visible(value));

/** What groups of rows are called (--by). */
export const groupNames = {
  of: ({ value }: { readonly value: string | undefined }): string => valueText(value ?? ''),
  others: 'all other values',
};

/** Under a tenth scores are taken to be stable, from a quarter on to have shifted. */
export function stabilityText({ psi, isTelling }: Stability): string {
  if (!isTelling) return `psi of the score ${psi.toFixed(3)}, which tells little of so few scores`;
  const judgement = psi < 0.1 ? 'stable' : psi < 0.25 ? 'shifted somewhat' : 'shifted';
  return `scores as a whole: ${judgement} (psi ${psi.toFixed(3)})`;
}

/** What a review says of one wallet, in the words of the letter and of the page. */
import type { Difference } from '../../compare/compare.ts';
import type { Node } from '../../document/node.ts';
import { hasCollateralChange, hasScoreChange } from '../../review/changes.ts';
import type { Match, News } from '../../review/news.ts';
import type { NamedWallet } from '../../review/wallet-facts.ts';
import type { Excused } from '../../row/row.ts';
import { visible } from '../../text/escape.ts';
import { monthName, timeIn } from '../../text/when.ts';
import { truncate } from '../../text/width.ts';
import { fieldText } from '../value-text.ts';

/** `23 Nov 2026`, a UTC day. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${monthName(at).slice(0, 3)} ${date.getUTCFullYear()}`;
}

export const dayText = (day: string) => dayOf(timeIn(day));

const valueText = (name: string, node: Node | undefined) => (node ? fieldText(name, node) : '-');

/** What it is today; of a wallet that has left, what it was. */
const shown = ({ hasLeft }: NamedWallet, { old, new: now }: Difference) => (hasLeft ? old : now);

export const scoreText = (row: NamedWallet) =>
  row.status === 'no_score' ? 'no score' : valueText('score', shown(row, row.score));
export const collateralText = (row: NamedWallet) => valueText('total_collateral_usd', shown(row, row.collateral));

export function scoreChange({ score }: NamedWallet): string {
  const { delta } = score;
  if (delta === undefined || !hasScoreChange(score)) return '';
  return delta.startsWith('-') ? delta : `+${delta}`;
}

/** In per cent, or that there was nothing before. */
export function collateralChange({ collateral }: NamedWallet): string {
  const { old, percent } = collateral;
  if (old && percent === undefined)
    return hasCollateralChange(collateral) ? `from ${fieldText('total_collateral_usd', old)}` : '';
  if (percent === undefined || Number(percent) === 0) return '';
  return `${percent.startsWith('-') ? '' : '+'}${percent}%`;
}

const NEWS: Readonly<Record<News, string>> = { facts: 'new', rules: 'new by rule' };

const withNews = (text: string, news: News | undefined) => visible(news ? `${text} (${NEWS[news]})` : text);
const matchTexts = (matches: readonly Match[]) => matches.map(({ rule, news }) => withNews(rule, news)).join(', ');

/** All that is said of a wallet beside its figures, whatever its section. */
export function remarksOf(facts: NamedWallet): readonly string[] {
  const { matched, watched, whyNotJudged, notJudgedNews, excused, ended, hasCome, hasLeft } = facts;
  const watch = matchTexts(watched);
  return [
    matchTexts(matched),
    watch && `watch: ${watch}`,
    whyNotJudged === undefined ? '' : withNews(whyNotJudged, notJudgedNews),
    ...excused.map(exceptionWords),
    ...ended.map(({ until = '' }) => `exception ended ${dayText(until)}`),
    ...(hasCome ? ['came'] : []),
    ...(hasLeft ? ['left', ...leftRemarks(facts)] : lastScore(facts)),
    ...(facts.standing.length > 0 ? [visible(`matched before: ${facts.standing.join(', ')}`)] : []),
    ...endedAlarms(facts),
    ...changeRemarks(facts),
    ...incompleteRemarks(facts),
  ].filter(Boolean);
}

/** The alarms that have ended; one whose rule only watches now is named as that. */
const endedAlarms = ({ cleared, watched }: NamedWallet): readonly string[] =>
  cleared
    .filter(({ rule }) => !watched.some((match) => match.rule === rule))
    .map(({ rule, news }) => `no longer ${visible(rule)}${news === 'rules' ? ' (by rule)' : ''}`);

/** The last score of a wallet that has none, and its date. */
function lastScore({ score: { old, new: now, oldAt } }: NamedWallet): readonly string[] {
  if (!old || now) return [];
  return [`last score ${fieldText('score', old)}${oldAt === undefined ? '' : ` on ${dayText(oldAt)}`}`];
}

const leftRemarks = ({ score, collateral }: NamedWallet) => [
  score.since === undefined ? '' : `score of ${dayText(score.since)}`,
  collateral.since === undefined ? '' : `collateral of ${dayText(collateral.since)}`,
];

function changeRemarks(facts: NamedWallet): readonly string[] {
  const { texts, lost, appeared, score, collateral } = facts;
  return [
    ...texts.map(({ field, old = 'none', new: now = 'none', since }) =>
      [visible(`${field} ${old} -> ${now}`), sinceText('', since)].filter(Boolean).join(' '),
    ),
    ...appeared.map((what) => `has ${what === 'answer' ? 'an' : 'a'} ${what} now`),
    ...(lost.includes('collateral') ? [`no collateral now${wasText(collateral.old)}`] : []),
    ...(scoreChange(facts) === '' ? [] : [sinceText('score', score.since)]),
    ...(collateralChange(facts) === '' ? [] : [sinceText('collateral', collateral.since)]),
  ];
}

const wasText = (old: Node | undefined) => (old ? `, ${fieldText('total_collateral_usd', old)} before` : '');

/** Since when something changed, where that is not the day of the review compared with. */
const sinceText = (what: string, since: string | undefined) =>
  since === undefined ? '' : `${what} since ${dayText(since)}`.trim();

const MAX_WARNING = 80;

/**
 * A figure of an incomplete answer may be a part of what it should be, and so may the one that it
 * is compared with.
 */
const incompleteRemarks = ({ warning, earlierWarning, collateral }: NamedWallet): readonly string[] => [
  ...(warning === undefined ? [] : [`incomplete: ${truncate(visible(warning), MAX_WARNING)}`]),
  ...(earlierWarning === undefined || !collateral.oldAt ? [] : [`incomplete on ${dayText(collateral.oldAt)}`]),
];

const exceptionWords = ({ rule, reason, until }: Excused) =>
  visible(`${rule}: ${reason}${until === undefined ? '' : `, until ${dayText(until)}`}`);

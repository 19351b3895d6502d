/** A review for a chat. */

import type { Match } from '../../review/news.ts';
import type { Review } from '../../review/review.ts';
import type { Section } from '../../review/sections.ts';
import { isNews, type NamedWallet } from '../../review/wallet-facts.ts';
import { visible } from '../../text/escape.ts';
import { truncate } from '../../text/width.ts';
import { groupDigits } from '../../text/words.ts';
import { endingWords, firstLine, SHOWN, SYNTHETIC, totalText, weakerRules } from './letter.ts';

const BRIEF_WIDTH = 200;

/** For a chat: the counts, then a line each of at most 200 characters. */
export function briefLines(review: Review): readonly string[] {
  const { lookAt, notJudged, watch, excused, changed, came, left, ending } = review;
  const matches = review.comparedWith.kind === 'review' ? newMatches : allMatches;
  const lines = [
    ...(review.isSandbox ? [SYNTHETIC] : []),
    firstLine(review),
    ...weakerRules(review),
    ...briefLine('to look at', lookAt, matches),
    ...briefLine('not judged', notJudged, shortName),
    ...briefLine('watch', watch, matches),
    ...(excused.wallets.some(isNews) ? briefLine('excused', excused, newMatches) : []),
    ...briefLine('changed', changed, shortName),
    ...briefLine('came', came, shortName),
    ...briefLine('left', left, shortName),
    ...(ending.length > 0
      ? [`exceptions that end ${groupDigits(ending.length)}: ${ending.map(endingWords).join('; ')}`]
      : []),
  ];
  return lines.map((text) => truncate(text, BRIEF_WIDTH));
}

/** @param nameOf the words for a wallet; empty for one that is not named */
function briefLine(what: string, section: Section, nameOf: (facts: NamedWallet) => string): readonly string[] {
  if (section.total === 0) return [];
  const names = section.wallets.slice(0, SHOWN).map(nameOf).filter(Boolean);
  return [`${what} ${totalText(section)}${names.length > 0 ? `: ${names.join(', ')}` : ''}`];
}

const shortName = ({ label, wallet, line }: NamedWallet) => visible(label ?? wallet ?? `line ${line}`);

/** `low`, `low by rule`, `watch: mid`. */
const matchNames = ({ matched, watched }: NamedWallet, isNamed: (match: Match) => boolean) => {
  const words = ({ rule, news }: Match) => `${visible(rule)}${news === 'rules' ? ' by rule' : ''}`;
  return [...matched.filter(isNamed).map(words), ...watched.filter(isNamed).map((match) => `watch: ${words(match)}`)];
};

/** A wallet with all rules that it matches, where there is no earlier review that has named it. */
const allMatches = (facts: NamedWallet) => `${shortName(facts)} (${matchNames(facts, () => true).join(', ')})`;

/** A wallet that is news, with the rules that are new, or else that its values have changed. */
function newMatches(facts: NamedWallet): string {
  const rules = matchNames(facts, ({ news }) => news !== undefined);
  const all = [...rules, ...(facts.notJudgedNews ? ['not judged'] : [])];
  if (all.length > 0) return `${shortName(facts)} (${all.join(', ')})`;
  return isNews(facts) ? `${shortName(facts)} (changed)` : '';
}

/** A review for a chat. */
import type { Review } from '../../review/review.ts';
import type { Section } from '../../review/sections.ts';
import { isNews, type Match, type WalletFacts } from '../../review/wallet-facts.ts';
import { visible } from '../../text/escape.ts';
import { truncate } from '../../text/width.ts';
import { groupDigits } from '../../text/words.ts';
import { endingWords, firstLine, type Part, SHOWN, SYNTHETIC, totalText } from './letter.ts';

const BRIEF_WIDTH = 200;

/** For a chat: the counts, then a line each of at most 200 characters. */
export function briefLines(review: Review): readonly string[] {
  const { lookAt, notJudged, watch, excused, changed, came, left, ending } = review;
  const hasEarlier = review.comparedWith.kind === 'review';
  const lines = [
    ...(review.isSandbox ? [SYNTHETIC] : []),
    firstLine(review),
    ...briefLine('to look at', lookAt, { news: lookAt, name: hasEarlier ? newMatches : allMatches }),
    ...briefLine('not judged', notJudged, { news: notJudged, name: shortName }),
    ...briefLine('watch', watch, { news: watch, name: hasEarlier ? newMatches : allMatches }),
    ...(excused.wallets.some(isNews) ? briefLine('excused', excused, { name: newMatches }) : []),
    ...briefLine('changed', changed, { name: shortName }),
    ...briefLine('came', came, { name: shortName }),
    ...briefLine('left', left, { name: shortName }),
    ...(ending.length > 0
      ? [`exceptions that end ${groupDigits(ending.length)}: ${ending.map(endingWords).join('; ')}`]
      : []),
  ];
  return lines.map((text) => truncate(text, BRIEF_WIDTH));
}

interface BriefOptions {
  readonly news?: Part['news'];
  /** The words for a wallet; empty for one that is not named. */
  readonly name: (facts: WalletFacts) => string;
}

function briefLine(what: string, { total, wallets }: Section, { news, name }: BriefOptions): readonly string[] {
  if (total === 0) return [];
  const names = wallets.slice(0, SHOWN).map(name).filter(Boolean);
  return [`${what} ${totalText(total, news)}${names.length > 0 ? `: ${names.join(', ')}` : ''}`];
}

const shortName = ({ label, wallet, line }: WalletFacts) => visible(label ?? wallet ?? `line ${line}`);

const matchNames = (matches: readonly Match[]) => matches.map(({ rule }) => visible(rule));

/** A wallet with all rules that it matches, where there is no earlier review that has named it. */
const allMatches = (facts: WalletFacts) =>
  `${shortName(facts)} (${matchNames([...facts.matched, ...facts.watched]).join(', ')})`;

/** A wallet that is news, with the rules that are new, or else that its values have changed. */
function newMatches(facts: WalletFacts): string {
  const rules = matchNames([...facts.matched, ...facts.watched].filter(({ news }) => news));
  const all = [...rules, ...(facts.whyNews ? ['not judged'] : [])];
  if (all.length > 0) return `${shortName(facts)} (${all.join(', ')})`;
  return isNews(facts) ? `${shortName(facts)} (changed)` : '';
}

/** The sections of a review: which wallets they keep, and in which order. */
import { sizeOfChange } from '../compare/compare.ts';
import { compareDecimals, type Decimal, decimalOf, ZERO } from '../row/decimal.ts';
import { compareSeverity } from '../row/worst-first.ts';
import { createTop } from '../text/top.ts';
import { hasNewCollateral, hasNewScore, hasNewTexts } from './changes.ts';
import { isNews, newsOf, type WalletFacts } from './wallet-facts.ts';

/** Wallets of a section that are kept; the letter shows fewer. */
export const MAX_WALLETS = 1_000;

export interface Section {
  /** How many there are; `wallets` has at most 1,000 of them. */
  readonly total: number;
  readonly wallets: readonly WalletFacts[];
}

/** In a section, first what is new in it, then what is news for another reason, then an alarm that has ended. */
function urgency(facts: WalletFacts): 0 | 1 | 2 | 3 {
  if (newsOf(facts) !== undefined) return 0;
  if (isNews(facts)) return 1;
  return facts.cleared.length > 0 ? 2 : 3;
}

/** A section in which some are new since the earlier review. */
export interface NewsSection extends Section {
  readonly byFacts: number;
  readonly byRules: number;
}

/** News first, then the worst first by what the rule is about, then by collateral. */
export function worstFirst() {
  const top = createTop<Ranked, WalletFacts>(
    MAX_WALLETS,
    (a, b) =>
      a.urgency - b.urgency ||
      compareSeverity(a.facts.severity, b.facts.severity) ||
      compareCollateral(a.facts, b.facts),
  );
  const news = newsTally();
  return {
    add(facts: WalletFacts): void {
      news.add(newsOf(facts));
      top.offer({ urgency: urgency(facts), facts }, () => facts);
    },
    all: (): NewsSection => ({ total: top.count, ...news.counts, wallets: top.all() }),
  };
}

interface Ranked {
  readonly urgency: number;
  readonly facts: WalletFacts;
}

function newsTally() {
  const counts = { byFacts: 0, byRules: 0 };
  return {
    counts,
    add(news: WalletFacts['whyNews']): void {
      if (news) counts[news === 'facts' ? 'byFacts' : 'byRules'] += 1;
    },
  };
}

function compareCollateral(a: WalletFacts, b: WalletFacts): number {
  const [one, other] = [a, b].map(({ collateral: { old, new: now } }) => {
    const node = now ?? old;
    return node && decimalOf(node);
  });
  if (!one || !other) return Number(!one) - Number(!other);
  return compareDecimals(other, one);
}

/** News first, else in the order of the list. */
export function newFirst() {
  const top = createTop<number, WalletFacts>(MAX_WALLETS, (a, b) => a - b);
  const news = newsTally();
  return {
    add(facts: WalletFacts): void {
      news.add(newsOf(facts));
      top.offer(urgency(facts), () => facts);
    },
    all: (): NewsSection => ({ total: top.count, ...news.counts, wallets: top.all() }),
  };
}

/**
 * News first, and in it those whose text has changed, then by the change of the score, then by that of the collateral, the largest
 * first.
 */
export function largestFirst() {
  const top = createTop<ChangeRank, WalletFacts>(
    MAX_WALLETS,
    (a, b) => a.urgency - b.urgency || a.kind - b.kind || compareDecimals(b.size, a.size),
  );
  let newsCount = 0;
  return {
    add(facts: WalletFacts): void {
      if (isNews(facts)) newsCount += 1;
      top.offer({ urgency: urgency(facts), ...sizeOf(facts) }, () => facts);
    },
    all: () => ({ total: top.count, newsCount, wallets: top.all() }),
  };
}

interface ChangeRank {
  readonly urgency: number;
  readonly kind: number;
  readonly size: Decimal;
}

function sizeOf(facts: WalletFacts): Pick<ChangeRank, 'kind' | 'size'> {
  const { score, collateral } = facts;
  if (hasNewTexts(facts)) return { kind: 0, size: ZERO };
  if (hasNewScore(score)) return { kind: 1, size: sizeOfChange(score) ?? ZERO };
  const percent = hasNewCollateral(collateral) ? Math.abs(Number(collateral.percent ?? Number.MAX_VALUE)) : 0;
  return { kind: 2, size: { spelling: String(percent), double: percent } };
}

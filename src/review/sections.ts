/** The sections of a review: which wallets they keep, and in which order. */
import { sizeOfChange } from '../compare/compare.ts';
import { compareDecimals, type Decimal, decimalOf, ZERO } from '../row/decimal.ts';
import { compareSeverity } from '../row/worst-first.ts';
import { createTop } from '../text/top.ts';
import { hasNewCollateral, hasNewScore, hasNewTexts } from './changes.ts';
import { newsOf, type WalletFacts } from './wallet-facts.ts';

/** Wallets of a section that are kept; the letter shows fewer. */
export const MAX_WALLETS = 1_000;

export interface Section {
  /** How many there are; `wallets` has at most 1,000 of them. */
  readonly total: number;
  readonly wallets: readonly WalletFacts[];
}

/** A section in which some are new since the earlier review. */
export interface NewsSection extends Section {
  readonly byFacts: number;
  readonly byRules: number;
}

/** New ones first, then the worst first by what the rule is about, then by collateral. */
export function worstFirst() {
  const top = createTop<WalletFacts, WalletFacts>(
    MAX_WALLETS,
    (a, b) =>
      Number(newsOf(b) !== undefined) - Number(newsOf(a) !== undefined) ||
      compareSeverity(a.severity, b.severity) ||
      compareCollateral(a, b),
  );
  const news = newsTally();
  return {
    add(facts: WalletFacts): void {
      news.add(newsOf(facts));
      top.offer(facts, () => facts);
    },
    all: (): NewsSection => ({ total: top.count, ...news.counts, wallets: top.all() }),
  };
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

/** New ones first, else in the order of the list. */
export function newFirst() {
  const [fresh, others]: [WalletFacts[], WalletFacts[]] = [[], []];
  const news = newsTally();
  let total = 0;
  return {
    add(facts: WalletFacts): void {
      total += 1;
      const what = newsOf(facts);
      news.add(what);
      const wallets = what ? fresh : others;
      if (wallets.length < MAX_WALLETS) wallets.push(facts);
    },
    all: (): NewsSection => ({ total, ...news.counts, wallets: [...fresh, ...others].slice(0, MAX_WALLETS) }),
  };
}

/** Those whose text has changed, then by the change of the score, then by that of the collateral, the largest first. */
export function largestFirst() {
  const top = createTop<readonly [kind: number, size: Decimal], WalletFacts>(
    MAX_WALLETS,
    ([kind, size], [otherKind, otherSize]) => kind - otherKind || compareDecimals(otherSize, size),
  );
  return {
    add: (facts: WalletFacts) => top.offer(sizeOf(facts), () => facts),
    all: (): Section => ({ total: top.count, wallets: top.all() }),
  };
}

function sizeOf(facts: WalletFacts): readonly [kind: number, size: Decimal] {
  const { score, collateral } = facts;
  if (hasNewTexts(facts)) return [0, ZERO];
  if (hasNewScore(score)) return [1, sizeOfChange(score) ?? ZERO];
  const percent = hasNewCollateral(collateral) ? Math.abs(Number(collateral.percent ?? Number.MAX_VALUE)) : 0;
  return [2, { spelling: String(percent), double: percent }];
}

/** The sections of a review: which wallets they keep, and in which order. */
import { compareDecimals, decimalOf } from '../row/decimal.ts';
import { compareSeverity } from '../rules/worst-first.ts';
import { createTop } from '../text/top.ts';
import { hasChanged, largestFirst, sizeOfChanges } from './changes.ts';
import { isNews, type NamedWallet, nameWallet, newsOf, type WalletFacts } from './wallet-facts.ts';

/** Wallets of a section that are kept; the letter shows fewer. */
export const MAX_WALLETS = 1_000;

export interface Section {
  /** How many there are; `wallets` has at most 1,000 of them. */
  readonly total: number;
  /** How many of them are news. */
  readonly newsCount: number;
  /** How many of them are new since the earlier review. */
  readonly byFacts: number;
  readonly byRules: number;
  readonly wallets: readonly NamedWallet[];
}

/** The sections of a review. @param labelColumn the column of the wallets' labels */
export function createSections(labelColumn: string | undefined) {
  const sections = {
    lookAt: createSection(itself, worstFirst, labelColumn),
    notJudged: createSection(itself, asListed, labelColumn),
    watch: createSection(itself, worstFirst, labelColumn),
    excused: createSection(itself, asListed, labelColumn),
    changed: createSection(sizeOfChanges, largestFirst, labelColumn),
    came: createSection(itself, asListed, labelColumn),
    left: createSection(itself, asListed, labelColumn),
  };
  return {
    add(facts: WalletFacts): void {
      const name = sectionOf(facts);
      if (name) sections[name].add(facts);
    },
    all: () => ({
      lookAt: sections.lookAt.all(),
      notJudged: sections.notJudged.all(),
      watch: sections.watch.all(),
      excused: sections.excused.all(),
      changed: sections.changed.all(),
      came: sections.came.all(),
      left: sections.left.all(),
    }),
  };
}

/** The first section that fits. */
function sectionOf(facts: WalletFacts) {
  if (facts.matched.length > 0) return 'lookAt';
  if (facts.whyNotJudged !== undefined) return 'notJudged';
  if (facts.watched.length > 0) return 'watch';
  if (facts.hasLeft) return 'left';
  if (facts.excused.length > 0) return 'excused';
  if (hasChanged(facts) || facts.cleared.length > 0) return 'changed';
  return facts.hasCome ? 'came' : undefined;
}

const itself = (facts: WalletFacts) => facts;

/**
 * In a section, first what is new by the facts, then by the rules, then what is news for another
 * reason, then an alarm that has ended.
 */
function urgency(facts: WalletFacts): number {
  const how = newsOf(facts);
  if (how !== undefined) return how === 'facts' ? 0 : 1;
  if (isNews(facts)) return 2;
  return facts.cleared.length > 0 ? 3 : 4;
}

/** The most urgent first. Wallets whose keys are equal stay in the order of the list. */
function createSection<K>(
  keyOf: (facts: WalletFacts) => K,
  compare: (a: K, b: K) => number,
  labelColumn: string | undefined,
) {
  const top = createTop<{ readonly urgency: number; readonly key: K }, NamedWallet>(
    MAX_WALLETS,
    (a, b) => a.urgency - b.urgency || compare(a.key, b.key),
  );
  const news = { facts: 0, rules: 0 };
  let newsCount = 0;
  return {
    add(facts: WalletFacts): void {
      const how = newsOf(facts);
      if (how) news[how] += 1;
      if (isNews(facts)) newsCount += 1;
      top.offer({ urgency: urgency(facts), key: keyOf(facts) }, () => nameWallet(facts, labelColumn));
    },
    all: (): Section => ({
      total: top.count,
      newsCount,
      byFacts: news.facts,
      byRules: news.rules,
      wallets: top.all(),
    }),
  };
}

const asListed = () => 0;

/** The worst first by what the rule is about, then by collateral. */
const worstFirst = (a: WalletFacts, b: WalletFacts): number =>
  compareSeverity(a.severity, b.severity) || compareCollateral(a, b);

function compareCollateral(a: WalletFacts, b: WalletFacts): number {
  const [one, other] = [a, b].map(({ collateral: { old, new: now } }) => {
    const node = now ?? old;
    return node && decimalOf(node);
  });
  if (!one || !other) return Number(!one) - Number(!other);
  return compareDecimals(other, one);
}

/** The sections of a review: which wallets each keeps, and in which order. */
import { compareDecimals, decimalOf } from '../row/decimal.ts';
import { sortKey } from '../row/sort-key.ts';
import { isOrdering } from '../rules/conditions.ts';
import { conditionsOf, type Rule } from '../rules/rules.ts';
import { compareSeverity, type Severity } from '../rules/worst-first.ts';
import { createTop } from '../text/top.ts';
import {
  type ComparedWallet,
  changePercent,
  labelledWallet,
  type ReviewWallet,
  SECTIONS,
  type SectionName,
  sectionOf,
  type WalletFacts,
} from './wallet.ts';

/** Wallets of a section that are kept; the letter shows fewer. */
export const MAX_WALLETS = 1_000;

export interface Section {
  readonly name: SectionName;
  /** How many there are; `wallets` has at most 1,000 of them. */
  readonly total: number;
  /** How many of them are news. */
  readonly newsCount: number;
  readonly wallets: readonly ReviewWallet[];
  /** The rules that the section is about, in the order of the review. */
  readonly rules: readonly string[];
}

/** What decides the place of a wallet in its section; compareRanks has the order. */
interface Rank extends Severity {
  readonly isNews: boolean;
  readonly change: number;
  readonly collateral: ReviewWallet['collateral'];
}

export class Sections {
  readonly #rules: readonly Rule[];
  readonly #sections = SECTIONS.map((name) => ({
    name,
    newsCount: 0,
    rules: new Set<string>(),
    top: createTop<Rank, ReviewWallet>(MAX_WALLETS, compareRanks),
  }));

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  add(wallet: WalletFacts, isNews: boolean): void {
    const shownIn = sectionOf(wallet);
    const section = this.#sections.find(({ name }) => name === shownIn);
    if (!section) return;
    if (isNews) section.newsCount += 1;
    for (const { rule } of alarmsOfSection(section.name, wallet)) section.rules.add(rule);
    section.top.offer(rankOf(section.name, wallet, isNews, this.#rules), () => labelledWallet(wallet));
  }

  all(): readonly Section[] {
    return this.#sections.map(({ name, newsCount, rules, top }) => {
      const known = this.#rules.map((rule) => rule.name).filter((rule) => rules.has(rule));
      return { name, newsCount, rules: [...new Set([...known, ...rules])], total: top.count, wallets: top.all() };
    });
  }
}

/** The alarms that a section is about, with the values that decided. */
export function alarmsOfSection(name: SectionName, { alarms, closed }: ComparedWallet) {
  if (name === 'closed') return closed;
  if (name === 'new' || name === 'open') return alarms.filter(({ level, excused }) => level === 'alarm' && !excused);
  if (name === 'watch') return alarms.filter(({ excused }) => !excused);
  return name === 'excused' ? alarms : [];
}

function rankOf(name: SectionName, wallet: WalletFacts, isNews: boolean, rules: readonly Rule[]): Rank {
  const [first] = alarmsOfSection(name, wallet)
    .map(({ rule, value }) => ({ ruleIndex: rules.findIndex((one) => one.name === rule), value }))
    .sort((one, other) => one.ruleIndex - other.ruleIndex);
  const rule = first && rules[first.ruleIndex];
  const test = rule && conditionsOf(rule.when).find(isOrdering)?.test;
  return {
    isNews,
    ruleIndex: first?.ruleIndex ?? 0,
    descending: test?.startsWith('>') ?? false,
    key: sortKey(first?.value === undefined ? undefined : { kind: 'string', value: first.value }),
    change: name === 'changed' ? changePercent(wallet) : 0,
    collateral: wallet.collateral ?? wallet.previous?.collateral,
  };
}

/** News first, then the worst by the value that the rule is about, then by collateral. */
function compareRanks(a: Rank, b: Rank): number {
  return (
    Number(b.isNews) - Number(a.isNews) ||
    compareSeverity(a, b) ||
    largestFirst(a.change, b.change) ||
    compareCollateral(a, b)
  );
}

/** Two infinite changes are equal: their difference would be NaN. */
const largestFirst = (a: number, b: number): number => (a === b ? 0 : b - a);

function compareCollateral(a: Rank, b: Rank): number {
  const [one, other] = [a, b].map(({ collateral }) => collateral && decimalOf(collateral));
  if (!one || !other) return Number(!one) - Number(!other);
  return compareDecimals(other, one);
}

/** The counts of a review: wallets by status, and what each rule found. */
import type { Row, Status } from '../row/row.ts';
import { ruleCounts } from '../rules/rule-counts.ts';
import { expressionLine, type Rule } from '../rules/rules.ts';
import type { ReviewHeader } from '../runs/review-lines.ts';
import { timeIn, utcDay } from '../text/when.ts';
import type { Match } from './news.ts';
import { isNews, type WalletFacts } from './wallet-facts.ts';

/** What a rule found: `byFacts` and `byRules` are those of `matched` that are new. */
export type RuleFigures = Readonly<ReturnType<typeof emptyFigures>>;

/** Counts wallets of the list, and those that have left it. */
export function createCounts({ rules, begun }: ReviewHeader) {
  const byStatus: Record<Status, number> = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  const today = utcDay(begun);
  const days = new Map<number, number>();
  const byRule = createRuleFigures(rules);
  const clearedByRules = new Map<string, number>();
  let [wallets, common, incomplete, hasNews] = [0, 0, 0, false];
  return {
    add(facts: WalletFacts): void {
      const { status, wallet, warning, answeredAt } = facts;
      byRule.add(facts);
      hasNews ||= isNews(facts);
      for (const { rule, news } of facts.cleared) {
        if (news === 'rules') clearedByRules.set(rule, (clearedByRules.get(rule) ?? 0) + 1);
      }
      if (facts.hasLeft || !status) return;
      byStatus[status] += 1;
      if (wallet !== undefined) wallets += 1;
      if (wallet !== undefined && !facts.hasCome) common += 1;
      if (warning !== undefined) incomplete += 1;
      const day = answeredAt === undefined ? today : utcDay(timeIn(answeredAt));
      if (day < today) days.set(day, (days.get(day) ?? 0) + 1);
    },
    all: () => ({
      byStatus,
      /** Distinct wallets of the list, and those that the earlier review has as well. */
      wallets,
      common,
      incomplete,
      hasNews,
      /** Wallets whose answers are of earlier days than that of the review, by these days. */
      ofEarlierDays: [...days].sort(([a], [b]) => a - b),
      /**
       * The alarms of the earlier review that ended since their rules are gone or weaker, and for
       * how many wallets.
       */
      clearedByRules: [...clearedByRules],
      counts: byRule.counts,
      rules: byRule.all(),
    }),
  };
}

function createRuleFigures(rules: readonly Rule[]) {
  /** For the line on stderr, which names the first wallet. */
  const counts = ruleCounts<Pick<Row, 'wallet' | 'line'>>(rules);
  const figures = new Map(rules.map((rule) => [rule.name, emptyFigures(rule)]));
  const add = (name: string, what: 'matched' | 'byFacts' | 'byRules' | 'unjudged' | 'excused') => {
    const numbers = figures.get(name);
    if (numbers) numbers[what] += 1;
  };
  const named = (names: readonly string[]) => rules.filter(({ name }) => names.includes(name));
  return {
    counts,
    add({ wallet, line = 0, matched, watched, unjudged, excused }: WalletFacts): void {
      for (const { rule, news } of [...matched, ...watched]) {
        add(rule, 'matched');
        if (news) add(rule, news === 'facts' ? 'byFacts' : 'byRules');
      }
      for (const name of unjudged) add(name, 'unjudged');
      for (const { rule } of excused) add(rule, 'excused');
      const namesOf = (matches: readonly Match[]) => matches.map(({ rule }) => rule);
      counts.add(
        { wallet, line },
        { matched: named(namesOf(matched)), watched: named(namesOf(watched)), unjudged: named(unjudged) },
      );
    },
    all: (): readonly RuleFigures[] => [...figures.values()],
  };
}

const emptyFigures = ({ name, level, when, note }: Rule) => ({
  name,
  level,
  condition: expressionLine(when),
  note,
  matched: 0,
  byFacts: 0,
  byRules: 0,
  unjudged: 0,
  excused: 0,
});

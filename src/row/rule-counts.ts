/**
 * Counts the rows of a list or a diff that match rules, and those that cannot be judged. Both end a gate with exit 10, but are
 * counted separately: nine wallets below a limit are not the 17 without a score.
 */
import { quoted } from '../secrets/withhold.ts';
import { grouped } from '../text/words.ts';
import type { Rule, Verdict } from './rules.ts';

/** Rows of one kind. */
export interface RuleTally<R> {
  readonly rows: number;
  readonly first: { readonly row: R; readonly rule: Rule } | undefined;
  /** The rules that they matched. */
  readonly rules: ReadonlySet<Rule>;
}

export interface RuleCounts<R> {
  readonly matched: RuleTally<R>;
  /** Rows that matched none, but for which at least one could not be judged. */
  readonly unjudged: RuleTally<R>;
  /** The counts of each rule, in order; a row may count for several. */
  readonly byRule: readonly { readonly rule: string; readonly rows: number; readonly unjudged: number }[];
  add(row: R, verdict: Verdict): void;
}

export function createRuleCounts<R>(rules: readonly Rule[]): RuleCounts<R> {
  const byRule = new Map(rules.map(({ name }) => [name, { rows: 0, unjudged: 0 }]));
  const [matched, unjudged] = [createFirstOf<R>(), createFirstOf<R>()];
  return {
    matched,
    unjudged,
    get byRule() {
      return [...byRule].map(([rule, counts]) => ({ rule, ...counts }));
    },
    add(row, verdict) {
      for (const { name } of verdict.matched) countOf(byRule, name).rows += 1;
      for (const { name } of verdict.unjudged) countOf(byRule, name).unjudged += 1;
      if (verdict.matched.length > 0) matched.add(row, verdict.matched);
      else unjudged.add(row, verdict.unjudged);
    },
  };
}

function countOf<C>(byRule: ReadonlyMap<string, C>, name: string): C {
  const counts = byRule.get(name);
  if (!counts) throw new TypeError('a rule that nobody asked for');
  return counts;
}

function createFirstOf<R>() {
  const tally = {
    rows: 0,
    first: undefined as RuleTally<R>['first'],
    rules: new Set<Rule>(),
    add(row: R, found: readonly Rule[]) {
      const [rule] = found;
      if (!rule) return;
      tally.rows += 1;
      tally.first ??= { row, rule };
      for (const one of found) tally.rules.add(one);
    },
  };
  return tally;
}

/** The names in `verdict`, as rows have them. */
export const namesOf = ({ matched, unjudged }: Verdict) => ({
  matched: matched.map(({ name }) => name),
  unjudged: unjudged.map(({ name }) => name),
});

/** Whether the exit code is 10. */
export const isAlarm = ({ matched, unjudged }: RuleCounts<unknown>): boolean => matched.rows + unjudged.rows > 0;

const told = <R>({ matched, unjudged }: RuleCounts<R>) => (matched.rows > 0 ? matched : unjudged);

/** The rule to name in the message: the only one, or that of the only row; undefined if there are several. */
export function namedRule<R>(counts: RuleCounts<R>): Rule | undefined {
  const { rows, rules, first } = told(counts);
  return rows === 1 || rules.size === 1 ? first?.rule : undefined;
}

/**
 * `--fail-if 'low': matched 9, not judged 17, first in line 2`
 * @param position the words for the first row that counts
 */
export function countsWords<R>(counts: RuleCounts<R>, position: (row: R) => string): string {
  const { matched, unjudged } = counts;
  const { first, rules } = told(counts);
  if (!first) return 'nothing matched';
  const named = namedRule(counts);
  const sources = [...new Set([...rules].map(({ source }) => source))].join(' and ');
  const labels = [
    ...(matched.rows > 0 ? [`matched ${grouped(matched.rows)}`] : []),
    ...(unjudged.rows > 0 ? [`not judged ${grouped(unjudged.rows)}`] : []),
    position(first.row),
  ];
  return `${named ? `${named.source} ${quoted(named.name)}` : sources}: ${labels.join(', ')}`;
}

/**
 * Counts the rows of a list or a diff that match rules, and those that cannot be judged. Both end a
 * gate with exit 10, but are counted separately: nine wallets below a limit are not the 17 without
 * a score. Watch rules are counted apart from both.
 */
import { ExitCode, FindingError } from '../errors.ts';
import { LEVELS, type Verdict } from '../row/verdict.ts';
import { quoted } from '../secrets/redact.ts';
import { groupDigits } from '../text/words.ts';
import type { Rule } from './rules.ts';

/** How many rows count for a rule. */
interface CountedRule {
  readonly rule: Rule;
  rows: number;
  unjudged: number;
}

export class RuleCounts<R> {
  readonly matched = new RowTally<R>();
  /** Rows that matched no alarm, but for which at least one could not be judged. */
  readonly unjudged = new RowTally<R>();
  /** The same of watch rules. */
  readonly watch = { matched: new RowTally<R>(), unjudged: new RowTally<R>() };
  readonly #byRule: ReadonlyMap<string, CountedRule>;

  constructor(rules: readonly Rule[]) {
    this.#byRule = new Map(rules.map((rule) => [rule.name, { rule, rows: 0, unjudged: 0 }]));
  }

  /** The counts of each rule, in order; a row may count for several. */
  byRule() {
    const all = [...this.#byRule.values()];
    return all.map(({ rule, rows, unjudged }) => ({ rule: rule.name, level: rule.level, rows, unjudged }));
  }

  /** @param verdicts those that an exception excuses are not counted */
  add(row: R, verdicts: readonly Verdict[]): void {
    for (const level of LEVELS) {
      const counted = verdicts.filter((verdict) => verdict.level === level && !verdict.excused);
      const rulesThat = (says: Verdict['says']) =>
        counted.filter((verdict) => verdict.says === says).flatMap(({ rule }) => this.#byRule.get(rule) ?? []);
      const [matching, unknown] = [rulesThat('matches'), rulesThat('unknown')];
      for (const one of matching) one.rows += 1;
      for (const one of unknown) one.unjudged += 1;
      const { matched, unjudged } = level === 'watch' ? this.watch : this;
      if (matching.length > 0) matched.add(row, matching);
      else unjudged.add(row, unknown);
    }
  }
}

/** Rows of one kind: how many, the first one, and the rules that count them. */
class RowTally<R> {
  rows = 0;
  first: { readonly row: R; readonly rule: Rule } | undefined;
  readonly rules = new Set<Rule>();

  add(row: R, counted: readonly CountedRule[]): void {
    const [first] = counted;
    if (!first) return;
    this.rows += 1;
    this.first ??= { row, rule: first.rule };
    for (const { rule } of counted) this.rules.add(rule);
  }
}

/** Rows that match, and rows that cannot be judged: of alarms, or of watch rules. */
interface Tallies<R> {
  readonly matched: RowTally<R>;
  readonly unjudged: RowTally<R>;
}

const total = ({ matched, unjudged }: Tallies<unknown>) => matched.rows + unjudged.rows;

/** Whether any row matched or could not be judged. */
export const isAnyCounted = (counts: Tallies<unknown>): boolean => total(counts) > 0;

const reported = <R>({ matched, unjudged }: Tallies<R>) => (matched.rows > 0 ? matched : unjudged);

/**
 * The rule to name in the message: the only one, or that of the only row; undefined if there are
 * several.
 */
function namedRule<R>(counts: Tallies<R>): Rule | undefined {
  const { rows, rules, first } = reported(counts);
  return rows === 1 || rules.size === 1 ? first?.rule : undefined;
}

/**
 * `--fail-if 'low': matched 9, not judged 17, first in line 2`
 * @param position the words for the first row that counts
 * @param label what the rows that match are called
 */
export function countsWords<R>(counts: Tallies<R>, position: (row: R) => string, label = 'matched'): string {
  const { matched, unjudged } = counts;
  const { first, rules } = reported(counts);
  if (!first) return `nothing ${label}`;
  const named = namedRule(counts);
  const sources = [...new Set([...rules].map(({ source }) => source))].join(' and ');
  const labels = [
    ...(matched.rows > 0 ? [`${label} ${groupDigits(matched.rows)}`] : []),
    ...(unjudged.rows > 0 ? [`not judged ${groupDigits(unjudged.rows)}`] : []),
    position(first.row),
  ];
  return `${named ? `${named.source} ${quoted(named.name)}` : sources}: ${labels.join(', ')}`;
}

/** The note of the policy on the rule that the message names. */
export const ruleNote = (counts: Tallies<unknown>): string | undefined => namedRule(counts)?.note;

/** @param matched such as `--fail-if 'low': matched 3` */
export function matchedError(matched: string, hint?: string): FindingError {
  return new FindingError(matched, { exitCode: ExitCode.matched, code: 'fail_if', hint });
}

/**
 * Counts the rows of a list or a diff that match rules, and those that cannot be judged. Both end a
 * gate with exit 10, but are counted separately: nine wallets below a limit are not the 17 without
 * a score. Watch rules are counted apart from both.
 */
import { ExitCode, FindingError } from '../errors.ts';
import { LEVELS, type Verdict } from '../row/verdict.ts';
import { quoted } from '../secrets/redact.ts';
import { countWords } from '../text/words.ts';
import type { Rule } from './rules.ts';

export class RuleCounts<R> {
  readonly matched = new RowTally<R>();
  /** Rows that matched no alarm, but for which at least one could not be judged. */
  readonly unjudged = new RowTally<R>();
  /** The same for watch rules. */
  readonly watch = { matched: new RowTally<R>(), unjudged: new RowTally<R>() };
  readonly #byName: ReadonlyMap<string, Rule>;

  constructor(rules: readonly Rule[]) {
    this.#byName = new Map(rules.map((rule) => [rule.name, rule]));
  }

  /** @param verdicts those that an exception excuses are not counted */
  add(row: R, verdicts: readonly Verdict[]): void {
    for (const level of LEVELS) {
      const counted = verdicts.filter((verdict) => verdict.level === level && !verdict.excused);
      const rulesThat = (says: Verdict['says']) =>
        counted.filter((verdict) => verdict.says === says).flatMap(({ rule }) => this.#byName.get(rule) ?? []);
      const { matched, unjudged } = level === 'watch' ? this.watch : this;
      const matching = rulesThat('matches');
      if (matching.length > 0) matched.add(row, matching);
      else unjudged.add(row, rulesThat('unknown'));
    }
  }
}

/** Rows of one kind: how many, the first one, and the rules for which they count. */
class RowTally<R> {
  rows = 0;
  first: { readonly row: R; readonly rule: Rule } | undefined;
  readonly rules = new Set<Rule>();

  add(row: R, counted: readonly Rule[]): void {
    const [rule] = counted;
    if (!rule) return;
    this.rows += 1;
    this.first ??= { row, rule };
    for (const one of counted) this.rules.add(one);
  }
}

/** Rows that match, and rows that cannot be judged: of alarms, or of watch rules. */
interface Tallies<R> {
  readonly matched: RowTally<R>;
  readonly unjudged: RowTally<R>;
}

/** Whether any row matched or could not be judged. */
export const isAnyCounted = ({ matched, unjudged }: Tallies<unknown>): boolean => matched.rows + unjudged.rows > 0;

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
  const found = countWords([
    [label, matched.rows],
    ['not judged', unjudged.rows],
  ]);
  return `${named ? `${named.source} ${quoted(named.name)}` : sources}: ${found}, ${position(first.row)}`;
}

/** The note of the policy on the rule that the message names. */
export const ruleNote = (counts: Tallies<unknown>): string | undefined => namedRule(counts)?.note;

/** @param matched such as `--fail-if 'low': matched 3` */
export function matchedError(matched: string, hint?: string): FindingError {
  return new FindingError(matched, { exitCode: ExitCode.matched, code: 'fail_if', hint });
}

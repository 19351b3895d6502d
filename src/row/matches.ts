/** What the rules of a run find in its rows: each row is told what it matched, and the counts are for the end. */
import { ExitCode, FindingError } from '../errors.ts';
import { quoted } from '../text/escape.ts';
import { counted } from '../text/words.ts';
import { findIn, type Row, type Status } from './row.ts';
import { placeOf } from './row-columns.ts';
import { matchedRules, type Rule } from './rules.ts';

export interface Matches {
  /** Rows that matched. */
  readonly count: number;
  /** The same of each rule, in their order; a row may have matched several. */
  readonly byRule: readonly { readonly rule: string; readonly rows: number }[];
  /** The first row that matched, and the first rule that it matched. */
  readonly first: { readonly row: Row; readonly rule: Rule } | undefined;
  /** `row`, told what it matches; the same row when there are no rules. */
  judge(row: Row): Row;
}

/** `matched` says what: `--fail-if 'low' matched 3 rows`. */
export function matchedError(matched: string): FindingError {
  return new FindingError(matched, { exitCode: ExitCode.matched, code: 'fail_if' });
}

/** What was found, in a line. It names the rule where that is clear: only one matched, or only one row did. */
export function matchedWords({ count, first, byRule }: Matches): string {
  if (!first) return 'nothing matched';
  const { row, rule } = first;
  const isOne = count === 1 || byRule.filter(({ rows }) => rows > 0).length === 1;
  const what = `${rule.source}${isOne ? ` ${quoted(rule.name)}` : ''} matched`;
  if (count > 1) return `${what} ${counted(count, 'row')}, the first in ${placeOf(row)}`;
  return `${what} ${row.wallet === undefined ? placeOf(row) : `${row.wallet} in ${placeOf(row)}`}`;
}

export interface MatchOptions {
  readonly rules: readonly Rule[];
  /** --accept: rows of these statuses match nothing. */
  readonly accept: ReadonlySet<Status>;
}

/** Nothing found yet. */
export function createMatches({ rules, accept }: MatchOptions): Matches {
  const byName = new Map(rules.map(({ name }) => [name, 0]));
  let count = 0;
  let first: Matches['first'];
  return {
    get count() {
      return count;
    },
    get byRule() {
      return [...byName].map(([rule, rows]) => ({ rule, rows }));
    },
    get first() {
      return first;
    },
    judge(row) {
      if (rules.length === 0) return row;
      const found = accept.has(row.status) ? [] : rulesOf(row, rules);
      for (const { name } of found) byName.set(name, (byName.get(name) ?? 0) + 1);
      const [rule] = found;
      if (rule) {
        count += 1;
        first ??= { row, rule };
      }
      return { ...row, matched: found.map(({ name }) => name) };
    },
  };
}

/** All rules where there is no answer: unknown is not safe. */
const rulesOf = (row: Row, rules: readonly Rule[]) => (row.document ? matchedRules(rules, findIn(row)) : rules);

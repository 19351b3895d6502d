/** What the rules of a run find in its rows: each row is told what it matched, and the counts are for the end. */
import { ExitCode, FindingError } from '../errors.ts';
import { quoted } from '../text/escape.ts';
import { counted } from '../text/words.ts';
import { type Excused, findIn, type Row, type Status } from './row.ts';
import { placeOf } from './row-columns.ts';
import { matchedRules, type Rule } from './rules.ts';

/** An exception of a policy: one wallet is excused from one rule. */
export interface Exception {
  /** The wallet as it was spelled, and in lower case: equal for all spellings of one wallet. */
  readonly wallet: string;
  readonly id: string;
  /** The name of the rule. */
  readonly rule: string;
  readonly reason: string;
  /** The last day, YYYY-MM-DD in UTC. */
  readonly until: string | undefined;
  readonly isExpired: boolean;
}

export interface Matches {
  /** Rows that matched what they are not excused from. */
  readonly count: number;
  /** The same of each rule, in their order; a row may have matched several. */
  readonly byRule: readonly { readonly rule: string; readonly rows: number }[];
  /** Where the rules that matched were given. */
  readonly sources: ReadonlySet<Rule['source']>;
  /** The first row that matched, and the first rule that it matched. */
  readonly first: { readonly row: Row; readonly rule: Rule } | undefined;
  /** The exceptions that are in force and have excused nothing so far. */
  readonly unused: readonly Exception[];
  /** `row`, told what it matches; the same row when there are no rules. */
  judge(row: Row): Row;
}

export interface MatchOptions {
  readonly rules: readonly Rule[];
  /** --accept: rows of these statuses match nothing. */
  readonly accept: ReadonlySet<Status>;
  /** Those of the policy; undefined when there is none. */
  readonly exceptions?: readonly Exception[] | undefined;
}

/** Nothing found yet. */
export function createMatches({ rules, accept, exceptions }: MatchOptions): Matches {
  const byName = new Map(rules.map(({ name }) => [name, 0]));
  const excuses = createExcuses(exceptions ?? []);
  const sources = new Set<Rule['source']>();
  let count = 0;
  let first: Matches['first'];
  return {
    sources,
    get count() {
      return count;
    },
    get byRule() {
      return [...byName].map(([rule, rows]) => ({ rule, rows }));
    },
    get first() {
      return first;
    },
    get unused() {
      return excuses.unused;
    },
    judge(row) {
      if (rules.length === 0) return row;
      const found = accept.has(row.status) ? [] : rulesOf(row, rules);
      const excused = found.flatMap((rule) => excuses.find(row, rule) ?? []);
      const matched = found.filter(({ name }) => !excused.some(({ rule }) => rule === name));
      for (const { name, source } of matched) {
        byName.set(name, (byName.get(name) ?? 0) + 1);
        sources.add(source);
      }
      const [rule] = matched;
      if (rule) {
        count += 1;
        first ??= { row, rule };
      }
      return { ...row, matched: matched.map(({ name }) => name), ...(exceptions && { excused }) };
    },
  };
}

/** All rules where there is no answer: unknown is not safe. */
const rulesOf = (row: Row, rules: readonly Rule[]) => (row.document ? matchedRules(rules, findIn(row)) : rules);

function createExcuses(exceptions: readonly Exception[]) {
  const keyOf = (id: string, rule: string) => `${id} ${rule}`;
  const inForce = new Map(
    exceptions
      .filter(({ isExpired }) => !isExpired)
      .map((exception) => [keyOf(exception.id, exception.rule), exception]),
  );
  const used = new Set<Exception>();
  return {
    get unused() {
      return [...inForce.values()].filter((exception) => !used.has(exception));
    },
    find({ wallet }: Row, { name, source }: Rule): Excused | undefined {
      if (wallet === undefined || source !== '--policy') return undefined;
      const exception = inForce.get(keyOf(wallet.toLowerCase(), name));
      if (!exception) return undefined;
      used.add(exception);
      const { rule, reason, until } = exception;
      return { rule, reason, until };
    },
  };
}

/** `matched` says what: `--fail-if 'low' matched 3 rows`. */
export function matchedError(matched: string, hint?: string): FindingError {
  return new FindingError(matched, { exitCode: ExitCode.matched, code: 'fail_if', hint });
}

/** Whether one rule can be named for all: only one matched, or only one row did. */
const isOne = ({ count, byRule }: Matches) => count === 1 || byRule.filter(({ rows }) => rows > 0).length === 1;

/** What was found, in a line. */
export function matchedWords(matches: Matches): string {
  const { count, first, sources } = matches;
  if (!first) return 'nothing matched';
  const { row, rule } = first;
  const what = `${isOne(matches) ? `${rule.source} ${quoted(rule.name)}` : [...sources].join(' and ')} matched`;
  if (count > 1) return `${what} ${counted(count, 'row')}, the first in ${placeOf(row)}`;
  return `${what} ${row.wallet === undefined ? placeOf(row) : `${row.wallet} in ${placeOf(row)}`}`;
}

/** What the policy says about the rule that is named. */
export const matchedHint = (matches: Matches): string | undefined =>
  isOne(matches) ? matches.first?.rule.note : undefined;

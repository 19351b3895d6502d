/** Applies the rules of a run: adds the rules that matched to each row, and counts them. */
import { ExitCode, FindingError } from '../errors.ts';
import { type Compared, findChange, NOT_COMPARED } from './change.ts';
import { type Excused, findIn, type Row, type Status } from './row.ts';
import { countsWords, createRuleCounts, namedRule, namesOf, type RuleCounts } from './rule-counts.ts';
import { evaluateRules, type Rule, type Verdict } from './rules.ts';

/** An exception of a policy: one wallet is excused from one rule. */
export interface Exception {
  /** The wallet as it was spelled; `id` is in lower case, equal for all spellings. */
  readonly wallet: string;
  readonly id: string;
  readonly rule: string;
  readonly reason: string;
  /** The last day, YYYY-MM-DD in UTC. */
  readonly until: string | undefined;
  /** The end of that day, milliseconds since 1970. */
  readonly endsAt: number | undefined;
  readonly isExpired: boolean;
}

export interface Matches {
  readonly counts: RuleCounts<Row>;
  /** The exceptions in force that have not excused anything so far. */
  readonly unused: readonly Exception[];
  /** `row` with the rules that it matches; unchanged when there are no rules. `compared`: for rules on change. */
  evaluate(row: Row, compared?: Compared): Row;
}

export interface MatchOptions {
  readonly rules: readonly Rule[];
  /** --accept: rows of these statuses match nothing. */
  readonly accept: ReadonlySet<Status>;
  /** The exceptions of the policy; undefined when there is none. */
  readonly exceptions?: readonly Exception[] | undefined;
}

export function createMatches({ rules, accept, exceptions }: MatchOptions): Matches {
  const counts = createRuleCounts<Row>(rules);
  const excuses = createExcuses(exceptions ?? []);
  return {
    counts,
    get unused() {
      return excuses.unused;
    },
    evaluate(row, compared = NOT_COMPARED) {
      if (rules.length === 0) return row;
      const found = accept.has(row.status) ? NOTHING : verdictOf(row, compared, rules);
      const excused = [...found.matched, ...found.unjudged].flatMap((rule) => excuses.find(row, rule) ?? []);
      const withoutExcused = (all: readonly Rule[]) =>
        all.filter(({ name }) => !excused.some(({ rule }) => rule === name));
      const verdict = { matched: withoutExcused(found.matched), unjudged: withoutExcused(found.unjudged) };
      counts.add(row, verdict);
      return { ...row, ...namesOf(verdict), ...(exceptions && { excused }) };
    },
  };
}

const NOTHING: Verdict = { matched: [], unjudged: [] };

/** Without an answer, rules that do not match are unjudged: unknown is not safe. */
function verdictOf(row: Row, compared: Compared, rules: readonly Rule[]): Verdict {
  const verdict = evaluateRules(rules, findChange(findIn(row), compared));
  return row.document ? verdict : { ...verdict, unjudged: rules.filter((rule) => !verdict.matched.includes(rule)) };
}

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

/** @param matched such as `--fail-if 'low': matched 3` */
export function matchedError(matched: string, hint?: string): FindingError {
  return new FindingError(matched, { exitCode: ExitCode.matched, code: 'fail_if', hint });
}

/** What matched in a list, in a line. */
export const matchedSummary = ({ counts }: Matches): string =>
  countsWords(counts, ({ wallet, line }) => ['first', wallet, 'in line', line].filter(Boolean).join(' '));

/** The policy's note on the rule that is named. */
export const matchedHint = ({ counts }: Matches): string | undefined => namedRule(counts)?.note;

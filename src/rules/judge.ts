/**
 * Judges a row by the rules of a run: the only place that does so, for today's rows and for those
 * of an earlier run. An alarm and a watch rule are judged alike; only an alarm can be in `matched`.
 */

import { findIn, type Row } from '../row/row.ts';
import { type FindCompared, findAlone } from './conditions.ts';
import { asksForAnswer, judgeExpression, type Rule } from './rules.ts';

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
}

/** Whether it is no longer in force at a time, in milliseconds since 1970. */
export const hasEnded = ({ endsAt }: Pick<Exception, 'endsAt'>, at: number): boolean =>
  endsAt !== undefined && at >= endsAt;

/** By wallet and rule. */
export type ExceptionIndex = ReadonlyMap<string, Exception>;

const indexKey = (id: string, rule: string) => `${id} ${rule}`;

/** The exceptions in force at a time, in milliseconds since 1970. */
export function exceptionIndex(exceptions: readonly Exception[], at: number): ExceptionIndex {
  const inForce = exceptions.filter((exception) => !hasEnded(exception, at));
  return new Map(inForce.map((exception) => [indexKey(exception.id, exception.rule), exception]));
}

export interface Judging {
  readonly rules: readonly Rule[];
  /** --accept: rows of these statuses match nothing. */
  readonly accept: ReadonlySet<string>;
  /** The exceptions of the policy that are in force. */
  readonly exceptions?: ExceptionIndex | undefined;
  /**
   * Whether a rule held when it could last be judged: it then stands until an answer that is
   * complete says that it does not hold.
   */
  readonly stood?: ((rule: Rule) => boolean) | undefined;
}

/**
 * What the rules say of a row. A gate stops for an alarm that matched or could not be judged:
 * unknown is not safe.
 */
export interface Verdict {
  /** The alarms that hold. */
  readonly matched: readonly Rule[];
  /** The watch rules that hold. */
  readonly watched: readonly Rule[];
  /** The rules of either level that could not be judged. */
  readonly unjudged: readonly Rule[];
  /** The exceptions for rules that would otherwise be among these. */
  readonly excused: readonly Exception[];
  /** The rules that stand, though they are in neither `matched` nor `watched`. */
  readonly standing: readonly Rule[];
}

/**
 * @param find finds the values of `row`; without an earlier row of the wallet, conditions on change
 * do not hold
 */
export function judgeRow(
  row: Row,
  { rules, accept, exceptions, stood = () => false }: Judging,
  find: FindCompared = findAlone(findIn(row)),
): Verdict {
  const found = {
    ...{ matched: [] as Rule[], watched: [] as Rule[], unjudged: [] as Rule[] },
    ...{ excused: [] as Exception[], standing: [] as Rule[] },
  };
  if (accept.has(row.status)) return { ...found, standing: rules.filter(stood) };
  const isComplete = row.document !== undefined && row.warning === undefined;
  for (const rule of rules) {
    const held = judgeExpression(rule.when, find);
    const isSettled = held === false && (isComplete || !asksForAnswer(rule.when));
    const stands = held === true || (!isSettled && stood(rule));
    // Without an answer a rule that does not hold is unjudged.
    if (held === false && row.document && !stands) continue;
    const exception =
      rule.source === '--policy' && exceptions?.get(indexKey(row.wallet?.toLowerCase() ?? '', rule.name));
    if (stands && (exception || !held)) found.standing.push(rule);
    if (exception) found.excused.push(exception);
    else if (!held) found.unjudged.push(rule);
    else if (rule.level === 'watch') found.watched.push(rule);
    else found.matched.push(rule);
  }
  return found;
}

/** `row` with what the rules say of it; unchanged when there are none. */
export function withVerdict(
  row: Row,
  { matched, watched, unjudged, excused, standing }: Verdict,
  { rules, exceptions, stood }: Pick<Judging, 'rules' | 'exceptions' | 'stood'>,
): Row {
  if (rules.length === 0) return row;
  return {
    ...row,
    matched: ruleNames(matched),
    unjudged: ruleNames(unjudged),
    ...(exceptions && { excused: excused.map(({ rule, reason, until }) => ({ rule, reason, until })) }),
    ...(hasWatch(rules) && { watched: ruleNames(watched) }),
    ...(stood && standing.length > 0 && { standing: ruleNames(standing) }),
  };
}

/** The names of `rules`, as rows have them. */
export const ruleNames = (rules: readonly Rule[]): readonly string[] => rules.map(({ name }) => name);

/** Whether one of `rules` is a watch rule: rows then have `watched`. */
export const hasWatch = (rules: readonly Rule[]): boolean => rules.some(({ level }) => level === 'watch');

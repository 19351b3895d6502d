/**
 * Judges a row by the rules of a run: the only place that does so. An alarm and a watch rule are
 * judged alike; only an alarm can be in `matched`.
 */

import type { Row } from '../row/row.ts';
import { findIn } from '../row/row-node.ts';
import type { Excuse, Verdict } from '../row/verdict.ts';
import { type ValueLookup, withoutComparison } from './conditions.ts';
import { judgeExpression, type Rule } from './rules.ts';

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

/** The exceptions of a policy that are in force, by wallet and rule. */
export class ExceptionIndex {
  readonly #byKey: ReadonlyMap<string, Exception>;

  /** @param at milliseconds since 1970 */
  constructor(exceptions: readonly Exception[], at: number) {
    const inForce = exceptions.filter((exception) => !hasEnded(exception, at));
    this.#byKey = new Map(inForce.map((exception) => [exceptionKey(exception.id, exception.rule), exception]));
  }

  /** An exception is for a rule of the policy, never for one of --fail-if. */
  excuse({ wallet }: Pick<Row, 'wallet'>, { source, name }: Pick<Rule, 'source' | 'name'>): Excuse | undefined {
    if (wallet === undefined || source !== '--policy') return undefined;
    const found = this.#byKey.get(exceptionKey(wallet.toLowerCase(), name));
    return found && { reason: found.reason, until: found.until };
  }
}

/** @param id the wallet in lower case */
export const exceptionKey = (id: string, rule: string): string => `${id} ${rule}`;

export interface JudgeOptions {
  readonly rules: readonly Rule[];
  /** --accept: rows of these statuses match nothing. */
  readonly accept: ReadonlySet<string>;
  readonly exceptions?: ExceptionIndex | undefined;
  /**
   * Whether a row without an answer passes a rule that does not hold for it, as in a review.
   * Otherwise every rule is unknown for such a row, unless it matches.
   */
  readonly judgesWithoutAnswer?: boolean;
}

/**
 * The rules that match `row`, and those that cannot be judged. A gate fails on both, for an alarm
 * rule: unknown is not safe.
 * @param find finds the values of `row`; without an earlier row of the wallet, conditions on change
 * do not hold
 */
export function judgeRow(
  row: Row,
  judging: JudgeOptions,
  find: ValueLookup = withoutComparison(findIn(row)),
): readonly Verdict[] {
  const { rules, accept, exceptions, judgesWithoutAnswer = false } = judging;
  if (accept.has(row.status)) return [];
  return rules.flatMap((rule): Verdict[] => {
    const held = judgeExpression(rule.when, find);
    if (held === false && (row.document || judgesWithoutAnswer)) return [];
    const { name, level } = rule;
    return [{ rule: name, level, says: held ? 'matches' : 'unknown', excused: exceptions?.excuse(row, rule) }];
  });
}

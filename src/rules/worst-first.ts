/**
 * The order of rows that matched: rows of the first rule before those of the second; within a rule
 * the worst first, the one farthest beyond the rule's limit.
 */

import { compareKeys, type SortKey, sortKey } from '../row/sort-key.ts';
import { isOrdering, judgeCondition, ratioNode, type ValueLookup } from './conditions.ts';
import { conditionsOf, type Rule } from './rules.ts';

export interface Severity {
  /** The index of the first rule that it matched; the number of rules if it matched none. */
  readonly ruleIndex: number;
  readonly descending: boolean;
  readonly key: SortKey;
}

/**
 * How bad a row is, by the first of `rules` that is in `matched`: by its first condition with an
 * order (`<`, `>`) that holds, or else its first with an order.
 * @param find finds the row's values
 */
export function severityOf(
  matched: readonly string[],
  find: ValueLookup,
  rules: readonly Pick<Rule, 'name' | 'when'>[],
): Severity {
  const first = rules.find(({ name }) => matched.includes(name));
  const ordered = (first ? conditionsOf(first.when) : []).filter(isOrdering);
  const condition = ordered.find((one) => judgeCondition(one, find) === true) ?? ordered[0];
  const found = condition && find(condition.path, condition.aspect);
  return {
    ruleIndex: first ? rules.indexOf(first) : rules.length,
    descending: condition?.test.startsWith('>') ?? false,
    key: sortKey(found === undefined || typeof found === 'string' ? undefined : ratioNode(found)),
  };
}

/** Below 0 when `a` comes first. */
export const compareSeverity = (a: Severity, b: Severity): number =>
  a.ruleIndex - b.ruleIndex || compareKeys(a.key, b.key, { descending: a.descending });

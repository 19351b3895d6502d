/** Which rules of an earlier review are those of today. */
import { expressionText, type Rule } from '../rules/rules.ts';

/**
 * By the name of each rule of today, those of an earlier review that are the same: by their name,
 * or by their condition.
 */
export type SameRules = ReadonlyMap<string, readonly Rule[]>;

export const sameRules = (today: readonly Rule[], earlier: readonly Rule[]): SameRules =>
  new Map(today.map((rule) => [rule.name, earlier.filter((other) => isSameRule(rule, other))]));

function isSameRule(rule: Rule, other: Rule): boolean {
  if (rule.name === other.name || hasSameCondition(rule, other)) return true;
  const question = questionOf(rule);
  return question !== undefined && question === questionOf(other);
}

export const hasSameCondition = (rule: Rule, other: Rule): boolean => conditionText(rule) === conditionText(other);

const conditionText = ({ when }: Rule) => JSON.stringify(expressionText(when));

/** What a --fail-if without a name asks, whatever its limit: a path and an operator. */
function questionOf({ source, name, when }: Rule): string | undefined {
  if (source !== '--fail-if' || !('text' in when) || when.text.trim() !== name) return undefined;
  return JSON.stringify([when.path, when.aspect, when.test]);
}

/** Whether two reviews have the same rules, in whatever order. */
export function haveSameRules(one: readonly Rule[], other: readonly Rule[]): boolean {
  const texts = (rules: readonly Rule[]) =>
    rules.map((rule) => `${rule.level} ${rule.name} ${conditionText(rule)}`).sort();
  return JSON.stringify(texts(one)) === JSON.stringify(texts(other));
}

/** Which rules of an earlier review are those of today. */
import { expressionText, type Rule } from '../row/rules.ts';

/** What today's rules were called in a review with the rules `then`: a rule is the same by its name, or by its condition. */
export function namesThen(now: readonly Rule[], then: readonly Rule[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    now.map((rule) => [rule.name, new Set(then.filter((other) => isSameRule(rule, other)).map(({ name }) => name))]),
  );
}

/** The names of today's alarm rules that were only watch rules in a review with the rules `then`. */
export function raisedFromWatch(now: readonly Rule[], then: readonly Rule[]): ReadonlySet<string> {
  const raised = now.filter((rule) => {
    const before = then.filter((other) => isSameRule(rule, other));
    return rule.level === 'alarm' && before.length > 0 && before.every(({ level }) => level === 'watch');
  });
  return new Set(raised.map(({ name }) => name));
}

function isSameRule(rule: Rule, other: Rule): boolean {
  if (rule.name === other.name || conditionText(rule) === conditionText(other)) return true;
  const [what, before] = [questionOf(rule), questionOf(other)];
  return what !== undefined && what === before;
}

const conditionText = ({ when }: Rule) => JSON.stringify(expressionText(when));

/** What a --fail-if without a name asks, whatever its limit: a path and an operator. */
function questionOf({ source, name, when }: Rule): string | undefined {
  if (source !== '--fail-if' || !('text' in when) || when.text.trim() !== name) return undefined;
  return JSON.stringify([when.path, when.aspect, when.test]);
}

/** Whether two reviews have the same rules. */
export const hasSameRules = (now: readonly Rule[], then: readonly Rule[]): boolean => {
  const texts = (rules: readonly Rule[]) =>
    rules.map((rule) => `${rule.level} ${rule.name} ${conditionText(rule)}`).sort();
  return JSON.stringify(texts(now)) === JSON.stringify(texts(then));
};

/**
 * Rules: expressions with names, and how the parts of an expression are combined. The words:
 *
 * - condition: a test of one value of a row, such as `score < 400`.
 * - expression: a condition, or several of which all, or any, must hold.
 * - rule: an expression with a name and a level, from --fail-if or a policy.
 * - level: alarm, which causes exit 10, or watch, which is only reported.
 * - policy: a file of rules and exceptions.
 * - exception: excuses one wallet from one rule, with a reason, perhaps until a date.
 * - verdict: the result of a rule for a row: it matches, or it cannot be judged.
 * - unknown: neither true nor false, since the value is missing or cannot be compared.
 * - gate: a run with rules. A match, or an unknown, of an alarm rule ends it with exit 10.
 * - filter: --where, which leaves out the rows for which it does not hold, or is unknown.
 * - aspect: a part of the change of a value, such as `score.delta`. Only review and diff know it.
 *
 * An example: `all` of `score < 400` (false) and `debt > 10` (unknown) is false, since the first
 * part decides it. `any` of them is unknown.
 */

import { UsageError } from '../errors.ts';
import { META_MEMBERS } from '../row/meta.ts';
import { META } from '../row/row.ts';
import type { Level } from '../row/verdict.ts';
import { redactPrivateKeys } from '../secrets/private-key.ts';
import { quoted, visibleName } from '../secrets/redact.ts';
import { type Condition, judgeCondition, type ValueLookup } from './conditions.ts';
import { parseCondition } from './parse-condition.ts';

export type Expression = Condition | { readonly all: readonly Expression[] } | { readonly any: readonly Expression[] };

/** An expression with a name, which is shown with the rows that match. */
export interface Rule {
  /** The flag that gave it, for messages. */
  readonly source: '--fail-if' | '--policy';
  /** The name given, or else the condition's text, without what may be a key. */
  readonly name: string;
  readonly when: Expression;
  readonly level: Level;
  /** The note of its author, shown when it matches. */
  readonly note?: string;
}

/**
 * A name is letters, digits and ` ._-`; then a colon and white space, so that keys such as
 * `eip155:1` need no quotes in a path.
 */
const NAMED_RULE = /^\s*([\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}])?)\s*:\s+(.*)$/su;

/**
 * Parses a rule: `CONDITION`, or `NAME: CONDITION`.
 * @throws UsageError
 */
export function parseRule(text: string): Rule {
  const [, name, condition = text] = NAMED_RULE.exec(text) ?? [];
  const when = parseCondition(condition);
  return { source: '--fail-if', name: visibleName(name ?? text.trim()), when, level: 'alarm' };
}

/**
 * The rules of several --fail-if. The same text twice is one rule.
 * @throws UsageError also when two different ones have the same name, since rows could not say
 * which one they matched
 */
export function parseRules(texts: readonly string[]): readonly Rule[] {
  const rules = [...new Set(texts)].map(parseRule);
  checkRules(rules);
  return rules;
}

/**
 * @throws UsageError when two of `rules` have the same name, or one depends on the results of rules
 */
export function checkRules(rules: readonly Rule[]): void {
  const names = new Set<string>();
  for (const { name } of rules) {
    if (names.has(name)) {
      throw new UsageError(`two conditions are called ${quoted(name)}`, { hint: 'give each a name of its own' });
    }
    names.add(name);
  }
  const [circular] = rules.flatMap(({ when }) => conditionsOf(when)).filter(asksForVerdict);
  if (!circular) return;
  throw new UsageError(`the condition ${quoted(circular.text)} asks for what the conditions decide`, {
    hint: 'ask for a value of the answer instead',
  });
}

const asksForVerdict = ({ path: [first, second] }: Condition) =>
  first === META && META_MEMBERS.some(({ name, isDecided }) => isDecided && name === second);

/**
 * The expression of several --where: all must hold. Undefined when there are none.
 * @throws UsageError
 */
export function parseWhere(texts: readonly string[]): Expression | undefined {
  return texts.length === 0 ? undefined : { all: texts.map(parseCondition) };
}

/** Whether `expression` holds for the row of `find`; undefined when that is unknown. */
export function judgeExpression(expression: Expression, find: ValueLookup): boolean | undefined {
  if ('all' in expression) return combine(expression.all, { find, decisive: false });
  if ('any' in expression) return combine(expression.any, { find, decisive: true });
  return judgeCondition(expression, find);
}

/**
 * One part with the value `decisive` decides the result; otherwise an unknown part makes it
 * unknown.
 */
function combine(
  parts: readonly Expression[],
  { find, decisive }: { readonly find: ValueLookup; readonly decisive: boolean },
): boolean | undefined {
  let isUnknown = false;
  for (const part of parts) {
    const held = judgeExpression(part, find);
    if (held === decisive) return decisive;
    if (held === undefined) isUnknown = true;
  }
  return isUnknown ? undefined : !decisive;
}

/** Whether `expression` asks for a change. */
export const asksForChange = (expression: Expression): boolean =>
  conditionsOf(expression).some(({ aspect }) => aspect !== undefined);

export function conditionsOf(expression: Expression): readonly Condition[] {
  if ('all' in expression) return expression.all.flatMap(conditionsOf);
  if ('any' in expression) return expression.any.flatMap(conditionsOf);
  return [expression];
}

/**
 * An expression as a policy writes it: the text of a condition, or `{"all": [...]}`, `{"any":
 * [...]}`.
 */
export type ExpressionJson =
  | string
  | { readonly all: readonly ExpressionJson[] }
  | { readonly any: readonly ExpressionJson[] };

export function expressionToJson(expression: Expression): ExpressionJson {
  if ('all' in expression) return { all: expression.all.map(expressionToJson) };
  if ('any' in expression) return { any: expression.any.map(expressionToJson) };
  return redactPrivateKeys(expression.text);
}

/** An expression in one line: `score < 400 and (a > 1 or b missing)`. */
export function expressionToString(expression: Expression): string {
  const joined = (parts: readonly Expression[], by: string) =>
    parts
      .map((part) =>
        'text' in part || parts.length === 1 ? expressionToString(part) : `(${expressionToString(part)})`,
      )
      .join(by);
  if ('all' in expression) return joined(expression.all, ' and ');
  if ('any' in expression) return joined(expression.any, ' or ');
  return redactPrivateKeys(expression.text);
}

/** The inverse of expressionToJson. @throws UsageError */
export function expressionFromJson(json: ExpressionJson): Expression {
  if (typeof json === 'string') return parseCondition(json);
  return 'all' in json ? { all: json.all.map(expressionFromJson) } : { any: json.any.map(expressionFromJson) };
}

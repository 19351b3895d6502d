/**
 * Conditions put together: a named one (--fail-if 'NAME: CONDITION'), several that must all hold (--where), and the `all`
 * and `any` of a policy. What cannot be told stays open only as long as it matters: `all` with one that does not hold does
 * not hold, whatever the others say.
 */

import { UsageError } from '../errors.ts';
import { quoted, visibleName } from '../secrets/withhold.ts';
import { type Condition, evaluate, type Find, parseCondition } from './conditions.ts';

export type Expression = Condition | { readonly all: readonly Expression[] } | { readonly any: readonly Expression[] };

/** A condition that rows are told to have matched. */
export interface Rule {
  /** Where it was given, for messages. */
  readonly source: '--fail-if' | '--policy';
  /** The name given, or else the condition's text, in which nothing is said back that may be a key. */
  readonly name: string;
  readonly when: Expression;
  /** The note of its author, shown when it matches. */
  readonly note?: string;
}

/**
 * A name is letters, digits and ` ._-`; then a colon and white space, so that keys such as `eip155:1` need no quotes in a path.
 * It is a text because of a literal V8 collects the letters of all scripts whenever it comes past, which takes a millisecond.
 */
const NAMED = String.raw`^\s*([\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}])?)\s*:\s+(.*)$`;

/**
 * The rule that `text` spells: `CONDITION`, or `NAME: CONDITION`.
 * @throws UsageError
 */
export function parseRule(text: string): Rule {
  const [, name, condition = text] = new RegExp(NAMED, 'su').exec(text) ?? [];
  return { source: '--fail-if', name: visibleName(name ?? text.trim()), when: parseCondition(condition) };
}

/**
 * The rules of several --fail-if. The same text twice is one rule.
 * @throws UsageError also when two different ones have one name, since a row could not say which one it matched.
 */
export function parseRules(texts: readonly string[]): readonly Rule[] {
  const rules = [...new Set(texts)].map(parseRule);
  checkRules(rules);
  return rules;
}

/** @throws UsageError when two of `rules` have one name, or one asks for what rules decide. */
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
    hint: 'use it with --where, which is judged after them',
  });
}

/** Members of `_meta` that say what the rules have decided. */
const DECIDED = ['matched', 'unjudged', 'excused'];

const asksForVerdict = ({ path: [first, second] }: Condition) =>
  first === '_meta' && DECIDED.some((name) => name === second);

/**
 * The one condition that --where makes of `texts`: all must hold. Undefined when there are none.
 * @throws UsageError
 */
export function parseWhere(texts: readonly string[]): Expression | undefined {
  return texts.length === 0 ? undefined : { all: texts.map(parseCondition) };
}

/** Whether `expression` holds for the row that `find` looks in; undefined when that cannot be told. */
export function judgeExpression(expression: Expression, find: Find): boolean | undefined {
  if ('all' in expression) return verdict(expression.all, { find, decisive: false });
  if ('any' in expression) return verdict(expression.any, { find, decisive: true });
  return evaluate(expression, find);
}

/** One part that is `decisive` decides; else one that cannot be told leaves the whole open. */
function verdict(
  parts: readonly Expression[],
  { find, decisive }: { readonly find: Find; readonly decisive: boolean },
): boolean | undefined {
  let isOpen = false;
  for (const part of parts) {
    const held = judgeExpression(part, find);
    if (held === decisive) return decisive;
    if (held === undefined) isOpen = true;
  }
  return isOpen ? undefined : !decisive;
}

/** What rules say of a row. A gate stops for both: unknown is not safe. */
export interface Verdict {
  /** Those that hold. */
  readonly matched: readonly Rule[];
  /** Those of which it is unknown whether they hold. */
  readonly unjudged: readonly Rule[];
}

export function evaluateRules(rules: readonly Rule[], find: Find): Verdict {
  const held = rules.map(({ when }) => judgeExpression(when, find));
  return {
    matched: rules.filter((_, i) => held[i] === true),
    unjudged: rules.filter((_, i) => held[i] === undefined),
  };
}

/** Every condition in `expression`. */
export function conditionsOf(expression: Expression): readonly Condition[] {
  if ('all' in expression) return expression.all.flatMap(conditionsOf);
  if ('any' in expression) return expression.any.flatMap(conditionsOf);
  return [expression];
}

/**
 * Values of `==` conditions that no row of the run had. Usually that is good news: nobody is
 * CRITICAL. But a gate on a mistyped value (`High` for `High Risk`) would stay green for ever, so
 * the values that rows had are reported.
 */

import type { Reporter } from '../context.ts';
import { isEmpty, isScalar } from '../document/node.ts';
import { cellText } from '../document/write.ts';
import { formatRowPath } from '../paths/meta-shortcuts.ts';
import { quoted } from '../secrets/redact.ts';
import { beginningOf } from '../text/cut.ts';
import { ownCopy } from '../text/own-copy.ts';
import { groupDigits } from '../text/words.ts';
import { type Condition, judgeCondition, type ValueLookup } from './conditions.ts';
import type { RuleSet } from './rule-set.ts';
import { conditionsOf, type Expression } from './rules.ts';

/** Values counted for a condition: a field with more values is hardly ever compared with `==`. */
const MAX_COUNTED = 100;
const MAX_SHOWN = 20;
/** UTF-16 units of a value that are kept. */
const MAX_VALUE_LENGTH = 200;

interface UnseenValue {
  /** The option or rule that asks, `--fail-if 'risky'`. */
  readonly from: string;
  readonly condition: Condition;
  /** How many rows had which other value. */
  readonly counts: Map<string, number>;
}

/** Observes the conditions of `rules` and `where`, in memory that does not grow with the list. */
export class UnseenValues {
  private readonly unseen: Set<UnseenValue>;

  constructor({ rules, where }: Pick<RuleSet, 'rules'> & { readonly where?: Expression | undefined }) {
    this.unseen = new Set([
      ...rules.flatMap(({ source, name, when }) => equalityConditions(when, () => `${source} ${quoted(name)}`)),
      ...(where ? equalityConditions(where, ({ text }) => `--where ${quoted(text)}`) : []),
    ]);
  }

  observe(find: ValueLookup): void {
    for (const one of this.unseen) {
      if (judgeCondition(one.condition, find)) this.unseen.delete(one);
      else countOtherValue(one, find);
    }
  }

  /** Reports the conditions whose value no row had, although rows had other values there. */
  report(report: Reporter): void {
    for (const one of this.unseen) if (one.counts.size > 0) report.info(unseenNote(one));
  }
}

function equalityConditions(expression: Expression, from: (condition: Condition) => string): readonly UnseenValue[] {
  return conditionsOf(expression)
    .filter(({ test, aspect }) => test === '==' && aspect === undefined)
    .map((condition) => ({ condition, from: from(condition), counts: new Map() }));
}

function countOtherValue({ condition, counts }: UnseenValue, find: ValueLookup): void {
  const found = find(condition.path);
  if (!found || typeof found === 'string' || found.kind === 'ratio' || !isScalar(found) || isEmpty(found)) return;
  const value = beginningOf(cellText(found), MAX_VALUE_LENGTH);
  const rows = counts.get(value);
  if (rows !== undefined) counts.set(value, rows + 1);
  else if (counts.size < MAX_COUNTED) counts.set(ownCopy(value), 1);
}

function unseenNote({ condition, from, counts }: UnseenValue): string {
  const seen = [...counts].sort(([, a], [, b]) => b - a);
  const shown = seen.slice(0, MAX_SHOWN).map(([value, rows]) => `${quoted(value)} ${groupDigits(rows)}`);
  const all = [...shown, ...(seen.length > shown.length ? ['others'] : [])].join(', ');
  return (
    `no row had ${quoted(conditionValue(condition))} at ${formatRowPath(condition.path)}, as ${from} ` +
    `asks; rows had: ${all}`
  );
}

/** The value after the operator; a number or boolean as it was typed. */
function conditionValue(condition: Condition): string {
  if (condition.test === '==' && condition.comparand.kind === 'text') return condition.comparand.value;
  return /==\s*(.*?)\s*$/s.exec(condition.text)?.[1] ?? condition.text;
}

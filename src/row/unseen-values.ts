/**
 * Values of `==` conditions that no row of the run had. Usually that is good news: nobody is CRITICAL. But a gate on a mistyped
 * value (`High` for `High Risk`) would stay green for ever, so a similar value is always reported, and on a terminal all values
 * that rows had.
 */

import type { Reporter } from '../context.ts';
import { isEmpty, isScalar } from '../document/node.ts';
import { cellText } from '../document/write.ts';
import { quoted } from '../secrets/withhold.ts';
import { didYouMean } from '../text/nearest.ts';
import { ownCopy } from '../text/own-copy.ts';
import { counted } from '../text/words.ts';
import { type Condition, evaluate, type FindCompared } from './conditions.ts';
import { formatRowPath } from './paths/own-names.ts';
import { conditionsOf, type Expression, type Rule } from './rules.ts';

interface SeenValue {
  readonly value: string;
  readonly rows: number;
}

export interface UnseenValue {
  readonly source: Rule['source'] | '--where';
  /** The name of the rule; undefined for --where, whose conditions have none. */
  readonly rule: string | undefined;
  readonly condition: Condition;
  readonly value: string;
  /** The values that rows had instead, the most frequent first. */
  readonly seen: readonly SeenValue[];
  /** Whether there were more than MAX_SEEN. */
  readonly isPart: boolean;
  /** Similar values, which may have been meant. */
  readonly near: readonly SeenValue[];
}

export interface ValueWatch {
  observe(find: FindCompared): void;
  /** The conditions whose value no row had, although rows had other values there. */
  unseen(): readonly UnseenValue[];
}

/** Values kept for a condition: a field with more values is hardly ever compared with `==`. */
const MAX_SEEN = 100;
const MAX_NEAR = 3;
/** UTF-16 units of a value that are kept. */
const MAX_LENGTH = 200;

interface WatchedRule {
  readonly source: UnseenValue['source'];
  readonly rule: string | undefined;
  readonly when: Expression;
}

/** Watches the conditions of `rules` and `where`, in memory that does not grow with the list. */
export function createValueWatch({
  rules,
  where,
}: {
  readonly rules: readonly Rule[];
  readonly where?: Expression | undefined;
}): ValueWatch {
  const asked: readonly WatchedRule[] = [
    ...rules.map(({ source, name, when }) => ({ source, rule: name, when })),
    ...(where ? [{ source: '--where' as const, rule: undefined, when: where }] : []),
  ];
  const open = new Set(asked.flatMap(({ when, ...of }) => conditionsOf(when).flatMap((one) => watched(one, of))));
  return {
    observe(find) {
      for (const one of open) {
        if (evaluate(one.condition, find)) open.delete(one);
        else one.observe(find);
      }
    },
    unseen: () => [...open].map(({ result }) => result()).filter(({ seen }) => seen.length > 0),
  };
}

function watched(condition: Condition, of: Omit<WatchedRule, 'when'>) {
  if (condition.test !== '==' || condition.aspect) return [];
  const { comparand } = condition;
  const [seen, near] = [new Map<string, number>(), new Map<string, number>()];
  let isPart = false;
  const count = (values: Map<string, number>, value: string) => {
    const rows = values.get(value);
    values.set(rows === undefined ? ownCopy(value) : value, (rows ?? 0) + 1);
  };
  return [
    {
      condition,
      observe(find: FindCompared) {
        const found = find(condition.path);
        if (!found || typeof found === 'string' || found.kind === 'ratio' || !isScalar(found) || isEmpty(found)) return;
        const value = cellText(found).slice(0, MAX_LENGTH);
        const isKept = seen.has(value) || seen.size < MAX_SEEN;
        if (isKept) count(seen, value);
        else isPart = true;
        const isNew = !near.has(value) && near.size < MAX_NEAR && found.kind === 'string' && comparand.kind === 'text';
        if (near.has(value) || (isNew && isNearValue(value, comparand.value))) count(near, value);
      },
      result: (): UnseenValue => ({
        ...of,
        condition,
        value: valueText(condition),
        seen: sorted(seen),
        isPart,
        near: sorted(near),
      }),
    },
  ];
}

const sorted = (values: ReadonlyMap<string, number>): readonly SeenValue[] =>
  [...values].map(([value, rows]) => ({ value, rows })).sort((a, b) => b.rows - a.rows);

/** The value after the operator; a number or boolean as it was typed. */
function valueText(condition: Condition): string {
  if (condition.test === '==' && condition.comparand.kind === 'text') return condition.comparand.value;
  return /==\s*(.*?)\s*$/s.exec(condition.text)?.[1] ?? condition.text;
}

const MIN_LETTERS = 3;
/** Strings, for the reason in rules.ts. */
const LETTER = String.raw`\p{L}`;
const WORD = String.raw`[\p{L}\p{N}]+`;

/** Whether one text may have been meant by the other: they differ only in case, or one is whole words of the other. */
export function isNearValue(one: string, other: string): boolean {
  if (one.toLowerCase() === other.toLowerCase()) return true;
  const [short = [], long = []] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length);
  const letters = short.join('').match(new RegExp(LETTER, 'gu'))?.length ?? 0;
  return letters >= MIN_LETTERS && ` ${long.join(' ')} `.includes(` ${short.join(' ')} `);
}

const wordsOf = (text: string) => text.slice(0, MAX_LENGTH).toLowerCase().match(new RegExp(WORD, 'gu')) ?? [];

/** Reports values that may be mistyped, and on a terminal the values that there were instead. */
export function warnOfUnseen(unseen: readonly UnseenValue[], report: Pick<Reporter, 'info' | 'hint'>): void {
  for (const { source, rule, condition, value, seen, isPart, near } of unseen) {
    const asks = `${source} ${quoted(rule ?? condition.text)} asks`;
    const path = quoted(formatRowPath(condition.path)).slice(1, -1);
    if (near.length > 0) {
      const meant = near.map((one) => `${quoted(one.value)} (${counted(one.rows, 'row')})`);
      report.info(`no row had ${quoted(value)} at ${path}, as ${asks}; ${didYouMean(meant)}`);
    }
    const values = seen.map((one, i) => `${quoted(one.value)} (${i === 0 ? counted(one.rows, 'row') : one.rows})`);
    const all = [...values, ...(isPart ? ['others'] : [])].join(', ');
    report.hint(`${path} was never ${quoted(value)}, as ${asks}, but ${all}`);
  }
}

/**
 * A condition on a row: 'PATH OP VALUE', 'PATH exists', 'PATH missing'. --fail-if, --where and the
 * rules of a policy share this grammar and its evaluation. A value that is missing or cannot be
 * compared is neither true nor false: a gate takes it for a match, since unknown is not safe; a
 * filter leaves the row out and says how often.
 */

import { isEmpty, type Node } from '../document/node.ts';
import type { Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import type { PathSpec } from '../paths/row-path.ts';
import { compareDecimals, type Decimal, decimalOf, multiplyDecimals, unreadNumber, ZERO } from '../row/decimal.ts';
import type { Find } from '../row/row.ts';
import { quoted } from '../secrets/redact.ts';
import { parseMoment } from '../text/when.ts';

/** Whether an operator holds for values in this order: below, at or above 0. */
const HOLDS = {
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
  '==': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
};
export type Operator = keyof typeof HOLDS;
export const isOperator = (text: string): text is Operator => Object.hasOwn(HOLDS, text);

export type Comparand =
  | { readonly kind: 'number'; readonly value: Decimal }
  /** Milliseconds since 1970. */
  | { readonly kind: 'moment'; readonly value: number }
  /** `moment`: the time that the text names, if it does. */
  | { readonly kind: 'text'; readonly value: string; readonly moment: number | undefined }
  | { readonly kind: 'boolean'; readonly value: boolean };

/** The subject of a condition or an order: the value at a path, or an aspect of its change. */
export interface Operand extends PathSpec {
  readonly aspect?: Aspect;
}

export type Condition = Operand & {
  /** As it was typed, for messages. */
  readonly text: string;
} & (
    | { readonly test: 'exists' }
    | { readonly test: 'missing' }
    | { readonly test: Operator; readonly comparand: Comparand }
  );

/** What `X.old`, `X.delta`, `X.ratio` and `change` ask for; compare/ finds it. */
export type Aspect = 'old' | 'delta' | 'ratio' | 'change';

/** A quotient that is not computed, since it may have no end; `under` is not negative. */
export interface Ratio {
  readonly kind: 'ratio';
  readonly over: Decimal;
  readonly under: Decimal;
}

/**
 * A value of a row: undefined when the row lacks it, `unknown` when nobody knows, as for a wallet
 * without an answer, and `never` when no condition on it can hold, as for the change of a wallet
 * that was not there before.
 */
export type Found = Node | Ratio | 'unknown' | 'never' | undefined;

/** The same for a row that may be compared with an earlier one. */
export type FindCompared = (path: Path, aspect?: Aspect) => Found;

/** Finds the values of a row that is compared with none: conditions on change do not hold. */
export const findAlone =
  (find: Find): FindCompared =>
  (path, aspect) =>
    aspect === undefined ? find(path) : 'never';

/**
 * The quotient to 15 digits, which a double keeps exactly, to order rows by and to be shown;
 * anything but a quotient is returned unchanged.
 */
export function ratioNode(found: Node | Ratio): Node {
  if (found.kind !== 'ratio') return found;
  const { over, under } = found;
  const isAboveAll = compareDecimals(under, ZERO) === 0;
  return {
    kind: 'number',
    spelling: isAboveAll ? '1e999' : String(Number((over.double / under.double).toPrecision(15))),
  };
}

/**
 * @param compares whether the command compares each row with an earlier one
 * @throws UsageError for a condition or an order on change that the command cannot judge
 */
export function refuseChange(asked: readonly Pick<Condition, 'text' | 'aspect'>[], compares = false): void {
  const onChange = asked.find(({ aspect }) => aspect === 'change' || (aspect !== undefined && !compares));
  if (!onChange) return;
  const { text, aspect } = onChange;
  const problem =
    aspect === 'change' ? 'can be used in diff only' : 'is about a change, and only review and diff compare';
  const shown = compares ? 'a review shows it in its sections; ' : '';
  throw new UsageError(`${quoted(text)} ${problem}`, {
    hint: `${shown}a document's own member of that name is ["${aspect}"]`,
  });
}

/**
 * Whether `condition` holds for the row of `find`; undefined when that is unknown. Numbers, also
 * those sent as strings, are compared exactly, as decimals.
 */
export function judgeCondition(condition: Condition, find: FindCompared): boolean | undefined {
  const found = find(condition.path, condition.aspect);
  if (found === 'unknown') return undefined;
  if (found === 'never') return false;
  const missing = !found || (found.kind !== 'ratio' && isEmpty(found));
  if (condition.test === 'missing') return missing;
  if (condition.test === 'exists') return !missing;
  const order = missing ? undefined : compare(found, condition.comparand);
  return order === undefined ? undefined : HOLDS[condition.test](order);
}

/** The value of `condition` if it is a text without an order: neither a number nor a date. */
export function unorderedText(condition: Condition, find: FindCompared): string | undefined {
  if (!isAboutValue(condition) || judgeCondition(condition, find) !== undefined) return undefined;
  const found = find(condition.path, condition.aspect);
  if (typeof found !== 'object' || found.kind === 'ratio') return undefined;
  return 'comparand' in condition && condition.comparand.kind === 'moment' ? stringIn(found) : unreadNumber(found);
}

const stringIn = (node: Node): string | undefined =>
  node.kind === 'string' && !isEmpty(node) ? node.value : undefined;

/** Whether `condition` is about a value: the others ask whether there is one. */
export const isAboutValue = ({ test }: Condition): boolean => test !== 'exists' && test !== 'missing';

/**
 * Below, at or above 0 as `node` is less than, equal to or more than `comparand`; undefined when
 * they cannot be compared.
 */
function compare(node: Node | Ratio, comparand: Comparand): number | undefined {
  if (node.kind === 'ratio') return comparand.kind === 'number' ? compareRatio(node, comparand.value) : undefined;
  switch (comparand.kind) {
    case 'number': {
      const value = decimalOf(node);
      return value && compareDecimals(value, comparand.value);
    }
    case 'moment': {
      const value = node.kind === 'string' ? parseMoment(node.value) : undefined;
      return value === undefined ? undefined : value - comparand.value;
    }
    case 'text':
      return node.kind === 'string' ? compareTexts(node.value, comparand) : undefined;
    case 'boolean':
      return node.kind === 'literal' ? Number(node.value !== comparand.value) : undefined;
  }
}

/**
 * Two times are equal where they are the same moment; a time and another text cannot be compared,
 * as for `<=`. Other texts are equal or not.
 */
function compareTexts(
  text: string,
  { value, moment }: { readonly value: string; readonly moment: number | undefined },
) {
  if (moment === undefined) return Number(text !== value);
  const own = parseMoment(text);
  return own === undefined ? undefined : own - moment;
}

/** `over / under` against `value`, without dividing; over 0 it is above every number. */
function compareRatio({ over, under }: Ratio, value: Decimal): number {
  if (compareDecimals(under, ZERO) === 0) return 1;
  return compareDecimals(over, multiplyDecimals(value, under));
}

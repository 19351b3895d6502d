/**
 * A condition on a row: 'PATH OP VALUE', 'PATH exists', 'PATH missing'. --fail-if, --where and the
 * rules of a policy share this grammar and its evaluation. A comparison with a value that is
 * missing or cannot be compared is neither true nor false: a gate takes it for a match, since
 * unknown is not safe; a filter leaves the row out and says how often.
 */

import { isEmpty, type Node } from '../document/node.ts';
import type { Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import type { PathSpec } from '../paths/row-path.ts';
import { compareDecimals, type Decimal, decimalOf, multiplyDecimals, unreadNumber, ZERO } from '../row/decimal.ts';
import type { Find } from '../row/row.ts';
import { quoted } from '../secrets/redact.ts';
import { parseMoment } from '../text/when.ts';

/** Whether an operator holds, by the sign of the left value less the right one. */
const OPERATORS = {
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
  '==': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
};
export type Operator = keyof typeof OPERATORS;
export const isOperator = (text: string): text is Operator => Object.hasOwn(OPERATORS, text);

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

/**
 * A quotient that is not computed, since its decimals may never end; `denominator` is not negative.
 */
export interface Ratio {
  readonly kind: 'ratio';
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

/**
 * A value of a row: undefined when the row lacks it, `unknown` when nobody knows, as for a wallet
 * without an answer, and `never` when no condition on it can hold, as for the change of a wallet
 * that was not there before.
 */
export type Found = Node | Ratio | 'unknown' | 'never' | undefined;

/** Finds the values of a row, and how they changed since an earlier row. */
export type ValueLookup = (path: Path, aspect?: Aspect) => Found;

/** Finds the values of a row that is not compared: conditions on change do not hold. */
export const withoutComparison =
  (find: Find): ValueLookup =>
  (path, aspect) =>
    aspect === undefined ? find(path) : 'never';

/**
 * A quotient as a number of 15 digits, which a double keeps exactly, for sorting and showing it;
 * any other value is returned unchanged.
 */
export function ratioNode(found: Node | Ratio): Node {
  if (found.kind !== 'ratio') return found;
  const { numerator, denominator } = found;
  const isInfinite = compareDecimals(denominator, ZERO) === 0;
  return {
    kind: 'number',
    spelling: isInfinite ? '1e999' : String(Number((numerator.double / denominator.double).toPrecision(15))),
  };
}

/**
 * @param compares whether the command compares each row with an earlier one
 * @throws UsageError for a condition or an order on change that the command cannot judge
 */
export function rejectChangeConditions(asked: readonly Pick<Condition, 'text' | 'aspect'>[], compares = false): void {
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
export function judgeCondition(condition: Condition, find: ValueLookup): boolean | undefined {
  const found = find(condition.path, condition.aspect);
  if (found === 'unknown') return undefined;
  if (found === 'never') return false;
  const missing = !found || (found.kind !== 'ratio' && isEmpty(found));
  if (condition.test === 'missing') return missing;
  if (condition.test === 'exists') return !missing;
  const order = missing ? undefined : compare(found, condition.comparand);
  return order === undefined ? undefined : OPERATORS[condition.test](order);
}

/** The value of `condition` if it is a text that cannot be compared: no number, and no date. */
export function incomparableText(condition: Condition, find: ValueLookup): string | undefined {
  if (!isAboutValue(condition) || judgeCondition(condition, find) !== undefined) return undefined;
  const found = find(condition.path, condition.aspect);
  if (typeof found !== 'object' || found.kind === 'ratio') return undefined;
  return 'comparand' in condition && condition.comparand.kind === 'moment' ? stringIn(found) : unreadNumber(found);
}

const stringIn = (node: Node): string | undefined =>
  node.kind === 'string' && !isEmpty(node) ? node.value : undefined;

/** Whether a condition has an operator with an order: `<`, `<=`, `>` or `>=`. */
export const isOrdering = ({ test }: Pick<Condition, 'test'>): boolean => /^[<>]/.test(test);

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
 * A condition on a time compares moments, and cannot judge a text that is not a time, as for `<=`.
 * One on any other text asks only whether the two are the same.
 */
function compareTexts(
  text: string,
  { value, moment }: { readonly value: string; readonly moment: number | undefined },
) {
  if (moment === undefined) return Number(text !== value);
  const own = parseMoment(text);
  return own === undefined ? undefined : own - moment;
}

/** Compares a quotient with `value`, without dividing; a quotient by 0 is above every number. */
function compareRatio({ numerator, denominator }: Ratio, value: Decimal): number {
  if (compareDecimals(denominator, ZERO) === 0) return 1;
  return compareDecimals(numerator, multiplyDecimals(value, denominator));
}

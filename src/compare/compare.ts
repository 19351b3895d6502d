/**
 * An earlier and a later row of a wallet, compared by value, exactly: the only place that says what
 * has changed. Numbers, also those sent as text, are compared as decimals (1.0 is 1.00), other
 * values by their text, which is the same in csv and JSON; null, "" and absent values are equal.
 */

import { isEmpty, type Node } from '../document/node.ts';
import { cellText } from '../document/write.ts';
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals,
  ZERO,
} from '../row/decimal.ts';
import type { Find } from '../row/row.ts';
import type { Found, ValueLookup } from '../rules/conditions.ts';

/** The change of a wallet between two runs. */
export const CHANGES = ['added', 'removed', 'changed', 'same'] as const;
export type WalletChange = (typeof CHANGES)[number];

/** A value then and now; undefined where there is none. */
export interface Difference {
  readonly old: Node | undefined;
  readonly new: Node | undefined;
}

/** The compared values of a row. */
export type ComparedValues = readonly (Node | undefined)[];

export interface Comparison {
  readonly change: WalletChange;
  /** One for each value. */
  readonly differences: readonly Difference[];
}

/** The same values of two rows, of which at least one is there. */
export function compareRows(earlier: ComparedValues | undefined, later: ComparedValues | undefined): Comparison {
  const differences = (later ?? earlier ?? []).map((_, i) => ({ old: earlier?.[i], new: later?.[i] }));
  if (!earlier) return { change: 'added', differences };
  if (!later) return { change: 'removed', differences };
  return { change: differences.every(isSame) ? 'same' : 'changed', differences };
}

const decimalIn = (node: Node | undefined) => node && decimalOf(node);

export function isSame({ old, new: now }: Difference): boolean {
  const [from, to] = [decimalIn(old), decimalIn(now)];
  if (from && to) return compareDecimals(from, to) === 0;
  return cellText(old).trim() === cellText(now).trim();
}

/** New less old, exactly; undefined unless both are numbers. */
export function deltaOf({ old, new: now }: Difference): string | undefined {
  const [from, to] = [decimalIn(old), decimalIn(now)];
  return from && to && subtractDecimals(to, from);
}

/** By how many per cent it changed, to a tenth; undefined where that cannot be said, as of 0. */
export function percentOf({ old, new: now }: Difference): string | undefined {
  const [from, to] = [decimalIn(old)?.double, decimalIn(now)?.double];
  if (from === undefined || to === undefined) return undefined;
  const percent = ((to - from) / Math.abs(from)) * 100;
  return Number.isFinite(percent) ? percent.toFixed(1) : undefined;
}

/**
 * Whether a number has changed by at least this part of what it was, and at all: from 0 by any
 * amount.
 */
export function isChangedBy(part: Decimal, difference: Difference): boolean {
  const [from, delta] = [decimalIn(difference.old), parseDecimal(deltaOf(difference) ?? '')];
  if (!from || !delta || compareDecimals(delta, ZERO) === 0) return false;
  return compareDecimals(withoutSign(delta), multiplyDecimals(withoutSign(from), part)) >= 0;
}

const withoutSign = ({ spelling, double }: Decimal): Decimal => ({
  spelling: spelling.replace(/^-/, ''),
  double: Math.abs(double),
});

/** The row with which conditions on change compare. */
export interface Compared {
  readonly change: WalletChange;
  /** The value at a path in the earlier row; undefined where the wallet came or left. */
  readonly old: Find | undefined;
}

/**
 * Finds the values of a row and, for conditions on change, what they were. For a wallet that came
 * or left, a condition on `change` can hold; one on `.old`, `.delta` or `.ratio` never does.
 */
export function findChange(now: Find, { change, old }: Compared): ValueLookup {
  return (path, aspect) => {
    if (aspect === undefined) return now(path);
    if (aspect === 'change') return { kind: 'string', value: change };
    if (!old) return 'never';
    return aspectOf(aspect, old(path), now(path));
  };
}

const ONE: Node = { kind: 'number', spelling: '1' };

/** The change of a value; `unknown` unless both are numbers. */
export function aspectOf(aspect: 'old' | 'delta' | 'ratio', before: Found, current: Found): Found {
  if (aspect === 'old') return before;
  const [from, to] = [numberIn(before), numberIn(current)];
  if (!from || !to) return 'unknown';
  if (aspect === 'delta') {
    const delta = subtractDecimals(to, from);
    return delta === undefined ? 'unknown' : { kind: 'number', spelling: delta };
  }
  const sign = compareDecimals(from, ZERO);
  if (sign > 0) return { kind: 'ratio', numerator: to, denominator: from };
  if (sign < 0) return 'unknown';
  const above = compareDecimals(to, ZERO);
  if (above === 0) return ONE;
  return above > 0 ? { kind: 'ratio', numerator: to, denominator: from } : 'unknown';
}

function numberIn(found: Found) {
  return found === undefined || typeof found === 'string' || found.kind === 'ratio' ? undefined : decimalOf(found);
}

/** A value, or undefined where there is nothing to compare: no value, or an empty one. */
export const presentValue = (found: Node | 'unknown' | undefined): Node | undefined =>
  found === undefined || found === 'unknown' || isEmpty(found) ? undefined : found;

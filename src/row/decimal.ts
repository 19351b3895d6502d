/**
 * Decimal numbers compared by their spelling. A double would call 9007199254740993 equal to
 * 9007199254740992 and 1e400 equal to 1e500; a gate on a score or on dollars must not.
 */
import Big from 'big.js';
import { isEmpty, type Node } from '../document/node.ts';

export interface Decimal {
  /** Without a plus sign in front. */
  readonly spelling: string;
  /** The double nearest to it; infinite if it is larger than all of them. */
  readonly double: number;
}

export const ZERO: Decimal = { spelling: '0', double: 0 };

const DECIMAL_SPELLING = /^[+-]?(?=\.?\d)\d*(?:\.\d*)?(?:[eE]([+-]?\d+))?$/;

/** Whether `text` is written as parseDecimal wants it. */
export const isDecimal = (text: string): boolean => DECIMAL_SPELLING.test(text.trim());

/**
 * Parses a decimal: what JSON allows, and also `+5`, `007`, `.5`, `5.`, with white space around it.
 * Undefined for anything else, such as `6,823.83`, whose comma may mean either of two things, and
 * for exponents beyond 2^53, which a double cannot represent. What one part of the program takes
 * for a number, all do.
 */
export function parseDecimal(text: string): Decimal | undefined {
  const [found, power = '0'] = DECIMAL_SPELLING.exec(text.trim()) ?? [];
  if (found === undefined || !Number.isSafeInteger(Number(power))) return undefined;
  const spelling = found.startsWith('+') ? found.slice(1) : found;
  return { spelling, double: Number(spelling) };
}

/** The number in `node`, also one that was sent as a string; undefined if it is not a number. */
export function decimalOf(node: Node): Decimal | undefined {
  if (node.kind === 'number') return parseDecimal(node.spelling);
  return node.kind === 'string' ? parseDecimal(node.value) : undefined;
}

/**
 * The text in `node` where a number was expected, to be counted and shown; undefined for a number
 * or no text.
 */
export function unreadNumber(node: Node): string | undefined {
  return node.kind === 'string' && !isEmpty(node) && !decimalOf(node) ? node.value : undefined;
}

/**
 * Below 0 when `a` is the smaller one, 0 when they are equal, above 0 when `a` is the larger one.
 * Exact.
 */
export function compareDecimals(a: Decimal, b: Decimal): number {
  // Rounding to the nearest double keeps the order: digits decide only between decimals of the same
  // double.
  if (a.double !== b.double) return a.double < b.double ? -1 : 1;
  return a.spelling === b.spelling ? 0 : new Big(a.spelling).cmp(b.spelling);
}

/**
 * Digits farther from the point are not computed: Big would write out a number such as 1e999999999.
 */
const MAX_EXPONENT = 1_000;

/**
 * `a - b` without an exponent: `-0.25`. Exact; undefined when an operand has digits beyond
 * MAX_EXPONENT.
 */
export function subtractDecimals(a: Decimal, b: Decimal): string | undefined {
  // Most values of a wallet are what they were.
  if (a.spelling === b.spelling) return '0';
  const [left, right] = [new Big(a.spelling), new Big(b.spelling)];
  return isNear(left) && isNear(right) ? left.minus(right).toFixed() : undefined;
}

/** @param number its first digit is at 10^`e` */
const isNear = ({ e, c: { length } }: Big) => e < MAX_EXPONENT && length - 1 - e <= MAX_EXPONENT;

/** `a * b`. Exact. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  const spelling = new Big(a.spelling).times(b.spelling).toExponential();
  return { spelling, double: Number(spelling) };
}

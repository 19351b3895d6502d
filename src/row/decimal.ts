/**
 * Decimal numbers compared by their spelling. A double would call 9007199254740993 equal to 9007199254740992 and 1e400
 * equal to 1e500; a gate on a score or on dollars must not.
 */
import type { Node } from '../document/node.ts';

/** sign * 0.digits * 10^exponent, with neither a leading nor a trailing zero in `digits`; zero has none at all. */
export interface Decimal {
  readonly sign: 1 | -1;
  readonly digits: string;
  readonly exponent: number;
}

const ZERO: Decimal = { sign: 1, digits: '', exponent: 0 };

/**
 * Parses a decimal: what JSON allows, and also `+5`, `007`, `.5`, `5.`. Undefined for anything else, and for exponents beyond
 * 2^53, which a double cannot represent.
 */
export function parseDecimal(spelling: string): Decimal | undefined {
  const [, sign, whole = '', fraction = '', power = '0'] =
    /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(spelling) ?? [];
  if (sign === undefined) return undefined;
  const exponent = Number(power);
  if (!Number.isSafeInteger(exponent)) return undefined;
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  if (first < 0) return ZERO;
  return { sign: sign === '-' ? -1 : 1, digits: trimZeros(all, first), exponent: exponent + whole.length - first };
}

/** The number in `node`, also one that was sent as a string; undefined if it is not a number. */
export function decimalOf(node: Node): Decimal | undefined {
  if (node.kind === 'number') return parseDecimal(node.spelling);
  return node.kind === 'string' ? parseDecimal(node.value) : undefined;
}

/** Below 0 when `a` is the smaller one, 0 when they are equal, above 0 when `a` is the larger one. Exact. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.digits === '' || b.digits === '') return signOf(a) - signOf(b);
  if (a.sign !== b.sign) return a.sign;
  const farther = a.exponent - b.exponent || order(a.digits, b.digits);
  return a.sign > 0 ? farther : 0 - farther;
}

const signOf = (decimal: Decimal) => (decimal.digits === '' ? 0 : decimal.sign);

/** Fractions without trailing zeros are in the order of their text. */
const order = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

function trimZeros(digits: string, first: number): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(first, end);
}

/** Digits farther from the point are not computed: a number such as 1e999999999 would not fit in memory. */
const MAX_EXPONENT = 1_000;

/** `a - b` without an exponent: `-0.25`. Exact; undefined when an operand is beyond MAX_EXPONENT. */
export function subtractDecimals(a: Decimal, b: Decimal): string | undefined {
  const parts = [a, b];
  const lowest = Math.min(0, ...parts.map(lastDigit));
  if (lowest < -MAX_EXPONENT || parts.some(({ exponent }) => exponent > MAX_EXPONENT)) return undefined;
  const difference = scaled(a, lowest) - scaled(b, lowest);
  const digits = String(difference < 0n ? -difference : difference).padStart(1 - lowest, '0');
  const point = digits.length + lowest;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${difference < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
}

/** `a * b`. Exact. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.digits === '' || b.digits === '') return ZERO;
  const all = String(BigInt(a.digits) * BigInt(b.digits));
  const exponent = lastDigit(a) + lastDigit(b) + all.length;
  return { sign: a.sign === b.sign ? 1 : -1, digits: trimZeros(all, 0), exponent };
}

/** The power of ten of the last digit. */
const lastDigit = ({ digits, exponent }: Decimal) => exponent - digits.length;

/** In units of 10^`lowest`. BigInt takes no digits for 0. */
const scaled = (decimal: Decimal, lowest: number) =>
  BigInt(decimal.sign) * BigInt(decimal.digits) * 10n ** BigInt(lastDigit(decimal) - lowest);

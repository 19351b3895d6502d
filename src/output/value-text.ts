/** Values for people, safe for a terminal. All digits are kept, except for dollars in tables. */
import type { Node } from '../document/node.ts';
import { cellText, writeCompact } from '../document/write.ts';
import { visible } from '../text/escape.ts';
import { grouped } from '../text/words.ts';

/** `node` as one line of JSON, except that a string is not quoted. */
export function lineText(node: Node): string {
  return node.kind === 'string' ? visible(node.value) : writeCompact(node);
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * `node` in dollars, `$1,234,567.89`, without rounding. A number with an exponent keeps its spelling, null is `null`, and text that is
 * not a number stays text.
 */
export function dollars(node: Node): string {
  if (node.kind !== 'number' && node.kind !== 'string') return writeCompact(node);
  const text = node.kind === 'number' ? node.spelling : node.value;
  const decimal = DECIMAL.exec(text);
  if (!decimal) return node.kind === 'number' ? text.replace(/^-?/, '$&$$') : visible(text);
  const [, sign = '', whole = '', fraction] = decimal;
  return `${sign}$${grouped(whole)}${fraction === undefined ? '' : `.${fraction.padEnd(2, '0')}`}`;
}

/** `dollars` rounded to cents, halves away from zero. */
export function roundedDollars(node: Node): string {
  return dollars(node).replace(/^(-?\$)([\d,]+)(?:\.(\d+))?$/, (_, sign: string, whole: string, fraction = '') => {
    const kept = whole.replaceAll(',', '') + fraction.slice(0, 2).padEnd(2, '0');
    const cents = /^[5-9]/.test(fraction.slice(2)) ? increased(kept) : kept;
    const isZero = /^0+$/.test(cents);
    return `${isZero ? '$' : sign}${grouped(cents.slice(0, -2))}.${cents.slice(-2)}`;
  });
}

/** `digits` plus one, for any number of digits. */
function increased(digits: string): string {
  let at = digits.length;
  while (at > 0 && digits[at - 1] === '9') at -= 1;
  const zeros = '0'.repeat(digits.length - at);
  return at === 0 ? `1${zeros}` : digits.slice(0, at - 1) + (Number(digits[at - 1]) + 1) + zeros;
}

/** Whether a field with this name or path is an amount in dollars. */
export const isInDollars = (name: string) => /(^|[_.])usd$/i.test(name);

/** The value of a field as one line for a terminal; `-` if there is none. */
export function fieldText(name: string, node: Node | undefined): string {
  const text = visible(cellText(node));
  if (!node || text === '') return '-';
  return isInDollars(name) ? roundedDollars(node) : text;
}

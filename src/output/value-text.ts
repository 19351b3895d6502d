/** Values as a person reads them, safe for a terminal: every digit as the service spelled it, but for dollars in a table. */
import type { Node } from '../document/node.ts';
import { cellText, writeCompact } from '../document/write.ts';
import { visible } from '../text/escape.ts';
import { grouped } from '../text/words.ts';

/** `node` as JSON but for strings, which are bare; on one line. */
export function lineText(node: Node): string {
  return node.kind === 'string' ? visible(node.value) : writeCompact(node);
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * `node` in dollars: `$1,234,567.89`, with no digit rounded away; a number with an exponent keeps its spelling, null is
 * `null`, and text that is no number stays text.
 */
export function dollars(node: Node): string {
  if (node.kind !== 'number' && node.kind !== 'string') return writeCompact(node);
  const text = node.kind === 'number' ? node.spelling : node.value;
  const decimal = DECIMAL.exec(text);
  if (!decimal) return node.kind === 'number' ? text.replace(/^-?/, '$&$$') : visible(text);
  const [, sign = '', whole = '', fraction] = decimal;
  return `${sign}$${grouped(whole)}${fraction === undefined ? '' : `.${fraction.padEnd(2, '0')}`}`;
}

/** `dollars` rounded to cents, half of one away from zero: for a terminal. */
export function roundedDollars(node: Node): string {
  return dollars(node).replace(/^(-?\$)([\d,]+)(?:\.(\d+))?$/, (_, sign: string, whole: string, fraction = '') => {
    const kept = whole.replaceAll(',', '') + fraction.slice(0, 2).padEnd(2, '0');
    const cents = /^[5-9]/.test(fraction.slice(2)) ? increased(kept) : kept;
    const isZero = /^0+$/.test(cents);
    return `${isZero ? '$' : sign}${grouped(cents.slice(0, -2))}.${cents.slice(-2)}`;
  });
}

/** `digits` plus one, however many they are. */
function increased(digits: string): string {
  let at = digits.length;
  while (at > 0 && digits[at - 1] === '9') at -= 1;
  const zeros = '0'.repeat(digits.length - at);
  return at === 0 ? `1${zeros}` : digits.slice(0, at - 1) + (Number(digits[at - 1]) + 1) + zeros;
}

/** Whether a field of this name, or path, is an amount of dollars. */
export const isInDollars = (name: string) => /(^|[_.])usd$/i.test(name);

/** What a field's `node` is on a terminal, on a line; `-` is none. */
export function fieldText(name: string, node: Node | undefined): string {
  const text = visible(cellText(node));
  if (!node || text === '') return '-';
  return isInDollars(name) ? roundedDollars(node) : text;
}

/** Values for people, safe for a terminal. All digits are kept, except for dollars in tables. */
import type { Node } from '../document/node.ts';
import { cellText, writeCompact } from '../document/write.ts';
import { visible } from '../text/escape.ts';
import { once } from '../text/once.ts';

/** `node` as one line of JSON, except that a string is not quoted. */
export const lineText = (node: Node): string => (node.kind === 'string' ? visible(node.value) : writeCompact(node));

const DECIMAL = /^-?(\d+)(?:\.\d+)?$/;
/** Longer whole numbers keep their spelling: Intl writes some as infinity. */
const MAX_WHOLE_DIGITS = 21;
/** Made when it is first needed, since making it takes milliseconds. */
const cents = once(
  () => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', signDisplay: 'negative' }),
);

/**
 * `node` in dollars rounded to cents, halves away from zero: `$1,234,567.89`. A number with an
 * exponent or of very many digits keeps its spelling, null is `null`, and text that is not a number
 * stays text.
 */
export function roundedDollars(node: Node): string {
  if (node.kind !== 'number' && node.kind !== 'string') return writeCompact(node);
  const text = node.kind === 'number' ? node.spelling : node.value;
  const decimal = DECIMAL.exec(text);
  if ((decimal?.[1]?.length ?? Infinity) <= MAX_WHOLE_DIGITS) return cents().format(text as Intl.StringNumericLiteral);
  return decimal || node.kind === 'number' ? text.replace(/^-?/, '$&$$') : visible(text);
}

/** Whether a field with this name or path is an amount in dollars. */
export const isInDollars = (name: string) => /(^|[_.])usd$/i.test(name);

/** The value of a field as one line for a terminal; `-` for a missing one. */
export function fieldText(name: string, node: Node | undefined): string {
  const text = visible(cellText(node));
  if (!node || text === '') return '-';
  return isInDollars(name) ? roundedDollars(node) : text;
}

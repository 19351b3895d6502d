/** Values as a person reads them, safe for a terminal: every digit as the service spelled it. */
import type { Node } from '../document/node.ts';
import { writeCompact } from '../document/write.ts';
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

/** `dollars` with at most two decimals; `…` says that there are more. */
export function shortDollars(node: Node): string {
  return dollars(node).replace(/(\.\d\d)\d+$/, '$1…');
}

/**
 * Document to text: numbers as they were spelled, members in their order. White space and escapes
 * in strings may differ from the original: whatever a terminal would act on is escaped, so that the
 * JSON can be printed anywhere.
 */

import { UNSAFE, unitEscapes } from '../text/escape.ts';
import type { ArrayNode, Node, ObjectNode } from './node.ts';
import { parseDocument } from './parse.ts';

/** `node` on one line, without white space. */
export function writeCompact(node: Node): string {
  switch (node.kind) {
    case 'object':
      return compactObject(node);
    case 'array':
      return compactArray(node);
    case 'string':
      return writeString(node.value);
    case 'number':
      return node.spelling;
    case 'literal':
      return String(node.value);
  }
}

function compactObject({ members }: ObjectNode): string {
  let text = '{';
  for (const member of members) {
    text += `${text === '{' ? '' : ','}${writeString(member[0])}:${writeCompact(member[1])}`;
  }
  return `${text}}`;
}

function compactArray({ items }: ArrayNode): string {
  let text = '[';
  for (const item of items) text += (text === '[' ? '' : ',') + writeCompact(item);
  return `${text}]`;
}

/** `node` on several lines, indented by two spaces; the caller ends the last line. */
export const writePretty = (node: Node): string => indented(node, '\n');

/**
 * One of our own values as a document that ends in a newline, escaped in the same way: it may
 * contain foreign texts.
 */
export const jsonText = (value: unknown): string => `${writePretty(parseDocument(JSON.stringify(value)))}\n`;

/** In characters, 50 levels: deeper, the indentation could be a thousand times the document. */
const MAX_BREAK_DEPTH = 100;

/** `lineBreak` is the newline and the indentation of the line on which `node` begins. */
function indented(node: Node, lineBreak: string): string {
  if (lineBreak.length > MAX_BREAK_DEPTH) return writeCompact(node);
  const inner = `${lineBreak}  `;
  if (node.kind === 'object' && node.members.length > 0) {
    const members = node.members.map(([key, value]) => `${inner}${writeString(key)}: ${indented(value, inner)}`);
    return `{${members.join(',')}${lineBreak}}`;
  }
  if (node.kind === 'array' && node.items.length > 0) {
    return `[${node.items.map((item) => inner + indented(item, inner)).join(',')}${lineBreak}]`;
  }
  return writeCompact(node);
}

/**
 * `text` as a JSON string. JSON.stringify escapes C0 and lone surrogates, but not the rest of
 * UNSAFE.
 */
export function writeString(text: string): string {
  if (NEEDS_NO_ESCAPES.test(text)) return `"${text}"`;
  const json = JSON.stringify(text);
  return PRINTABLE_ASCII.test(json) ? json : json.replace(UNSAFE, unitEscapes);
}

/** Printable ASCII without escapes: most strings, and twice as fast. */
const NEEDS_NO_ESCAPES = /^(?:[ !$-[\]-~]|#(?!#))*$/;
const PRINTABLE_ASCII = /^(?:[ -"$-~]|#(?!#))*$/;

/** `node` as the text of one cell: empty for null and undefined, JSON for objects and arrays. */
export function cellText(node: Node | undefined): string {
  if (!node) return '';
  switch (node.kind) {
    case 'string':
      return node.value;
    case 'literal':
      return node.value === null ? '' : String(node.value);
    default:
      return writeCompact(node);
  }
}

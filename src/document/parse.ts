/**
 * Text to document, strictly by RFC 8259. JSON.parse cannot do this: it rounds numbers, reorders keys that look like
 * integers, merges duplicate keys and quotes its input in errors. Nothing here recurses, so hostile nesting meets
 * MAX_DEPTH and never the end of the stack.
 */
import type { Node } from './node.ts';

/** Deepest nesting of objects and arrays that is read: far beyond any real answer, shallow enough to recurse over. */
export const MAX_DEPTH = 1_000;

/**
 * The text is no JSON document. The message never quotes the text. `offset` is where it stopped making sense (UTF-16
 * units of the text; bytes when it is not UTF-8): its length exactly when it broke off, so that more could have saved it.
 */
export class DocumentSyntaxError extends Error {
  readonly offset: number;
  constructor(problem: string, offset: number) {
    super(`${problem} at offset ${offset}`);
    this.name = 'DocumentSyntaxError';
    this.offset = offset;
  }
}

/**
 * The document that `text` spells: every number as written, every key in its place, duplicates included.
 * @throws DocumentSyntaxError
 */
export function parseDocument(text: string): Node {
  const cursor: Cursor = { text, at: 0 };
  const open: Open[] = [];
  for (;;) {
    let value = readValue(cursor, open);
    while (value) {
      const inner = open.at(-1);
      if (!inner) return endWith(cursor, value);
      add(inner, value);
      value = goesOn(cursor, inner) ? undefined : open.pop()?.node;
    }
  }
}

/**
 * `bytes` as text, without a leading byte order mark.
 * @throws DocumentSyntaxError when they are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentSyntaxError('invalid UTF-8', validLength(bytes));
  }
}

interface Cursor {
  readonly text: string;
  at: number;
}

/** A container whose end is still to come, and for an object the key of the value being read. */
type Open =
  | { readonly node: { readonly kind: 'object'; readonly members: [string, Node][] }; key: string }
  | { readonly node: { readonly kind: 'array'; readonly items: Node[] } };

const isObject = (open: Open): open is Extract<Open, { key: string }> => open.node.kind === 'object';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LITERALS = { t: 'true', f: 'false', n: 'null' } as const;
const LITERAL_VALUES = { true: true, false: false, null: null } as const;

/** A scalar or an empty container; undefined when a container was opened and its first value comes next. */
function readValue(cursor: Cursor, open: Open[]): Node | undefined {
  const character = peek(cursor);
  switch (character) {
    case '{':
    case '[':
      return openContainer(cursor, open, character);
    case '"':
      return { kind: 'string', value: readString(cursor) };
    case 't':
    case 'f':
    case 'n':
      return readLiteral(cursor, LITERALS[character]);
    default:
      return { kind: 'number', spelling: readNumber(cursor) };
  }
}

function openContainer(cursor: Cursor, open: Open[], bracket: '{' | '['): Node | undefined {
  if (open.length === MAX_DEPTH) throw new DocumentSyntaxError(`nesting deeper than ${MAX_DEPTH}`, cursor.at);
  cursor.at++;
  const opened: Open =
    bracket === '{' ? { node: { kind: 'object', members: [] }, key: '' } : { node: { kind: 'array', items: [] } };
  if (peek(cursor) === closerOf(opened)) {
    cursor.at++;
    return opened.node;
  }
  if (isObject(opened)) opened.key = readKey(cursor);
  open.push(opened);
}

const closerOf = (open: Open) => (isObject(open) ? '}' : ']');

function add(inner: Open, value: Node): void {
  if (isObject(inner)) inner.node.members.push([inner.key, value]);
  else inner.node.items.push(value);
}

/** After a value of `inner`: whether another follows. */
function goesOn(cursor: Cursor, inner: Open): boolean {
  const character = peek(cursor);
  if (character !== ',' && character !== closerOf(inner)) fail(cursor, `',' or '${closerOf(inner)}' expected`);
  cursor.at++;
  if (character !== ',') return false;
  if (isObject(inner)) inner.key = readKey(cursor);
  return true;
}

function endWith(cursor: Cursor, value: Node): Node {
  if (peek(cursor) !== undefined) fail(cursor, 'the end expected');
  return value;
}

/** The next character that is not white space, left where it is; undefined at the end. */
function peek(cursor: Cursor): string | undefined {
  const { text } = cursor;
  let character = text[cursor.at];
  while (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
    character = text[++cursor.at];
  }
  return character;
}

function readKey(cursor: Cursor): string {
  if (peek(cursor) !== '"') fail(cursor, 'a key expected');
  const key = readString(cursor);
  if (peek(cursor) !== ':') fail(cursor, "':' expected");
  cursor.at++;
  return key;
}

function readString(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at + 1;
  let hasEscape = false;
  let end = start;
  for (let unit = text.charCodeAt(end); unit !== QUOTE; unit = text.charCodeAt(++end)) {
    if (end >= text.length) throw new DocumentSyntaxError('unterminated string', text.length);
    if (unit < 0x20) throw new DocumentSyntaxError('control character in a string', end);
    if (unit !== BACKSLASH) continue;
    hasEscape = true;
    end++;
  }
  cursor.at = end + 1;
  return hasEscape ? unescaped(text.slice(start - 1, end + 1), start) : text.slice(start, end);
}

/** A string literal with escapes is small and self-contained: there JSON.parse is strict, fast and loses nothing. */
function unescaped(literal: string, offset: number): string {
  try {
    return JSON.parse(literal);
  } catch {
    throw new DocumentSyntaxError('invalid escape in the string', offset);
  }
}

function readLiteral(cursor: Cursor, word: 'true' | 'false' | 'null'): Node {
  for (const letter of word) {
    if (cursor.text[cursor.at] !== letter) fail(cursor, 'a value expected');
    cursor.at++;
  }
  return { kind: 'literal', value: LITERAL_VALUES[word] };
}

/** RFC 8259, section 6: no leading zeros, no bare point, no plus sign. */
function readNumber(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  if (text[cursor.at] === '-') cursor.at++;
  if (text[cursor.at] === '0') cursor.at++;
  else skipDigits(cursor, cursor.at === start ? 'a value expected' : 'a digit expected');
  if (text[cursor.at] === '.') {
    cursor.at++;
    skipDigits(cursor, 'a digit expected');
  }
  if (text[cursor.at] === 'e' || text[cursor.at] === 'E') {
    cursor.at++;
    if (text[cursor.at] === '+' || text[cursor.at] === '-') cursor.at++;
    skipDigits(cursor, 'a digit expected');
  }
  return text.slice(start, cursor.at);
}

function skipDigits(cursor: Cursor, otherwise: string): void {
  const start = cursor.at;
  while (isDigit(cursor.text.charCodeAt(cursor.at))) cursor.at++;
  if (cursor.at === start) fail(cursor, otherwise);
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;

function fail(cursor: Cursor, expectation: string): never {
  throw new DocumentSyntaxError(expectation, cursor.at);
}

/** How many bytes come before the sequence that is not UTF-8: the longest prefix that a streaming decoder accepts. */
function validLength(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length + 1;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    if (beginsValid(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

function beginsValid(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Text to document, strictly by RFC 8259. JSON.parse cannot do this: it rounds numbers, reorders keys that look like
 * integers, merges duplicate keys and quotes its input in errors. Hostile nesting meets MAX_DEPTH and never the end of the
 * stack. It takes about the time of JSON.parse (`npm run bench:lists documents`).
 */
import type { ArrayNode, Node, ObjectNode } from './node.ts';

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

/** In UTF-16 units. From here on what the document's members hold is read when somebody looks inside; of a short one that saves nothing. */
const LAZY_FROM = 4_096;

/**
 * The document that `text` spells: every number as written, every key in its place, duplicates included. All of it is
 * judged at once; of a long one only the outermost members are made into nodes until more is asked for.
 * @throws DocumentSyntaxError
 */
export function parseDocument(text: string): Node {
  const isSimple = !NOT_SIMPLE.test(text);
  const isOutline = text.length >= LAZY_FROM;
  const cursor: Cursor = { text, at: 0, depth: 0, isSimple, isOutline, isKept: true, spaces: 0 };
  skipSpace(cursor);
  const value = readValue(cursor);
  if (skipSpace(cursor) < text.length) fail(cursor, 'expected the end');
  return value;
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
  /** How many containers are open. */
  depth: number;
  /** Whether a string ends at the next quote, whatever there is before it. */
  readonly isSimple: boolean;
  /** Whether containers inside the outermost one are left for later. */
  readonly isOutline: boolean;
  /** Whether nodes are made; otherwise the text is only judged. */
  isKept: boolean;
  /** How often there was white space between tokens. */
  spaces: number;
}

/** What makes a look at each character of a string necessary. */
const NOT_SIMPLE = /[\u0000-\u001f\\]/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const BRACKET = { open: 0x5b, close: 0x5d };
const BACKSLASH = 0x5c;
const BRACE = { open: 0x7b, close: 0x7d };
/** Stands for what is judged and not kept. */
const NOTHING: Node = { kind: 'literal', value: null };

/** The value that begins at the cursor. */
function readValue(cursor: Cursor): Node {
  switch (cursor.text.charCodeAt(cursor.at)) {
    case QUOTE: {
      const value = readString(cursor);
      return cursor.isKept ? { kind: 'string', value } : NOTHING;
    }
    case BRACE.open:
    case BRACKET.open:
      return cursor.isOutline && cursor.isKept && cursor.depth > 0 ? outline(cursor) : readContainer(cursor);
    case 0x74:
      return readLiteral(cursor, 'true');
    case 0x66:
      return readLiteral(cursor, 'false');
    case 0x6e:
      return readLiteral(cursor, 'null');
    default: {
      const spelling = readNumber(cursor);
      return cursor.isKept ? { kind: 'number', spelling } : NOTHING;
    }
  }
}

/** Nothing that is nested deeper than MAX_DEPTH gets here again, so that this may call itself. */
function readContainer(cursor: Cursor): Node {
  if (cursor.depth === MAX_DEPTH) throw new DocumentSyntaxError(`nesting deeper than ${MAX_DEPTH}`, cursor.at);
  cursor.depth++;
  const isObject = cursor.text.charCodeAt(cursor.at) === BRACE.open;
  const node = isObject ? readObject(cursor) : readArray(cursor);
  cursor.depth--;
  return node;
}

function readObject(cursor: Cursor): Node {
  const members: [string, Node][] = [];
  cursor.at++;
  if (isClosed(cursor, BRACE.close)) return { kind: 'object', members };
  do {
    const key = readKey(cursor);
    const value = readValue(cursor);
    if (cursor.isKept) members.push([key, value]);
  } while (goesOn(cursor, BRACE.close));
  return { kind: 'object', members };
}

function readArray(cursor: Cursor): Node {
  const items: Node[] = [];
  cursor.at++;
  if (isClosed(cursor, BRACKET.close)) return { kind: 'array', items };
  do {
    skipSpace(cursor);
    const item = readValue(cursor);
    if (cursor.isKept) items.push(item);
  } while (goesOn(cursor, BRACKET.close));
  return { kind: 'array', items };
}

/** The container at the cursor, judged, with its members or items still to be read. */
function outline(cursor: Cursor): Node {
  const { text, at, depth, isSimple, spaces } = cursor;
  cursor.isKept = false;
  const { kind } = readContainer(cursor);
  cursor.isKept = true;
  const spelling = cursor.spaces === spaces ? text.slice(at, cursor.at) : undefined;
  const read = () => readContainer({ text, at, depth, isSimple, isOutline: false, isKept: true, spaces: 0 });
  return kind === 'object' ? new UnreadObject(read, spelling) : new UnreadArray(read, spelling);
}

/** Classes, since an object with a getter of its own has a shape of its own, which makes all that meets it slow. */
class UnreadObject implements ObjectNode {
  readonly kind = 'object';
  readonly spelling: string | undefined;
  readonly #read: () => Node;
  #members: ObjectNode['members'] | undefined;
  constructor(read: () => Node, spelling: string | undefined) {
    this.#read = read;
    this.spelling = spelling;
  }
  get members() {
    this.#members ??= (this.#read() as ObjectNode).members;
    return this.#members;
  }
}

class UnreadArray implements ArrayNode {
  readonly kind = 'array';
  readonly spelling: string | undefined;
  readonly #read: () => Node;
  #items: ArrayNode['items'] | undefined;
  constructor(read: () => Node, spelling: string | undefined) {
    this.#read = read;
    this.spelling = spelling;
  }
  get items() {
    this.#items ??= (this.#read() as ArrayNode).items;
    return this.#items;
  }
}

/** Behind an opening bracket: whether the closing one follows. */
function isClosed(cursor: Cursor, closer: number): boolean {
  if (cursor.text.charCodeAt(skipSpace(cursor)) !== closer) return false;
  cursor.at++;
  return true;
}

/** Behind a value: whether another follows. */
function goesOn(cursor: Cursor, closer: number): boolean {
  const unit = cursor.text.charCodeAt(skipSpace(cursor));
  if (unit !== COMMA && unit !== closer) fail(cursor, `',' or '${String.fromCharCode(closer)}' expected`);
  cursor.at++;
  return unit === COMMA;
}

/** Moves the cursor to the next character that is not white space (RFC 8259, section 2), or to the end; returns where that is. */
function skipSpace(cursor: Cursor): number {
  const { text, at } = cursor;
  let unit = text.charCodeAt(at);
  if (unit > 0x20) return at;
  while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = text.charCodeAt(++cursor.at);
  if (cursor.at > at) cursor.spaces++;
  return cursor.at;
}

/** A key and its colon; the cursor is then at the value. */
function readKey(cursor: Cursor): string {
  if (cursor.text.charCodeAt(skipSpace(cursor)) !== QUOTE) fail(cursor, 'expected a key');
  const key = readString(cursor);
  if (cursor.text.charCodeAt(skipSpace(cursor)) !== COLON) fail(cursor, "':' expected");
  cursor.at++;
  skipSpace(cursor);
  return key;
}

function readString(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at + 1;
  const end = cursor.isSimple ? text.indexOf('"', start) : endOfString(text, start);
  if (end < 0) throw new DocumentSyntaxError('unterminated string', text.length);
  cursor.at = end + 1;
  if (cursor.isSimple) return cursor.isKept ? text.slice(start, end) : '';
  const value = text.slice(start, end);
  return value.includes('\\') ? unescaped(`"${value}"`, start) : value;
}

/** Where the string that begins at `start` has its closing quote; -1 when it has none. */
function endOfString(text: string, start: number): number {
  let end = start;
  for (let unit = text.charCodeAt(end); unit !== QUOTE; unit = text.charCodeAt(++end)) {
    if (end >= text.length) return -1;
    if (unit < 0x20) throw new DocumentSyntaxError('control character in a string', end);
    if (unit === BACKSLASH) end++;
  }
  return end;
}

/** A string literal with escapes is small and self-contained: there JSON.parse is strict, fast and loses nothing. */
function unescaped(literal: string, offset: number): string {
  try {
    return JSON.parse(literal);
  } catch {
    throw new DocumentSyntaxError('invalid escape in a string', offset);
  }
}

const LITERALS = { true: true, false: false, null: null } as const;

function readLiteral(cursor: Cursor, word: keyof typeof LITERALS): Node {
  if (!cursor.text.startsWith(word, cursor.at)) {
    for (let i = 0; cursor.text[cursor.at] === word[i]; i++) cursor.at++;
    fail(cursor, 'expected a value');
  }
  cursor.at += word.length;
  return cursor.isKept ? { kind: 'literal', value: LITERALS[word] } : NOTHING;
}

/** RFC 8259, section 6: no leading zeros, no bare point, no plus sign. */
function readNumber(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  if (text.charCodeAt(cursor.at) === MINUS) cursor.at++;
  if (text.charCodeAt(cursor.at) === ZERO) cursor.at++;
  else skipDigits(cursor, cursor.at === start ? 'expected a value' : 'expected a digit');
  if (text.charCodeAt(cursor.at) === POINT) {
    cursor.at++;
    skipDigits(cursor, 'expected a digit');
  }
  if ((text.charCodeAt(cursor.at) | 0x20) === 0x65) {
    cursor.at++;
    const sign = text.charCodeAt(cursor.at);
    if (sign === MINUS || sign === PLUS) cursor.at++;
    skipDigits(cursor, 'expected a digit');
  }
  return cursor.isKept ? text.slice(start, cursor.at) : '';
}

function skipDigits(cursor: Cursor, otherwise: string): void {
  const start = cursor.at;
  let unit = cursor.text.charCodeAt(start);
  while (unit >= 0x30 && unit <= 0x39) unit = cursor.text.charCodeAt(++cursor.at);
  if (cursor.at === start) fail(cursor, otherwise);
}

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

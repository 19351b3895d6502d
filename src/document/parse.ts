/**
 * Text to document, strictly by RFC 8259. JSON.parse cannot do this: it rounds numbers, reorders
 * keys that look like integers, merges duplicate keys and quotes its input in errors. MAX_DEPTH
 * protects the stack from hostile nesting.
 */
import type { Node } from './node.ts';
import { BRACE, BRACKET, COLON, COMMA, type Cursor, fail, QUOTE, readNumber, readString, skipSpace } from './tokens.ts';
import { DocumentSyntaxError } from './utf8.ts';

/** Deepest nesting of objects and arrays: far beyond any real answer, and safe for recursion. */
export const MAX_DEPTH = 1_000;

/**
 * The document in `text`: every number as written, every key in its place, duplicates included.
 * @throws DocumentSyntaxError
 */
export function parseDocument(text: string): Node {
  const cursor: Cursor = { text, at: 0, depth: 0 };
  skipSpace(cursor);
  const value = readValue(cursor);
  if (skipSpace(cursor) < text.length) fail(cursor, 'expected the end');
  return value;
}

function readValue(cursor: Cursor): Node {
  switch (cursor.text.charCodeAt(cursor.at)) {
    case QUOTE:
      return { kind: 'string', value: readString(cursor) };
    case BRACE.open:
    case BRACKET.open:
      return readContainer(cursor);
    case 0x74:
      return readLiteral(cursor, 'true');
    case 0x66:
      return readLiteral(cursor, 'false');
    case 0x6e:
      return readLiteral(cursor, 'null');
    default:
      return { kind: 'number', spelling: readNumber(cursor) };
  }
}

/** Recursive: MAX_DEPTH bounds the depth. */
function readContainer(cursor: Cursor): Node {
  if (cursor.depth === MAX_DEPTH) throw new DocumentSyntaxError(`nesting deeper than ${MAX_DEPTH}`, cursor.at);
  const isObject = cursor.text.charCodeAt(cursor.at) === BRACE.open;
  const closer = isObject ? BRACE.close : BRACKET.close;
  const members: [string, Node][] = [];
  const items: Node[] = [];
  cursor.at++;
  cursor.depth++;
  if (cursor.text.charCodeAt(skipSpace(cursor)) === closer) cursor.at++;
  else {
    do {
      skipSpace(cursor);
      if (isObject) members.push([readKey(cursor), readValue(cursor)]);
      else items.push(readValue(cursor));
    } while (hasMore(cursor, closer));
  }
  cursor.depth--;
  return isObject ? { kind: 'object', members } : { kind: 'array', items };
}

/** After a value: whether another follows. */
function hasMore(cursor: Cursor, closer: number): boolean {
  const unit = cursor.text.charCodeAt(skipSpace(cursor));
  if (unit !== COMMA && unit !== closer) fail(cursor, `',' or '${String.fromCharCode(closer)}' expected`);
  cursor.at++;
  return unit === COMMA;
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

const LITERALS = { true: true, false: false, null: null } as const;

function readLiteral(cursor: Cursor, word: keyof typeof LITERALS): Node {
  if (!cursor.text.startsWith(word, cursor.at)) {
    for (let i = 0; cursor.text[cursor.at] === word[i]; i++) cursor.at++;
    fail(cursor, 'expected a value');
  }
  cursor.at += word.length;
  return { kind: 'literal', value: LITERALS[word] };
}

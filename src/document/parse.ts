/**
 * Text to document, strictly by RFC 8259. JSON.parse cannot do this: it rounds numbers, reorders keys that look like integers,
 * merges duplicate keys and quotes its input in errors. MAX_DEPTH protects the stack from hostile nesting.
 */
import type { ArrayNode, Node, ObjectNode } from './node.ts';
import { BRACE, BRACKET, COLON, COMMA, type Cursor, fail, QUOTE, readNumber, readString, skipSpace } from './tokens.ts';
import { DocumentSyntaxError } from './utf8.ts';

/** Deepest nesting of objects and arrays: far beyond any real answer, and safe for recursion. */
export const MAX_DEPTH = 1_000;

/**
 * The document in `text`: every number as written, every key in its place, duplicates included. All of it is validated at
 * once, but only the outermost members become nodes until more is needed: most rows of a list need no more, and nodes are what
 * takes memory while rows wait.
 * @throws DocumentSyntaxError
 */
export function parseDocument(text: string): Node {
  const isSimple = !NOT_SIMPLE.test(text);
  const cursor: Cursor = { text, at: 0, depth: 0, isSimple, isOutline: true, isKept: true, spaces: 0 };
  const at = skipSpace(cursor);
  const { spaces } = cursor;
  const value = readValue(cursor);
  const spelling = cursor.spaces === spaces ? text.slice(at, cursor.at) : undefined;
  if (skipSpace(cursor) < text.length) fail(cursor, 'expected the end');
  return spelled(value, spelling);
}

function spelled(node: Node, spelling: string | undefined): Node {
  if (node.kind === 'object') return { kind: 'object', members: node.members, spelling };
  return node.kind === 'array' ? { kind: 'array', items: node.items, spelling } : node;
}

/** In a text with one of these, each character of a string is examined. */
const NOT_SIMPLE = /[\u0000-\u001f\\]/;

/** Stands for a value that is validated and not kept. */
const NOTHING: Node = { kind: 'literal', value: null };

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

/** Recursive: MAX_DEPTH bounds the depth. */
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
  } while (hasMore(cursor, BRACE.close));
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
  } while (hasMore(cursor, BRACKET.close));
  return { kind: 'array', items };
}

/**
 * An object of scalars without white space, in a text without escapes and control characters: by one call, where reading it token by
 * token takes a hundred. At most so many members, since each takes room on the stack of the expression.
 */
const FLAT =
  /\{(?:"[^"]*":(?:"[^"]*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)(?:,(?=")|(?=\}))){0,50}\}/y;

/** The container at the cursor, validated; its members or items are read when needed. */
function outline(cursor: Cursor): Node {
  const { text, at, depth, isSimple, spaces } = cursor;
  FLAT.lastIndex = at;
  if (isSimple && FLAT.test(text)) {
    cursor.at = FLAT.lastIndex;
    return new UnreadObject({ text, at, end: cursor.at, depth, isSimple, isSpaced: false });
  }
  cursor.isKept = false;
  const { kind } = readContainer(cursor);
  cursor.isKept = true;
  const unread: Unread = { text, at, end: cursor.at, depth, isSimple, isSpaced: cursor.spaces > spaces };
  return kind === 'object' ? new UnreadObject(unread) : new UnreadArray(unread);
}

/** A container that was validated and not read. */
interface Unread extends Pick<Cursor, 'text' | 'at' | 'depth' | 'isSimple'> {
  readonly end: number;
  /** Whether there is white space between its tokens. */
  readonly isSpaced: boolean;
}

const readUnread = ({ text, at, depth, isSimple }: Unread) =>
  readContainer({ text, at, depth, isSimple, isOutline: false, isKept: true, spaces: 0 });

const spellingOf = ({ text, at, end, isSpaced }: Unread) => (isSpaced ? undefined : text.slice(at, end));

/** Classes, since in V8 each object literal with a getter has a different shape, which makes its users slow. */
class UnreadObject implements ObjectNode {
  readonly kind = 'object';
  readonly #unread: Unread;
  #members: ObjectNode['members'] | undefined;
  constructor(unread: Unread) {
    this.#unread = unread;
  }
  get spelling() {
    return spellingOf(this.#unread);
  }
  get members() {
    this.#members ??= (readUnread(this.#unread) as ObjectNode).members;
    return this.#members;
  }
}

class UnreadArray implements ArrayNode {
  readonly kind = 'array';
  readonly #unread: Unread;
  #items: ArrayNode['items'] | undefined;
  constructor(unread: Unread) {
    this.#unread = unread;
  }
  get spelling() {
    return spellingOf(this.#unread);
  }
  get items() {
    this.#items ??= (readUnread(this.#unread) as ArrayNode).items;
    return this.#items;
  }
}

/** After an opening bracket: whether the closing one follows. */
function isClosed(cursor: Cursor, closer: number): boolean {
  if (cursor.text.charCodeAt(skipSpace(cursor)) !== closer) return false;
  cursor.at++;
  return true;
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
  return cursor.isKept ? { kind: 'literal', value: LITERALS[word] } : NOTHING;
}

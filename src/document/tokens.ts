/** The tokens of JSON (RFC 8259) at a cursor: white space, strings, numbers. */
import { DocumentSyntaxError } from './utf8.ts';

export interface Cursor {
  readonly text: string;
  at: number;
  /** How many containers are open. */
  depth: number;
}

export const QUOTE = 0x22;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const DIGIT_ZERO = 0x30;
export const COLON = 0x3a;
export const BRACKET = { open: 0x5b, close: 0x5d };
const BACKSLASH = 0x5c;
export const BRACE = { open: 0x7b, close: 0x7d };

/**
 * Moves the cursor to the next character that is not white space (RFC 8259, section 2), or to the
 * end. @returns its position
 */
export function skipSpace(cursor: Cursor): number {
  let unit = cursor.text.charCodeAt(cursor.at);
  while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = cursor.text.charCodeAt(++cursor.at);
  return cursor.at;
}

export function readString(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at + 1;
  const end = endOfString(text, start);
  if (end < 0) throw new DocumentSyntaxError('unterminated string', text.length);
  cursor.at = end + 1;
  const value = text.slice(start, end);
  return value.includes('\\') ? unescaped(`"${value}"`, start) : value;
}

/** The position of the closing quote of the string that begins at `start`, or -1. */
function endOfString(text: string, start: number): number {
  let end = start;
  for (let unit = text.charCodeAt(end); unit !== QUOTE; unit = text.charCodeAt(++end)) {
    if (end >= text.length) return -1;
    if (unit < 0x20) throw new DocumentSyntaxError('control character in a string', end);
    if (unit === BACKSLASH) end++;
  }
  return end;
}

/** For a single string literal JSON.parse is strict, fast and exact. */
function unescaped(literal: string, offset: number): string {
  try {
    return JSON.parse(literal);
  } catch {
    throw new DocumentSyntaxError('invalid escape in a string', offset);
  }
}

/** RFC 8259, section 6: no leading zeros, no bare point, no plus sign. */
export function readNumber(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  if (text.charCodeAt(cursor.at) === MINUS) cursor.at++;
  if (text.charCodeAt(cursor.at) === DIGIT_ZERO) cursor.at++;
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
  return text.slice(start, cursor.at);
}

function skipDigits(cursor: Cursor, otherwise: string): void {
  const start = cursor.at;
  let unit = cursor.text.charCodeAt(start);
  while (unit >= 0x30 && unit <= 0x39) unit = cursor.text.charCodeAt(++cursor.at);
  if (cursor.at === start) fail(cursor, otherwise);
}

export function fail(cursor: Cursor, expectation: string): never {
  throw new DocumentSyntaxError(expectation, cursor.at);
}

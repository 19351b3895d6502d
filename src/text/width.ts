/**
 * Measures and lays out text in terminal columns. Expects text escaped by `visible()`, without joiners and variation selectors,
 * so that a code point is a character.
 */
const PLAIN = /^[\x20-\x7e]*$/;

/** A terminal of unknown width, or of 0 columns as some report, counts as this. */
const DEFAULT_COLUMNS = 80;

/** The width of text for people in a pipe, where the real one is not known. */
export const TEXT_WIDTH = 100;

export function columnsOf(stream: { readonly columns?: number }): number {
  return stream.columns || DEFAULT_COLUMNS;
}

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  // Not at module level: V8 takes a millisecond to compile Unicode classes, and most texts are plain.
  const zeroWidth = /\p{Mn}|\p{Me}/u;
  // East Asian Wide and Fullwidth (UAX 11) and what terminals draw as a picture.
  const wide =
    /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
  let width = 0;
  for (const character of text) width += zeroWidth.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** `text` moved to the right end of `width` columns. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** As much of `text` as fits in `width` columns, without an ellipsis. */
function headOf(text: string, width: number): string {
  if (PLAIN.test(text)) return text.slice(0, width);
  let head = '';
  let used = 0;
  for (const character of text) {
    used += displayWidth(character);
    if (used > width) break;
    head += character;
  }
  return head;
}

/** `text` in at most `width` columns; `…` at its end says that something is left out. */
export function truncate(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${headOf(text, Math.max(0, width - 1))}…`;
}

/** `text` in at most `width` columns with its middle left out: both ends of an address tell it apart. */
export function truncateMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const tail = Math.floor((width - 1) / 2);
  return `${headOf(text, Math.max(0, width - 1 - tail))}…${tail > 0 ? text.slice(-tail) : ''}`;
}

/** `text` in lines of at most `width` columns, broken at spaces; a word too long for a line is cut at its end. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (displayWidth(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const piece of piecesOf(word, width)) {
      if (line !== '') lines.push(line);
      line = piece;
    }
  }
  lines.push(line);
  return lines;
}

/** `word` in pieces of at most `width` columns, at least one character each, in linear time. */
function* piecesOf(word: string, width: number): Generator<string> {
  if (PLAIN.test(word)) return yield* slicesOf(word, width);
  let piece = '';
  let used = 0;
  for (const character of word) {
    const columns = displayWidth(character);
    if (piece !== '' && used + columns > width) {
      yield piece;
      piece = '';
      used = 0;
    }
    piece += character;
    used += columns;
  }
  yield piece;
}

/** The same of printable ASCII, where a character is a column: an answer may hold a number of a million digits. */
function* slicesOf(word: string, width: number): Generator<string> {
  const step = Math.max(1, width);
  for (let start = 0; start === 0 || start < word.length; start += step) yield word.slice(start, start + step);
}

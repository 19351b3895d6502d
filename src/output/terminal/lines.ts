/**
 * Lines on a terminal: names with texts, cutting and wrapping. Texts must have been through `visible()`.
 */
import { stripVTControlCharacters } from 'node:util';
import type { ChalkInstance } from 'chalk';
import { type ColorLevel, paint } from '../../cli/color.ts';
import { displayWidth, truncate, wrap } from '../../text/width.ts';
import { withoutOrphan, wrapped } from '../../text/words.ts';

export interface Terminal {
  /** In columns. */
  readonly width: number;
  readonly color: ColorLevel;
}

export interface Drawing {
  readonly chalk: ChalkInstance;
  /** In columns. */
  readonly width: number;
}

export const drawingOn = async ({ width, color }: Terminal): Promise<Drawing> => ({ width, chalk: await paint(color) });

/** Between two columns of a table. */
export const GAP = '  ';

const MAX_LINES = 3;

/** `text` wrapped to at most MAX_LINES lines of at most `width` columns. */
export function cutLines(text: string, width: number): readonly string[] {
  const lines = withoutOrphan(wrap(text, Math.max(1, width)), width);
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES - 1), truncate(`${lines[MAX_LINES - 1]}…`, width)];
}

/** Indent of a line that continues the one above. */
export const BELOW = '    ';

/** `line` followed by `remarks`, on the same line if they fit, else below. */
export function withRemarks(line: string, remarks: string, { width, chalk }: Drawing): readonly string[] {
  if (remarks === '') return [line];
  if (shownWidth(line + GAP + remarks) <= width) return [line + GAP + chalk.bold(remarks)];
  return [line, ...cutLines(remarks, width - BELOW.length).map((part) => BELOW + chalk.bold(part))];
}

/** Width in columns, ignoring colours. */
export const shownWidth = (text: string) =>
  displayWidth(text.includes('\u001b') ? stripVTControlCharacters(text) : text);
export const widest = (texts: readonly string[]) => texts.reduce((max, text) => Math.max(max, shownWidth(text)), 0);

export function filled(text: string, width: number, isRight = false): string {
  const space = ' '.repeat(Math.max(0, width - shownWidth(text)));
  return isRight ? space + text : text + space;
}

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Each text after its name, or below it if a word would have to be broken, which would make it hard to copy. */
export function namedLines(entries: readonly NamedText[], width: number): readonly string[] {
  const column = widest(entries.map(({ name }) => name));
  const room = width - column - GAP.length;
  return entries.flatMap(({ name, text }) => {
    if (widest(text.split(' ')) > room) return [name, ...wrapped(text, width - GAP.length).map((line) => GAP + line)];
    return wrapped(text, room).map((line, i) => filled(i === 0 ? name : '', column) + GAP + line);
  });
}

/** Names in one column and texts in another; if that leaves too little room, texts go below their names. */
export function entryLines(entries: readonly NamedText[], { chalk, width }: Drawing): readonly string[] {
  const column = widest(entries.map(({ name }) => name));
  const room = width - column - GAP.length;
  const longest = widest(entries.map(({ text }) => text));
  if (room < Math.min(longest, MIN_ENTRY_WIDTH))
    return entries.flatMap((entry) => stackedLines(entry, { chalk, width }));
  return entries.flatMap(({ name, text }) =>
    wrap(text, room).map((line, i) => (chalk.dim(filled(i === 0 ? name : '', column)) + GAP + line).trimEnd()),
  );
}

/** Texts are not wrapped into fewer columns than this. */
const MIN_ENTRY_WIDTH = 24;

function stackedLines({ name, text }: NamedText, { chalk, width }: Drawing): readonly string[] {
  if (displayWidth(name) + GAP.length + displayWidth(text) <= width) return [chalk.dim(name) + GAP + text];
  const names = wrap(name, width).map((line) => chalk.dim(line));
  return [...names, ...wrap(text, Math.max(1, width - GAP.length)).map((line) => GAP + line)];
}

/** `text` after `mark`, with a hanging indent. */
export function markedLines(mark: string, text: string, width: number): readonly string[] {
  const indent = ' '.repeat(mark.length);
  return wrap(text, Math.max(1, width - mark.length)).map((line, i) => (i === 0 ? mark : indent) + line);
}

/**
 * Lines on a terminal: names with texts, cutting and wrapping. Texts must have been through
 * `visible()`.
 */
import type { ChalkInstance } from 'chalk';
import { displayWidth, type Ellipsis, padEnd, truncate, wrap } from '../../text/width.ts';
import { groupDigits } from '../../text/words.ts';
import type { ColorLevel } from './color.ts';

export interface Terminal {
  /** In columns. */
  readonly width: number;
  readonly color: ColorLevel;
  /** The mark of a text that was cut; `…` if undefined. */
  readonly ellipsis?: Ellipsis;
}

export interface Drawing extends Pick<Terminal, 'width' | 'ellipsis'> {
  /** Colours as the terminal can, whatever the environment says. */
  readonly chalk: ChalkInstance;
}

export async function drawingOn({ width, color, ellipsis }: Terminal): Promise<Drawing> {
  const { Chalk } = await import('chalk');
  return { width, ellipsis, chalk: new Chalk({ level: color }) };
}

/** Between two columns of a table. */
export const GAP = '  ';

const MAX_WRAPPED_LINES = 3;

/** `text` wrapped to at most MAX_WRAPPED_LINES lines of at most `width` columns. */
export function cutLines(text: string, width: number, ellipsis: Ellipsis = '…'): readonly string[] {
  // wrap-ansi takes seconds for a text of megabytes.
  const lines = wrap(truncate(text, (MAX_WRAPPED_LINES + 1) * width, ellipsis), width);
  if (lines.length <= MAX_WRAPPED_LINES) return lines;
  const last = truncate(`${lines[MAX_WRAPPED_LINES - 1]}${ellipsis}`, width, ellipsis);
  return [...lines.slice(0, MAX_WRAPPED_LINES - 1), last];
}

/** Indent of a line that continues the one above. */
export const BELOW = '    ';

/** `line` followed by `remarks`, on the same line if they fit, else below. */
export function withRemarks(line: string, remarks: string, { width, chalk, ellipsis }: Drawing): readonly string[] {
  if (remarks === '') return [line];
  if (displayWidth(line + GAP + remarks) <= width) return [line + GAP + chalk.bold(remarks)];
  return [line, ...cutLines(remarks, width - BELOW.length, ellipsis).map((part) => BELOW + chalk.bold(part))];
}

/** How many more there are than those shown, if any. */
export const moreLines = (left: number, { chalk }: Drawing): readonly string[] =>
  left > 0 ? [chalk.dim(`and ${groupDigits(left)} more`)] : [];

export const widest = (texts: readonly string[]) => texts.reduce((max, text) => Math.max(max, displayWidth(text)), 0);

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/**
 * Names in one column and texts in another; a text goes below its name if a word of it would have
 * to be broken, which would make it hard to copy, or if there is too little room.
 */
export function entryLines(entries: readonly NamedText[], { chalk, width }: Drawing): readonly string[] {
  const column = widest(entries.map(({ name }) => name));
  const room = width - column - GAP.length;
  return entries.flatMap(({ name, text }) => {
    if (room < Math.min(displayWidth(text), MIN_ENTRY_WIDTH) || widest(text.split(' ')) > room) {
      return [...wrap(name, width).map((line) => chalk.dim(line)), ...markedLines(GAP, text, width)];
    }
    return wrap(text, room).map((line, i) => (chalk.dim(padEnd(i === 0 ? name : '', column)) + GAP + line).trimEnd());
  });
}

/** Texts are not wrapped into fewer columns than this. */
const MIN_ENTRY_WIDTH = 24;

/** `text` after `mark`, with a hanging indent. */
export function markedLines(mark: string, text: string, width: number): readonly string[] {
  const indent = ' '.repeat(mark.length);
  return wrap(text, Math.max(1, width - mark.length)).map((line, i) => (i === 0 ? mark : indent) + line);
}

/** Lines of a card: names with their values beside them, and text that goes on below where it began. */
import type { ChalkInstance } from 'chalk';
import { displayWidth, padEnd, wrap } from '../../text/width.ts';
import type { Entry } from './card-sections.ts';

export interface Drawing {
  readonly chalk: ChalkInstance;
  /** In columns. */
  readonly width: number;
}

const GAP = '  ';

/** Names in a column, values in another; where that leaves a value no room, values stand below their names. */
export function entryLines(entries: readonly Entry[], { chalk, width }: Drawing): readonly string[] {
  const column = Math.max(0, ...entries.map(({ name }) => displayWidth(name)));
  const room = width - column - GAP.length;
  const longest = Math.max(0, ...entries.map(({ text }) => displayWidth(text)));
  if (room < Math.min(longest, MIN_ROOM)) return entries.flatMap((entry) => stackedLines(entry, { chalk, width }));
  return entries.flatMap(({ name, text }) =>
    wrap(text, room).map((line, i) => (chalk.dim(padEnd(i === 0 ? name : '', column)) + GAP + line).trimEnd()),
  );
}

/** A value in fewer columns than this is a ladder of words. */
const MIN_ROOM = 24;

function stackedLines({ name, text }: Entry, { chalk, width }: Drawing): readonly string[] {
  if (displayWidth(name) + GAP.length + displayWidth(text) <= width) return [chalk.dim(name) + GAP + text];
  const names = wrap(name, width).map((line) => chalk.dim(line));
  return [...names, ...wrap(text, Math.max(1, width - GAP.length)).map((line) => GAP + line)];
}

/** `text` behind `mark`, its further lines indented as far as its first. */
export function markedLines(mark: string, text: string, width: number): readonly string[] {
  const indent = ' '.repeat(mark.length);
  return wrap(text, Math.max(1, width - mark.length)).map((line, i) => (i === 0 ? mark : indent) + line);
}

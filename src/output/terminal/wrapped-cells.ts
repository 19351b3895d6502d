/** Lays out a small table whose rows are all known: cells are wrapped if the columns do not fit, and never cut. */
import { displayWidth, wrap } from '../../text/width.ts';
import { type Drawing, GAP, widest } from './lines.ts';
import { type Column, shrink, sum } from './table.ts';

/** Texts are not wrapped into fewer columns than this. */
const MIN_TEXT_WIDTH = 16;

/**
 * All rows, heads first, each cell as its lines. Undefined if a word would have to be broken.
 */
export function wrappedCells(
  columns: readonly Pick<Column, 'head'>[],
  rows: readonly (readonly string[])[],
  { width, chalk }: Drawing,
): readonly (readonly (readonly string[])[])[] | undefined {
  const room = width - GAP.length * (columns.length - 1);
  const heads = columns.map(({ head }) => head);
  const cells = heads.map((_, i) => rows.map((row) => row[i] ?? ''));
  const names = heads.map(minNameWidth);
  const wanted = cells.map((column, i) => Math.max(widest(column), names[i] ?? 0));
  const minWidths = cells.map((column, i) => {
    const words = widest(column.flatMap((cell) => cell.split(' ')));
    return Math.max(Math.min(wanted[i] ?? 0, MIN_TEXT_WIDTH), words, names[i] ?? 0);
  });
  if (sum(minWidths) > room) return undefined;
  // Reversed because `shrink` gives spare columns to the first ones, and here the last ones should get them.
  const cut = shrink(wanted.toReversed(), room, minWidths.toReversed()).toReversed();
  const widths = withWholeNames(heads, cut, room);
  return [
    heads.map((name, i) => wrapName(name, widths[i] ?? 1).map((line) => chalk.dim(line))),
    ...rows.map((row) => row.map((cell, i) => wrap(cell, widths[i] ?? 1))),
  ];
}

/** Widens columns so that names fit on one line, as far as there is room. */
function withWholeNames(names: readonly string[], widths: readonly number[], room: number): readonly number[] {
  let spare = room - sum(widths);
  return widths.map((each, i) => {
    const more = displayWidth(names[i] ?? '') - each;
    if (more <= 0 || more > spare) return each;
    spare -= more;
    return each + more;
  });
}

/** Wraps a name after underscores only. */
function wrapName(name: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of name.split(/(?<=_)(?=.)/)) {
    const line = (lines.at(-1) ?? '') + part;
    if (lines.length > 0 && displayWidth(line) <= width) lines[lines.length - 1] = line;
    else lines.push(part);
  }
  return lines;
}

/** The least width at which `name` takes at most two lines. */
function minNameWidth(name: string): number {
  let width = Math.max(widest(wrapName(name, 1)), Math.ceil(displayWidth(name) / 2));
  while (wrapName(name, width).length > 2) width++;
  return width;
}

/** A small table all of whose rows are known: its cells are wrapped where not all columns fit, and none is cut. */
import { displayWidth, wrap } from '../../text/width.ts';
import { type Drawing, GAP, widest } from './lines.ts';
import { type Column, shrink, sum } from './table.ts';

/** Text in fewer columns than this is easier to read below its row's name. */
const MIN_TEXT_WIDTH = 16;

/**
 * All rows of a small table, heads first, each cell as the lines that it takes. Undefined where a word would have to be broken.
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
  // Of columns that are cut to one width the last ones get what is left over.
  const cut = shrink(wanted.toReversed(), room, minWidths.toReversed()).toReversed();
  const widths = withWholeNames(heads, cut, room);
  return [
    heads.map((name, i) => wrapName(name, widths[i] ?? 1).map((line) => chalk.dim(line))),
    ...rows.map((row) => row.map((cell, i) => wrap(cell, widths[i] ?? 1))),
  ];
}

/** `widths` with room for names in one line where there is some to spare. */
function withWholeNames(names: readonly string[], widths: readonly number[], room: number): readonly number[] {
  let spare = room - sum(widths);
  return widths.map((each, i) => {
    const more = displayWidth(names[i] ?? '') - each;
    if (more <= 0 || more > spare) return each;
    spare -= more;
    return each + more;
  });
}

/** A name broken behind its underscores only: half a word is no name. */
function wrapName(name: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of name.split(/(?<=_)(?=.)/)) {
    const line = (lines.at(-1) ?? '') + part;
    if (lines.length > 0 && displayWidth(line) <= width) lines[lines.length - 1] = line;
    else lines.push(part);
  }
  return lines;
}

/** The least width at which `name` takes no more than two lines. Of a long name it begins where two lines could hold it. */
function minNameWidth(name: string): number {
  let width = Math.max(widest(wrapName(name, 1)), Math.ceil(displayWidth(name) / 2));
  while (wrapName(name, width).length > 2) width++;
  return width;
}

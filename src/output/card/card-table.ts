/**
 * Small tables of a card. cli-table3 draws, without lines and colours; it never fits a table to a terminal, so widths and
 * line breaks are decided here. Only for short tables: its time grows with the square of the rows.
 */
import Table from 'cli-table3';
import { displayWidth, wrap } from '../../text/width.ts';
import { type Drawing, entryLines } from './card-lines.ts';
import type { Table as TableSection } from './card-sections.ts';

const GAP = '  ';
/** Text in fewer columns than this, or over more lines, is easier to read below its row's name. */
const MIN_TEXT_WIDTH = 16;
const MAX_LINES = 6;

/** `section` in columns that fit `drawing.width`; where they cannot, its rows one below the other. */
export function tableLines(section: TableSection, drawing: Drawing): readonly string[] {
  const head = [...(section.named ? [''] : []), ...section.columns.map(({ name }) => name)];
  const rows = section.rows.map(({ name, cells }) => [...(section.named ? [name] : []), ...cells]);
  const widths = fitWidths(head, rows, drawing.width);
  const wrapped = widths && rows.map((row) => row.map((cell, i) => wrap(cell, widths[i] ?? 1)));
  if (!widths || wrapped?.flat().some((lines) => lines.length > MAX_LINES)) return rowByRow(section, drawing);
  const aligned = [...(section.named ? [false] : []), ...section.columns.map(({ numeric }) => numeric)];
  const table = new Table({
    chars: { ...NO_LINES, middle: GAP },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: aligned.map((right) => (right ? 'right' : 'left')),
    head: head.map((name, i) =>
      wrapName(name, widths[i] ?? 1)
        .map((line) => drawing.chalk.dim(line))
        .join('\n'),
    ),
  });
  table.push(...(wrapped ?? []).map((row) => row.map((lines) => lines.join('\n'))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap((side) => (side === 'mid' ? ['mid', 'mid-mid'] : [side, `${side}-mid`, `${side}-left`, `${side}-right`]))
    .map((part) => [part, '']),
);

/** The width of each column; undefined when the table is too wide for `width` columns however it is broken. */
function fitWidths(head: readonly string[], rows: readonly (readonly string[])[], width: number): number[] | undefined {
  const room = width - GAP.length * (head.length - 1);
  const cells = head.map((_, i) => rows.map((row) => row[i] ?? ''));
  const names = head.map(leastNameWidth);
  const widths = cells.map((column, i) => Math.max(widest(column), names[i] ?? 0));
  const least = cells.map((column, i) => {
    const words = widest(column.flatMap((cell) => cell.split(' ')));
    return Math.max(Math.min(widths[i] ?? 0, MIN_TEXT_WIDTH), words, names[i] ?? 0);
  });
  if (sum(least) > room) return undefined;
  for (let over = sum(widths) - room; over > 0; over--) {
    const spare = widths.map((each, i) => (each > (least[i] ?? 0) ? each : 0));
    const widestColumn = spare.indexOf(Math.max(...spare));
    widths[widestColumn] = (widths[widestColumn] ?? 0) - 1;
  }
  return unbrokenNames(head, widths, room);
}

/** `widths` with room for whole names where there is some to spare. */
function unbrokenNames(head: readonly string[], widths: readonly number[], room: number): number[] {
  let spare = room - sum(widths);
  return widths.map((each, i) => {
    const wanted = displayWidth(head[i] ?? '') - each;
    if (wanted <= 0 || wanted > spare) return each;
    spare -= wanted;
    return each + wanted;
  });
}

const sum = (widths: readonly number[]) => widths.reduce((total, each) => total + each, 0);
const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(displayWidth));

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
function leastNameWidth(name: string): number {
  let width = Math.max(widest(wrapName(name, 1)), Math.ceil(displayWidth(name) / 2));
  while (wrapName(name, width).length > 2) width++;
  return width;
}

function rowByRow({ columns, rows }: TableSection, drawing: Drawing): readonly string[] {
  const narrower = { ...drawing, width: Math.max(1, drawing.width - GAP.length) };
  return rows.flatMap(({ name, cells }) => [
    name,
    ...entryLines(
      columns.map((column, i) => ({ name: column.name, text: cells[i] ?? '' })).filter(({ text }) => text !== ''),
      narrower,
    ).map((line) => GAP + line),
  ]);
}

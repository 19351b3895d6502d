/**
 * The widths of the columns of a table: the one way in which tables are fitted to a terminal. All
 * widths are in its columns.
 */
import { GAP } from './lines.ts';

/** A column as wide as its cells want to be, and the width to which it may shrink. */
export interface Wanted {
  readonly wanted: number;
  readonly least: number;
}

/**
 * The widths at which `columns` with their gaps fit into `width`: the widest give way first, none
 * below its least. If all are at their least and still do not fit, they are wider than `width`.
 */
export function fitWidths(columns: readonly Wanted[], width: number): readonly number[] {
  const room = width - GAP.length * (columns.length - 1);
  const cappedAt = (level: number) => columns.map(({ wanted, least }) => Math.min(wanted, Math.max(level, least)));
  let level = Math.min(
    width,
    columns.reduce((largest, { wanted }) => Math.max(largest, wanted), 1),
  );
  while (level > 1 && sum(cappedAt(level)) > room) level -= 1;
  const widths = cappedAt(level);
  // The columns get back the rest of what the last step took.
  let left = room - sum(widths);
  return widths.map((each, i) => (each < (columns[i]?.wanted ?? 0) && left-- > 0 ? each + 1 : each));
}

/** The width of columns with their gaps. */
export const wholeWidth = (widths: readonly number[]) => sum(widths) + GAP.length * Math.max(0, widths.length - 1);

const sum = (widths: readonly number[]) => widths.reduce((total, each) => total + each, 0);

const EMPTY_TEXTS: ReadonlySet<string> = new Set(['', '-', 'null']);
const SHOWN_NUMBER = /^[-+]?\$?\d[\d,]*(\.\d+)?(e[-+]?\d+)?$/i;

/**
 * What a cell says of its column: numbers are right-aligned. Undefined for one that says nothing.
 */
export const cellKind = (cell: string): 'number' | 'text' | undefined =>
  EMPTY_TEXTS.has(cell) ? undefined : SHOWN_NUMBER.test(cell) ? 'number' : 'text';

/**
 * Tables on a terminal: widths of columns, which columns shrink if not all fit, and how cells are cut, wrapped and aligned. Every table
 * of riskcli is laid out here. Texts must have been through `visible()`.
 */
import { visible } from '../../text/escape.ts';
import { displayWidth, truncate, truncateMiddle } from '../../text/width.ts';
import { wrapped } from '../../text/words.ts';
import { BELOW, cutLines, type Drawing, filled, GAP, widest } from './lines.ts';

export interface Column {
  readonly head: string;
  /** Whether its cells are right-aligned; by default as long as all cells seen are numbers. */
  readonly isNumber?: boolean;
  /**
   * How its cells are cut if not all columns fit; by default they are not. Only one column may have `middle`; it shrinks last.
   */
  readonly cut?: 'end' | 'middle';
  /** The width to which it may shrink. All widths are in columns of the terminal. */
  readonly minWidth?: number;
  /** Initial width, so that later rows rarely widen it; a column that turns out to hold numbers starts narrower. */
  readonly start?: number;
  /** Width as long as no cell of it was seen. */
  readonly unseen?: number;
  /** The column does not grow beyond this; a wider cell takes room from the column that is cut in the middle. */
  readonly maxWidth?: number;
  /** If the columns cut at the end leave fewer than `below` columns, it has this width; 0 omits it. */
  readonly narrow?: { readonly below: number; readonly width: number };
}

/** A `loose` text does not widen its column and is cut at the end. */
export type Cell = string | { readonly loose: string };

/** `total_collateral_usd` as a heading: `TOTAL COLLATERAL USD`. */
export const headText = (name: string) =>
  visible(name)
    .replace(/(?<=[^_.])_(?=[^_.])/g, ' ')
    .toUpperCase();

interface TableOptions {
  /** In columns. */
  readonly width: number;
  readonly chalk?: Drawing['chalk'];
  /** Whether lines are cut to the width; otherwise values stay whole, and `fits` says whether there is room. */
  readonly isCut?: boolean;
}

/** A table whose rows are drawn one at a time. */
export class Table {
  private readonly maxWidths: readonly number[];
  private readonly middle: number;
  /** The widest cell of each column. */
  private seen: readonly (number | undefined)[];
  /** Kind of the cells seen that are not empty. */
  private readonly kinds: ('number' | 'text' | undefined)[];
  private widths: readonly number[];
  private isDrawn = false;

  constructor(
    private columns: readonly Column[],
    private readonly options: TableOptions,
  ) {
    const { width, isCut = false } = options;
    this.maxWidths = columns.map(({ maxWidth }) => maxWidth ?? (isCut ? width : Number.POSITIVE_INFINITY));
    this.middle = middleOf(columns);
    this.seen = columns.map(() => undefined);
    this.kinds = columns.map(({ isNumber }) => (isNumber === undefined ? undefined : isNumber ? 'number' : 'text'));
    this.widths = fittedWidths(columns, { seen: this.seen, width });
  }

  /** Makes room for a row. Columns only grow, because earlier rows cannot be redrawn. */
  observe(cells: readonly Cell[]): void {
    const wider = this.columns.map((_, i) => this.widthWith(cells[i], i));
    if (wider.every((each, i) => each === this.seen[i])) return;
    this.seen = wider;
    const numbers = this.kinds.map((kind, i) => (kind === 'number' ? Math.min(wider[i] ?? 0, MAX_NUMBER) : 0));
    const drawn = this.isDrawn ? this.widths : undefined;
    this.widths = fittedWidths(this.columns, { seen: wider, width: this.options.width, numbers, drawn });
  }

  /** Whether all cells seen fit, with no column below its `minWidth`. */
  fits(): boolean {
    const { columns, widths, seen } = this;
    if (withGaps(widths) > this.options.width) return false;
    return columns.every(({ minWidth = 0 }, i) => (widths[i] ?? 0) >= Math.min(seen[i] ?? 0, minWidth));
  }

  /** Room for the first column if the others keep their widths and a text of `rest` columns follows them. */
  roomOfFirst(rest: number): number {
    return this.options.width - withGaps([0, ...this.widths.slice(1), rest]) - GAP.length;
  }

  /** The headings. @param rest heading of the texts after the columns */
  head(rest = ''): string {
    const { chalk } = this.options;
    const names = this.columns.map(({ head }) => ({ loose: head }));
    const heads = this.line(names, rest && GAP + rest);
    return chalk ? chalk.bold(heads) : heads;
  }

  /** One row. @param rest appended unchanged */
  line(cells: readonly Cell[], rest = ''): string {
    const { columns, widths, middle } = this;
    const { width, isCut } = this.options;
    this.isDrawn = true;
    const texts = cells.map((cell, i) => this.cellText(cell, i, widths[i] ?? 0));
    const joined = () => texts.filter((_, i) => i === 0 || widths[i] !== 0).join(GAP) + rest;
    if (!isCut) return joined().trimEnd();
    // If some cells are wider than their columns, the middle column shrinks for this row.
    const over = displayWidth(joined()) - width;
    const yielding = over > 0 ? cells[middle] : undefined;
    if (yielding !== undefined) {
      const room = Math.max(columns[middle]?.minWidth ?? 0, (widths[middle] ?? 0) - over);
      texts[middle] = this.cellText(yielding, middle, room);
    }
    return truncate(joined(), width).trimEnd();
  }

  /**
   * `cells` in the first columns, followed by `text`, which is wrapped; it goes below the cells if it would need many lines or break a
   * word that may be copied. `mark` precedes the first line of `text`.
   */
  behind(cells: readonly Cell[], text: string, mark = ''): readonly string[] {
    const { width, isCut } = this.options;
    const indent = withGaps(this.widths.slice(0, cells.length)) + GAP.length + mark.length;
    const lines = isCut ? cutLines : wrapped;
    const needed = isCut ? Math.min(MIN_BEHIND, displayWidth(text)) : widest(text.split(' '));
    const [first = '', ...more] = lines(text, Math.max(1, width - indent));
    if (width - indent < needed || (isCut && more.length > 1)) {
      return [this.line(cells), ...lines(text, width - BELOW.length).map((part) => BELOW + part)];
    }
    return [this.line(cells, GAP + mark + first), ...more.map((each) => ' '.repeat(indent) + each)];
  }

  /** The width of the column if it includes this cell. */
  private widthWith(cell: Cell | undefined, i: number): number | undefined {
    const { columns, kinds, seen } = this;
    if (typeof cell !== 'string') return seen[i];
    const column = columns[i];
    if (column && column.isNumber === undefined && kinds[i] !== 'text' && !EMPTY.has(cell)) {
      kinds[i] = isNumberText(cell) ? 'number' : 'text';
      if (kinds[i] === 'number' && !this.isDrawn) this.columns = columns.with(i, asOfNumbers(column));
    }
    return Math.max(seen[i] ?? 0, Math.min(displayWidth(cell), this.maxWidths[i] ?? 0));
  }

  private cellText(cell: Cell, i: number, room: number): string {
    return filled(shortened(cell, this.columns[i]?.cut, room), room, this.kinds[i] === 'number');
  }
}

/** Width of most numbers, `474.123`. */
const NUMBER_WIDTH = 7;

const asOfNumbers = (column: Column): Column => ({ ...column, start: Math.min(column.start ?? 0, NUMBER_WIDTH) });

const middleOf = (columns: readonly Column[]) => columns.findIndex(({ cut }) => cut === 'middle');

/** The least width of a line with all `columns`. */
export function minWidthOf(columns: readonly Column[]): number {
  const minWidths = columns.map((column) => column.minWidth ?? bareWidth(column, 0));
  const floors = columns.map(({ cut }, i) => (cut === 'end' ? (minWidths[i] ?? 0) + GAP.length : 0));
  const below = Math.max(0, ...columns.map(({ narrow }) => narrow?.below ?? 0));
  return Math.max(withGaps(minWidths), below + sum(floors));
}

/** The width of a line if no column shrinks. */
export const wholeWidth = (columns: readonly Column[]) =>
  withGaps(columns.map((column) => bareWidth(column, undefined)));

const EMPTY: ReadonlySet<string> = new Set(['', '-']);
const NUMBER = /^[-+]?\$?\d[\d,]*(\.\d+)?(e[-+]?\d+)?$/i;
export const isNumberText = (text: string) => NUMBER.test(text);
/** An address or a hash: cut in the middle, because both ends are enough to recognise it. */
const HEX = /^0x[\da-f]{16,}$/i;

function shortened(cell: Cell, cut: Column['cut'], width: number): string {
  if (typeof cell !== 'string') return cut ? truncate(cell.loose, width) : cell.loose;
  if (!cut) return cell;
  return cut === 'middle' || HEX.test(cell) ? truncateMiddle(cell, width) : truncate(cell, width);
}

/** Longer numbers may be cut. */
const MAX_NUMBER = 22;

/**
 * If not all columns fit, they shrink in this order: heads to the width of their cells, and drawn columns keep their width; then columns
 * cut at the end, widest first; then the column cut in the middle.
 */
function fittedWidths(
  columns: readonly Column[],
  {
    seen,
    width,
    numbers = [],
    drawn,
  }: {
    /** The widest cell of each column. */
    readonly seen: readonly (number | undefined)[];
    readonly width: number;
    /** Width of the numbers in each column. */
    readonly numbers?: readonly number[];
    /** Widths of the rows drawn so far. */
    readonly drawn?: readonly number[] | undefined;
  },
): readonly number[] {
  const all = columns.map((column, i) => Math.max(bareWidth(column, seen[i]), seen[i] ?? 0));
  const floors = columns.map(({ cut, minWidth = 1 }, i) =>
    cut === 'end' ? Math.min(all[i] ?? 0, Math.max(minWidth, numbers[i] ?? 0)) : 0,
  );
  const left = width - sum(floors.map((each) => (each > 0 ? each + GAP.length : 0)));
  const own = columns.map(({ narrow }, i) => (narrow && left < narrow.below ? narrow.width : (all[i] ?? 0)));
  const room = width - (withGaps(own) - sum(own));
  const needed = columns.map(({ cut, minWidth = 1 }, i) => {
    const bare = own[i] ?? 0;
    if (!cut) return bare;
    const before = cut === 'end' ? drawn?.[i] : undefined;
    return Math.min(bare, Math.max(before ?? minWidth, before === undefined ? (seen[i] ?? bare) : (numbers[i] ?? 0)));
  });
  if (sum(needed) <= room) return shrink(own, room, needed);
  const floor = columns.map(({ cut }, i) => (cut === 'end' ? floors : needed)[i] ?? 0);
  return squeezed(columns, shrink(needed, room, floor), { room, numbers });
}

/** Fits `widths` into `room`: the middle column shrinks to its minimum, then texts shrink further, then the middle column again. */
function squeezed(
  columns: readonly Column[],
  widths: readonly number[],
  { room, numbers }: { readonly room: number; readonly numbers: readonly number[] },
): readonly number[] {
  const middle = middleOf(columns);
  const yielding = (from: readonly number[], minMiddle: number) => {
    const over = Math.max(0, sum(from) - room);
    return from.map((each, i) => (i === middle ? Math.max(Math.min(each, minMiddle), each - over) : each));
  };
  // Texts shrink further before the address becomes unrecognisable.
  const shortened = yielding(widths, columns[middle]?.minWidth ?? 1);
  const minWidths = shortened.map((each, i) => (columns[i]?.cut === 'end' ? Math.max(MIN_CUT, numbers[i] ?? 0) : each));
  return yielding(shrink(shortened, room, minWidths), 1);
}

/** Texts are not cut to fewer columns than this. */
const MIN_CUT = 8;

/** Width of a column without its cells. */
function bareWidth({ head, start = 0, unseen, maxWidth = Number.POSITIVE_INFINITY }: Column, seen: number | undefined) {
  if (unseen !== undefined) return seen === undefined ? unseen : start;
  return Math.max(start, Math.min(displayWidth(head), maxWidth));
}

/** Caps the `wanted` widths at the highest level at which all fit into `room`; no column is capped below its minimum. */
export function shrink(wanted: readonly number[], room: number, minWidths: readonly number[]): readonly number[] {
  const cutAt = (level: number) => wanted.map((each, i) => Math.min(each, Math.max(level, minWidths[i] ?? 1)));
  let level = wanted.reduce((largest, each) => Math.max(largest, each), 1);
  while (level > 1 && sum(cutAt(level)) > room) level -= 1;
  const widths = cutAt(level);
  let left = Math.max(0, room - sum(widths));
  return widths.map((each, i) => (each < (wanted[i] ?? 0) && left-- > 0 ? each + 1 : each));
}

export const sum = (widths: readonly number[]) => widths.reduce((total, each) => total + each, 0);
/** The width of columns with their gaps; columns of width 0 are omitted. */
const withGaps = (widths: readonly number[]) =>
  sum(widths.map((each) => (each > 0 ? each + GAP.length : 0))) - GAP.length;

/** Sentences are not wrapped into fewer columns than this. */
const MIN_BEHIND = 24;

/**
 * Tables on a terminal: how wide columns are, which give way where not all fit, how cells are cut, wrapped and aligned, and how
 * heads look. All that riskcli sets in columns is laid out here. Texts have been through `visible()`.
 */
import { visible } from '../../text/escape.ts';
import { displayWidth, truncate, truncateMiddle } from '../../text/width.ts';
import { wrapped } from '../../text/words.ts';
import { BELOW, cutLines, type Drawing, filled, GAP, widest } from './lines.ts';

export interface Column {
  /** What stands over it. */
  readonly head: string;
  /** Whether its cells stand at its right; by default while all that were seen are numbers. */
  readonly isNumber?: boolean;
  /**
   * Whether its cells are cut when not all columns fit; by default they are not. `middle` is for one column, which gives way
   * last.
   */
  readonly cut?: 'end' | 'middle';
  /** The width down to which it gives way. */
  readonly minWidth?: number;
  /** How wide it begins, lest each row moves what is behind it; numbers that were not expected begin narrower. */
  readonly start?: number;
  /** How wide it is while no cell of it was seen. */
  readonly unseen?: number;
  /** What is wider takes its room from the first cell of its row. */
  readonly maxWidth?: number;
  /** Where the columns that are cut at their end leave less than `below`, it has this width; at 0 it is left out. */
  readonly narrow?: { readonly below: number; readonly width: number };
}

/** A `loose` text makes its column no wider, and is cut at its end. */
export type Cell = string | { readonly loose: string };

/** `total_collateral_usd` as it stands over a column. */
export const headText = (name: string) =>
  visible(name)
    .replace(/(?<=[^_.])_(?=[^_.])/g, ' ')
    .toUpperCase();

interface TableOptions {
  /** In columns. */
  readonly width: number;
  readonly chalk?: Drawing['chalk'];
  /** No line is wider than the terminal; else values stay whole, and `fits` says whether they have room. */
  readonly isCut?: boolean;
}

/** Columns for rows that are drawn one by one. */
export class Table {
  private readonly maxWidths: readonly number[];
  private readonly middle: number;
  /** The widest cell of each column. */
  private seen: readonly (number | undefined)[];
  /** Of the cells that are not empty. */
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

  /** Makes room for a row. A column only grows, since what was drawn stays as it is. */
  observe(cells: readonly Cell[]): void {
    const wider = this.columns.map((_, i) => this.widthWith(cells[i], i));
    if (wider.every((each, i) => each === this.seen[i])) return;
    this.seen = wider;
    const numbers = this.kinds.map((kind, i) => (kind === 'number' ? Math.min(wider[i] ?? 0, MAX_NUMBER) : 0));
    const drawn = this.isDrawn ? this.widths : undefined;
    this.widths = fittedWidths(this.columns, { seen: wider, width: this.options.width, numbers, drawn });
  }

  /** Whether what was seen has room, cut no further than its columns allow. */
  fits(): boolean {
    const { columns, widths, seen } = this;
    if (withGaps(widths) > this.options.width) return false;
    return columns.every(({ minWidth = 0 }, i) => (widths[i] ?? 0) >= Math.min(seen[i] ?? 0, minWidth));
  }

  /** What the first column may take where others have what they were seen to need, and a text of `rest` columns stands behind. */
  roomOfFirst(rest: number): number {
    return this.options.width - withGaps([0, ...this.widths.slice(1), rest]) - GAP.length;
  }

  /** `rest` is what stands over the texts behind the columns. */
  head(rest = ''): string {
    const { chalk } = this.options;
    const names = this.columns.map(({ head }) => ({ loose: head }));
    const heads = this.line(names, rest && GAP + rest);
    return chalk ? chalk.bold(heads) : heads;
  }

  /** `rest` stands behind `cells` as it is. */
  line(cells: readonly Cell[], rest = ''): string {
    const { columns, widths, middle } = this;
    const { width, isCut } = this.options;
    this.isDrawn = true;
    const texts = cells.map((cell, i) => this.cellText(cell, i, widths[i] ?? 0));
    const joined = () => texts.filter((_, i) => i === 0 || widths[i] !== 0).join(GAP) + rest;
    if (!isCut) return joined().trimEnd();
    // Where others take more than their columns, one of them gives way.
    const over = displayWidth(joined()) - width;
    const yielding = over > 0 ? cells[middle] : undefined;
    if (yielding !== undefined) {
      const room = Math.max(columns[middle]?.minWidth ?? 0, (widths[middle] ?? 0) - over);
      texts[middle] = this.cellText(yielding, middle, room);
    }
    return truncate(joined(), width).trimEnd();
  }

  /**
   * `cells` in the first columns, `text` behind them in as many lines as it takes, or below them where these would be many, or
   * would break what is there to be copied; `mark` stands before the first.
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

  /** How wide the column is when it has this cell, too. */
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

/** As wide as most numbers are, `474.123`. */
const NUMBER_WIDTH = 7;

const asOfNumbers = (column: Column): Column => ({ ...column, start: Math.min(column.start ?? 0, NUMBER_WIDTH) });

const middleOf = (columns: readonly Column[]) => columns.findIndex(({ cut }) => cut === 'middle');

/** What `columns` take of a line at the least, where none is left out. */
export function minWidthOf(columns: readonly Column[]): number {
  const minWidths = columns.map((column) => column.minWidth ?? bareWidth(column, 0));
  const floors = columns.map(({ cut }, i) => (cut === 'end' ? (minWidths[i] ?? 0) + GAP.length : 0));
  const below = Math.max(0, ...columns.map(({ narrow }) => narrow?.below ?? 0));
  return Math.max(withGaps(minWidths), below + sum(floors));
}

/** What `columns` take of a line where none gives way. */
export const wholeWidth = (columns: readonly Column[]) =>
  withGaps(columns.map((column) => bareWidth(column, undefined)));

const EMPTY: ReadonlySet<string> = new Set(['', '-']);
const NUMBER = /^[-+]?\$?\d[\d,]*(\.\d+)?(e[-+]?\d+)?$/i;
export const isNumberText = (text: string) => NUMBER.test(text);
/** An address, a hash: both ends of it are enough to tell it by. */
const HEX = /^0x[\da-f]{16,}$/i;

function shortened(cell: Cell, cut: Column['cut'], width: number): string {
  if (typeof cell !== 'string') return cut ? truncate(cell.loose, width) : cell.loose;
  if (!cut) return cell;
  return cut === 'middle' || HEX.test(cell) ? truncateMiddle(cell, width) : truncate(cell, width);
}

/** A number is not cut, unless it is longer than any that somebody reads. */
const MAX_NUMBER = 22;

/**
 * Where not all fit, names are cut to what their cells need, and what was drawn takes no more; then what is cut at its end gives way,
 * the widest before others, then the column that is cut in its middle.
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
    /** What the numbers of each column take. */
    readonly numbers?: readonly number[];
    /** As wide as rows were drawn before. */
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

/** `widths` that may still be too many for `room`: the column that is cut in its middle gives way, then texts, then it again. */
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
  // Texts get narrower still before an address tells nobody which it is.
  const shortened = yielding(widths, columns[middle]?.minWidth ?? 1);
  const minWidths = shortened.map((each, i) => (columns[i]?.cut === 'end' ? Math.max(MIN_CUT, numbers[i] ?? 0) : each));
  return yielding(shrink(shortened, room, minWidths), 1);
}

/** Fewer columns than this tell little of a text. */
const MIN_CUT = 8;

/** How wide a column is without its cells. */
function bareWidth({ head, start = 0, unseen, maxWidth = Number.POSITIVE_INFINITY }: Column, seen: number | undefined) {
  if (unseen !== undefined) return seen === undefined ? unseen : start;
  return Math.max(start, Math.min(displayWidth(head), maxWidth));
}

/** `wanted`, but that no column is wider than a level at which all fit into `room`, nor narrower for it than its `minWidths`. */
export function shrink(wanted: readonly number[], room: number, minWidths: readonly number[]): readonly number[] {
  const cutAt = (level: number) => wanted.map((each, i) => Math.min(each, Math.max(level, minWidths[i] ?? 1)));
  let level = wanted.reduce((largest, each) => Math.max(largest, each), 1);
  while (level > 1 && sum(cutAt(level)) > room) level -= 1;
  const widths = cutAt(level);
  let left = Math.max(0, room - sum(widths));
  return widths.map((each, i) => (each < (wanted[i] ?? 0) && left-- > 0 ? each + 1 : each));
}

export const sum = (widths: readonly number[]) => widths.reduce((total, each) => total + each, 0);
/** What columns take with their gaps; one without width is none. */
const withGaps = (widths: readonly number[]) =>
  sum(widths.map((each) => (each > 0 ? each + GAP.length : 0))) - GAP.length;

/** A sentence in fewer columns than this is a ladder of words. */
const MIN_BEHIND = 24;

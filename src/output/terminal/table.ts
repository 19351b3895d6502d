/**
 * A table on a terminal that is drawn row by row, however many rows there are. Each row is one line
 * of cells: they are cut where their column may be, and the line at the edge of the terminal. Texts
 * must have been through `visible()`.
 */
import { visible } from '../../text/escape.ts';
import { displayWidth, padEnd, padStart, truncate, truncateMiddle, wrap } from '../../text/width.ts';
import { BELOW, cutLines, type Drawing, GAP, widest } from './lines.ts';
import { cellKind, fitWidths, wholeWidth } from './widths.ts';

/** All widths are in columns of the terminal. */
export interface TableColumn {
  readonly head: string;
  /** Whether its cells are right-aligned; by default as long as all cells seen are numbers. */
  readonly isNumber?: boolean;
  /** The end at which its cells are cut if not all columns fit; by default they are not cut. */
  readonly cut?: 'end' | 'middle';
  /** The width to which it may be cut. */
  readonly minWidth?: number;
  /** Width before a cell was seen, so that later rows rarely widen it. */
  readonly start?: number;
}

/** `total_collateral_usd` as a heading: `TOTAL COLLATERAL USD`. */
export const headText = (name: string) =>
  visible(name)
    .replace(/(?<=[^_.])_(?=[^_.])/g, ' ')
    .toUpperCase();

/** Numbers do not widen their column beyond this, and in no column are they cut to less. */
const MAX_NUMBER_WIDTH = 22;
/** Texts are not cut to fewer columns than this. */
const MIN_CUT = 8;
/** Sentences are not wrapped into fewer columns than this. */
const MIN_BEHIND = 24;

/** An address or a hash: cut in the middle, because both ends are enough to recognise it. */
const LONG_HEX = /^0x[\da-f]{16,}$/i;

/** The width that a column with these cells takes, cut as far as it may be. */
export function leastWidth({ head, cut, minWidth = MIN_CUT, start = 0 }: TableColumn, cells: readonly string[]) {
  const wanted = Math.max(start, widest([head, ...cells]));
  return cut ? Math.min(wanted, minWidth) : wanted;
}

export class Table {
  /** The widest cell of each column. */
  private seen: readonly number[];
  private readonly kinds: ('number' | 'text' | undefined)[];
  private widths: readonly number[];
  private isDrawn = false;

  constructor(
    private readonly columns: readonly TableColumn[],
    private readonly drawing: Drawing,
  ) {
    this.seen = columns.map(({ start = 0 }) => start);
    this.kinds = columns.map(({ isNumber }) => (isNumber === undefined ? undefined : isNumber ? 'number' : 'text'));
    this.widths = this.fitted();
  }

  /**
   * Makes room for a row. Columns only grow once rows are drawn; a text that may be cut takes no
   * room from the others then.
   */
  observe(cells: readonly string[]): void {
    const before = this.seen;
    this.seen = this.columns.map((column, i) => {
      const kind = cellKind(cells[i] ?? '');
      if (column.isNumber === undefined && this.kinds[i] !== 'text' && kind) this.kinds[i] = kind;
      const most =
        this.kinds[i] === 'number' ? MAX_NUMBER_WIDTH : column.cut ? this.drawing.width : Number.POSITIVE_INFINITY;
      return Math.max(before[i] ?? 0, Math.min(displayWidth(cells[i] ?? ''), most));
    });
    if (this.isDrawn && wholeWidth(this.wanted()) > this.drawing.width) {
      const isText = (i: number) => this.columns[i]?.cut !== undefined && this.kinds[i] !== 'number';
      this.seen = this.seen.map((each, i) => (isText(i) ? (before[i] ?? 0) : each));
    }
    this.widths = this.fitted();
  }

  /**
   * Room for the first column if the others keep their widths and a text of `rest` columns follows
   * them.
   */
  roomOfFirst(rest: number): number {
    return this.drawing.width - wholeWidth([0, ...this.widths.slice(1), rest]);
  }

  head(): string {
    const heads = this.columns.map(({ head }, i) => truncate(head, this.widths[i] ?? 0, this.drawing.ellipsis));
    return this.drawing.chalk.bold(this.joined(heads));
  }

  /** One row; an empty cell keeps its column. @param rest appended unchanged */
  line(cells: readonly string[], rest = ''): string {
    this.isDrawn = true;
    const texts = cells.map((cell, i) => {
      const { cut } = this.columns[i] ?? {};
      const shorten = cut === 'middle' || LONG_HEX.test(cell) ? truncateMiddle : truncate;
      return cut ? shorten(cell, this.widths[i] ?? 0, this.drawing.ellipsis) : cell;
    });
    return this.joined(texts, rest);
  }

  /**
   * `cells` in the first columns, followed by `text`, which is wrapped; it goes below the cells if
   * it would need many lines.
   */
  behind(cells: readonly string[], text: string): readonly string[] {
    const { width } = this.drawing;
    const indent = wholeWidth(this.widths.slice(0, cells.length)) + GAP.length;
    const lines = wrap(text, width - indent);
    if (width - indent < Math.min(MIN_BEHIND, displayWidth(text)) || lines.length > 2) {
      return [
        this.line(cells),
        ...cutLines(text, width - BELOW.length, this.drawing.ellipsis).map((part) => BELOW + part),
      ];
    }
    return lines.map((each, i) => (i === 0 ? this.line(cells, GAP + each) : ' '.repeat(indent) + each));
  }

  private joined(texts: readonly string[], rest = ''): string {
    const cells = texts.map((text, i) => (this.kinds[i] === 'number' ? padStart : padEnd)(text, this.widths[i] ?? 0));
    return truncate((cells.join(GAP) + rest).trimEnd(), this.drawing.width, this.drawing.ellipsis);
  }

  private wanted(): readonly number[] {
    return this.columns.map(({ head }, i) => Math.max(displayWidth(head), this.seen[i] ?? 0));
  }

  private fitted(): readonly number[] {
    const columns = this.wanted().map((wanted, i) => {
      const { cut, minWidth = MIN_CUT } = this.columns[i] ?? {};
      const number = this.kinds[i] === 'number' ? Math.min(this.seen[i] ?? 0, MAX_NUMBER_WIDTH) : 0;
      return { wanted, least: cut ? Math.min(wanted, Math.max(minWidth, number)) : wanted };
    });
    return fitWidths(columns, this.drawing.width);
  }
}

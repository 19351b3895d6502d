/**
 * Rows of a list or a diff as a table, for a person. Rows appear as they arrive, so columns cannot
 * wait for the widest cell: rows that are ready together are laid out together, and columns grow
 * when a later row needs it.
 */
import type { RowWriter } from '../../files/sink.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { type Drawing, GAP, withRemarks } from './lines.ts';
import { leastWidth, Table, type TableColumn } from './table.ts';

/** A column, and the text that a row has in it. */
export interface RowColumn<R> extends TableColumn {
  readonly cell: (row: R) => string;
  /**
   * From 1. Where the terminal is too narrow, columns with a rank are left out, the highest rank
   * first; the others are always there.
   */
  readonly rank?: number;
  /** Whether the error of a row takes its place. */
  readonly isAnswer?: boolean;
}

/** The notes of a table on a row, beside its cells. */
export interface RowTexts<R> {
  /** Why the row has no answer; undefined if it has one. */
  readonly error?: (row: R) => string | undefined;
  /** Follows the cells, or goes below them; empty if there is nothing to say. */
  readonly remarks: (row: R) => string;
}

/** An address, of which both ends are enough to recognise it. */
export const WALLET_COLUMN = { head: 'WALLET', cut: 'middle', minWidth: 9 } as const satisfies TableColumn;

/** Rows laid out together at most. */
const MAX_ROWS_HELD = 200;

interface RowOfTexts {
  /** One for each column. */
  readonly cells: readonly string[];
  readonly error: string | undefined;
  readonly remarks: string;
}

/** Columns of the terminal that are kept free at first, for larger amounts in later rows. */
const SPARE = 4;

/** Draws the columns that fit, below their heads; nothing if there are no rows. */
export function tableOfRows<R>(
  columns: readonly RowColumn<R>[],
  { error: errorOf, remarks: remarksOf }: RowTexts<R>,
  drawing: Drawing,
): RowWriter<R> {
  let layout: ReturnType<typeof layOut<R>> | undefined;
  let held: RowOfTexts[] = [];
  const flush = () => {
    if (held.length === 0) return '';
    const head = layout === undefined;
    layout ??= layOut(columns, held, drawing);
    const { table, linesOf, cellsOf } = layout;
    for (const texts of held) table.observe(cellsOf(texts));
    const lines = [...(head ? [table.head()] : []), ...held.flatMap(linesOf)];
    held = [];
    return lines.map((line) => `${line}\n`).join('');
  };
  return {
    head: () => '',
    row(row) {
      const error = errorOf?.(row);
      // The row itself is not kept.
      const cells = columns.map(({ cell }) => ownCopy(cell(row)));
      held.push({ cells, error: error && ownCopy(error), remarks: ownCopy(remarksOf(row)) });
      return held.length === MAX_ROWS_HELD ? flush() : '';
    },
    flush,
    foot: flush,
  };
}

/** Chooses the columns by the first rows. */
function layOut<R>(columns: readonly RowColumn<R>[], first: readonly RowOfTexts[], drawing: Drawing) {
  const shown = columnsThatFit(columns, first, drawing.width);
  const table = new Table(shown, drawing);
  const isShown = columns.map((column) => shown.includes(column));
  const cellsOf = ({ cells }: RowOfTexts) => cells.filter((_, i) => isShown[i]);
  return {
    table,
    cellsOf,
    linesOf(texts: RowOfTexts): readonly string[] {
      const { error, remarks } = texts;
      if (error === undefined) return withRemarks(table.line(cellsOf(texts)), remarks, drawing);
      const before = cellsOf(texts).filter((_, i) => !shown[i]?.isAnswer);
      return table.behind(before, error).map((line) => drawing.chalk.bold(line));
    },
  };
}

/** The columns without a rank, and of the others, by rank, those for which there is room. */
function columnsThatFit<R>(columns: readonly RowColumn<R>[], rows: readonly RowOfTexts[], width: number) {
  const sized = columns.map((column, i) => {
    const texts = rows.map(({ cells }) => cells[i] ?? '');
    return { column, rank: column.rank ?? 0, size: leastWidth(column, texts) + GAP.length };
  });
  let room = width + GAP.length;
  let lastRank = Number.POSITIVE_INFINITY;
  const shown = new Set<RowColumn<R>>();
  for (const { column, rank, size } of sized.sort((a, b) => a.rank - b.rank)) {
    if (rank > 0 && size + SPARE > room) lastRank = rank;
    else if (rank <= lastRank) {
      shown.add(column);
      room -= size;
    }
  }
  return columns.filter((column) => shown.has(column));
}

/**
 * A small table whose rows are all known: cells are wrapped if the columns do not fit, and never
 * cut.
 */
import DrawnTable from 'cli-table3';
import { displayWidth, wrap } from '../../text/width.ts';
import { type Drawing, GAP, widest } from './lines.ts';
import { cellKind, fitWidths, wholeWidth } from './widths.ts';

/** Texts are not wrapped into fewer columns than this. */
const MIN_TEXT_WIDTH = 16;

interface ShortTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The style of the heads. */
  readonly style: (text: string) => string;
}

/**
 * The table as lines. Undefined if a word would have to be broken, or a cell to take more than
 * `maxLines`: then each row is better shown as names and values. Short tables only: cli-table3
 * takes four times as long for twice the rows.
 */
export function shortTable(
  { heads, rows, style }: ShortTable,
  width: Drawing['width'],
  maxLines = Number.POSITIVE_INFINITY,
): readonly string[] | undefined {
  const cells = heads.map((_, i) => rows.map((row) => row[i] ?? ''));
  const columns = heads.map((head, i) => {
    const texts = cells[i] ?? [];
    const words = widest([breakable(head), ...texts].flatMap((text) => text.split(' ')));
    return { wanted: Math.max(widest(texts), words), least: Math.max(Math.min(widest(texts), MIN_TEXT_WIDTH), words) };
  });
  const withHeads = columns.map((column, i) => Math.max(column.wanted, displayWidth(heads[i] ?? '')));
  // Heads are wrapped before texts are.
  const widths = wholeWidth(withHeads) <= width ? withHeads : fitWidths(columns, width);
  if (wholeWidth(widths) > width) return undefined;
  const wrapped = rows.map((row) => row.map((cell, i) => wrap(cell, widths[i] ?? 0)));
  if (wrapped.flat().some(({ length }) => length > maxLines)) return undefined;
  const head = heads.map((text, i) => headLines(text, widths[i] ?? 0).map((line) => style(line)));
  return drawn([head, ...wrapped], cells.map(isOfNumbers));
}

const headLines = (name: string, width: number) =>
  displayWidth(name) <= width ? [name] : wrap(breakable(name), width).map((line) => line.replaceAll('_ ', '_'));

/** A name may be wrapped after its underscores. */
const breakable = (name: string) => name.replaceAll(/_(?=.)/g, '_ ');

/** Whether all `cells` that say something are numbers. */
function isOfNumbers(cells: readonly string[]): boolean {
  const kinds = cells.map(cellKind);
  return kinds.includes('number') && !kinds.includes('text');
}

/**
 * Without lines and colours. cli-table3 cannot fit a table to a terminal, so the cells were wrapped
 * beforehand.
 */
function drawn(rows: readonly (readonly (readonly string[])[])[], areNumbers: readonly boolean[]): readonly string[] {
  const table = new DrawnTable({
    chars: { ...NO_LINES, middle: GAP },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: areNumbers.map((isNumber) => (isNumber ? 'right' : 'left')),
  });
  table.push(...rows.map((cells) => cells.map((lines) => lines.join('\n'))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

const NO_LINES = Object.fromEntries(Object.keys(new DrawnTable().options.chars).map((part) => [part, '']));

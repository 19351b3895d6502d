/**
 * A diff for a person: what was, what is, and by how much, with its sign. Which way is the better one nobody but the reader
 * knows, so nothing is coloured by it. Widths are those of the first rows; where the terminal is too narrow for them each
 * wallet has lines of its own, since no value is ever cut.
 */
import { isEmpty, type Node } from '../../document/node.ts';
import { type Difference, type DiffRow, isSame, VERDICTS } from '../../results/comparison.ts';
import { cellText } from '../../row/row-columns.ts';
import { visible } from '../../text/escape.ts';
import type { RowWriter, TextOptions } from '../rows/row-writer.ts';
import { type Column, createTable, drawingOn, GAP, namedLines, type Terminal } from '../terminal/table.ts';

export interface DiffWriterOptions extends TextOptions {
  /** What the columns are called. */
  readonly names: readonly string[];
  /** Whether rows are told which rules they matched. */
  readonly verdictColumns: boolean;
}

/** Rows from which the widths are taken. */
const SAMPLE_ROWS = 200;

export async function createDiffTable(options: DiffWriterOptions, terminal: Terminal): Promise<RowWriter<DiffRow>> {
  const names = [...options.names.map(visible), ...(options.verdictColumns ? VERDICTS : [])];
  const heads = ['wallet', 'change', ...names].map((name) => name.replaceAll('_', ' ').toUpperCase());
  // Both ends of an address are enough to tell it by.
  const columns = heads.map((head, i): Column => (i === 0 ? { head, cut: 'middle', least: 13 } : { head }));
  const table = createTable(columns, await drawingOn(terminal));
  let held: string[][] | undefined = [];
  const begin = () => {
    const rows = held ?? [];
    held = undefined;
    const head = table.fits() && options.header && rows.length > 0 ? `${table.head()}\n` : '';
    return head + rows.map(draw).join('');
  };
  const draw = (cells: readonly string[]) => (table.fits() ? `${table.line(cells)}\n` : ownLines(cells, names));
  return {
    head: () => '',
    row(row) {
      const cells = cellsOf(row, options);
      if (!held) return draw(cells);
      table.see(cells);
      held.push(cells);
      return held.length === SAMPLE_ROWS ? begin() : '';
    },
    foot: () => (held ? begin() : ''),
  };
}

function cellsOf(row: DiffRow, { verdictColumns }: DiffWriterOptions): string[] {
  const differences = row.differences.map((found) => differenceText(found, row));
  const verdicts = verdictColumns ? VERDICTS.map((name) => visible((row[name] ?? []).join('; '))) : [];
  return [visible(row.wallet), row.change, ...differences, ...verdicts];
}

function differenceText(found: Difference, { change }: DiffRow): string {
  if (change === 'removed') return shown(found.old);
  if (change === 'added' || isSame(found)) return shown(found.new);
  const delta = cellText(found.delta);
  const signed = delta === '' ? '' : ` (${delta.startsWith('-') ? '' : '+'}${delta})`;
  return `${shown(found.old)} → ${shown(found.new)}${signed}`;
}

const shown = (node: Node) => (isEmpty(node) ? '-' : visible(cellText(node)));

function ownLines([wallet = '', change = '', ...values]: readonly string[], names: readonly string[]): string {
  const entries = values.map((text, i) => ({ name: names[i] ?? '', text }));
  const lines = namedLines(entries).map((line) => (GAP + line).trimEnd());
  return [wallet + GAP + change, ...lines].map((line) => `${line}\n`).join('');
}

/**
 * A diff for a person: what was, what is, and by how much, with its sign. Which way is the better one nobody but the reader
 * knows, so nothing is coloured by it. Widths are those of the first rows; where the terminal is too narrow for them each
 * wallet has lines of its own, since no value is ever cut.
 */
import { paint } from '../../cli/color.ts';
import { isEmpty, type Node } from '../../document/node.ts';
import { type Difference, type DiffRow, isSame, VERDICTS } from '../../results/comparison.ts';
import { cellText } from '../../row/row-columns.ts';
import { visible } from '../../text/escape.ts';
import { displayWidth, padEnd, truncateMiddle } from '../../text/width.ts';
import type { Terminal } from '../list/writer.ts';
import type { DiffWriter, DiffWriterOptions } from './writer.ts';

/** Rows from which the widths are taken. */
const SAMPLE_ROWS = 200;

export async function createDiffTable(options: DiffWriterOptions, { width, color }: Terminal): Promise<DiffWriter> {
  const chalk = await paint(color);
  const names = [...options.names.map(visible), ...(options.verdictColumns ? VERDICTS : [])];
  const heads = ['wallet', 'change', ...names].map((name) => name.replaceAll('_', ' ').toUpperCase());
  let held: string[][] = [];
  let draw: ((cells: readonly string[]) => string) | undefined;
  const begin = () => {
    const widths = fittedWidths([heads, ...held], width);
    draw = widths ? (cells) => `${tableLine(cells, widths)}\n` : (cells) => ownLines(cells, names);
    const head = widths && options.header && held.length > 0 ? `${chalk.bold(tableLine(heads, widths))}\n` : '';
    const text = head + held.map(draw).join('');
    held = [];
    return text;
  };
  return {
    head: () => '',
    row(row) {
      const cells = cellsOf(row, options);
      if (draw) return draw(cells);
      held.push(cells);
      return held.length === SAMPLE_ROWS ? begin() : '';
    },
    foot: () => (draw ? '' : begin()),
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

const GAP = '  ';
/** Both ends of an address: enough to tell it by. */
const MIN_WALLET_WIDTH = 13;

/** The widths of the columns; undefined where they do not fit. The wallets are shortened first. */
function fittedWidths(rows: readonly (readonly string[])[], width: number): readonly number[] | undefined {
  const [wallet = 0, ...others] = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, cells) => Math.max(most, displayWidth(cells[column] ?? '')), 0),
  );
  const room = others.reduce((left, column) => left - column - GAP.length, width);
  return room < Math.min(wallet, MIN_WALLET_WIDTH) ? undefined : [Math.min(wallet, room), ...others];
}

function tableLine([wallet = '', ...others]: readonly string[], [room = 0, ...widths]: readonly number[]): string {
  const cells = [truncateMiddle(wallet, room), ...others];
  const padded = cells.map((cell, i) => padEnd(cell, i === 0 ? room : (widths[i - 1] ?? 0)));
  return padded.join(GAP).trimEnd();
}

function ownLines([wallet = '', change = '', ...values]: readonly string[], names: readonly string[]): string {
  const width = names.reduce((most, name) => Math.max(most, displayWidth(name)), 0);
  const lines = values.map((value, i) => `${GAP}${padEnd(names[i] ?? '', width)}${GAP}${value}`.trimEnd());
  return [`${wallet}${GAP}${change}`, ...lines].map((line) => `${line}\n`).join('');
}

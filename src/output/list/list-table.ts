/**
 * A list for a person, or for `cut` and `awk`. Rows appear as they come, so the columns cannot wait for the widest cell:
 * the usual ones have widths that follow from the terminal, picked ones grow with what has been seen. On a pipe cells are separated by tabs, and nothing is cut.
 */
import type { ChalkInstance } from 'chalk';
import { paint } from '../../cli/color.ts';
import type { Node } from '../../document/node.ts';
import { memberOf } from '../../document/path.ts';
import { inputText, type Row } from '../../row/row.ts';
import {
  cellText,
  errorText,
  fieldColumns,
  markText,
  type RowColumns,
  rowColumns,
  TABLE_COLUMNS,
  walletOf,
} from '../../row/row-columns.ts';
import { visible } from '../../text/escape.ts';
import { displayWidth, padEnd, padStart, truncate, truncateMiddle, wrap } from '../../text/width.ts';
import { shortDollars } from '../card/money.ts';
import type { ListWriter, ListWriterOptions, Terminal } from './writer.ts';

export async function createTableWriter(options: ListWriterOptions): Promise<ListWriter> {
  const { fields, keepsUsual, allColumns, terminal, header } = options;
  const columns = rowColumns(options, TABLE_COLUMNS);
  if (!terminal) return createTabWriter(columns);
  const drawing = { ...terminal, chalk: await paint(terminal.color), header };
  if (allColumns || (fields && !keepsUsual)) return createFieldsWriter(columns, drawing);
  return createUsualWriter(fieldColumns(fields ?? []), drawing);
}

function createTabWriter(columns: RowColumns): ListWriter {
  return {
    head: () => '',
    row: (row) => `${columns.values(row).map(tabCell).join('\t').replace(WORKFLOW_COMMAND, '$1\\u003a:')}\n`,
    foot: () => '',
  };
}

const tabCell = (value: Node | undefined) => visible(cellText(value));

/** GitHub Actions runs a line of a job's output that begins so. */
const WORKFLOW_COMMAND = /^(\s*)::/;

interface Drawing extends Terminal {
  readonly chalk: ChalkInstance;
  readonly header: boolean;
}

const GAP = '  ';
const ADDRESS_WIDTH = 42;

interface UsualWidths {
  readonly wallet: number;
  readonly status: number;
  readonly collateral: number;
  readonly score: number;
}

/** All four columns fill a terminal of 80; a narrower one shortens the wallet first, then does without a column. */
function usualWidths(width: number): UsualWidths {
  const [status, collateral, score] = width < 33 ? [0, 0, 5] : [8, width < 51 ? 0 : width < 86 ? 17 : 22, 7];
  const others = [status, collateral, score].reduce((sum, column) => sum + (column > 0 ? column + GAP.length : 0), 0);
  return { wallet: Math.max(1, Math.min(ADDRESS_WIDTH, width - others)), status, collateral, score };
}

const MIN_WALLET = 13;
const BELOW = '    ';
/** An added column is as wide as its name, within reason. */
const ADDED_WIDTH = { least: 8, most: 16 };

function createUsualWriter(added: RowColumns, { width, chalk, header }: Drawing): ListWriter {
  const addedWidths = added.names.map((name) =>
    Math.max(ADDED_WIDTH.least, Math.min(ADDED_WIDTH.most, displayWidth(visible(name)))),
  );
  const widths = usualWidths(addedWidths.reduce((left, column) => left - column - GAP.length, width));
  const addedCells = (cells: readonly string[]) =>
    cells.map((cell, i) => padEnd(truncate(cell, addedWidths[i] ?? 0), addedWidths[i] ?? 0));
  const present = <T>(column: number, cell: T) => (column > 0 ? [cell] : []);
  const status = (text: string) => present(widths.status, padEnd(text, widths.status));
  const amounts = (collateral: string, score: string) => [
    ...present(widths.collateral, padStart(collateral, widths.collateral)),
    ...present(widths.score, padStart(score, widths.score)),
  ];
  const line = (wallet: (room: number) => string, others: readonly string[]) => {
    const rest = others.map((cell) => GAP + cell).join('');
    // An amount too wide for its column is not cut, it takes from the wallet's room.
    const room = Math.max(MIN_WALLET, Math.min(widths.wallet, width - displayWidth(rest)));
    return truncate(padEnd(wallet(room), room) + rest, width).trimEnd();
  };
  const amountsOf = ({ document, score }: Row) => {
    const collateral = document && memberOf(document, 'total_collateral_usd');
    return amounts(collateral ? shortDollars(collateral) : '', document ? visible(cellText(score)) || '-' : '');
  };
  // A row without an answer has no amounts: its error takes their room.
  const indent = ' '.repeat(
    [widths.wallet, ...present(widths.status, widths.status)].reduce((sum, column) => sum + column + GAP.length, 0),
  );
  // On the same line where there is room, else below.
  const withRemarks = (text: string, row: Row) => {
    const shown = visible(remarksOf(row));
    if (shown === '') return `${text}\n`;
    if (displayWidth(text + GAP + shown) <= width) return `${text}${GAP}${chalk.yellow(shown)}\n`;
    const below = errorLines(shown, width - BELOW.length).map((part) => `${chalk.yellow(BELOW + part)}\n`);
    return `${text}\n${below.join('')}`;
  };
  return {
    head() {
      const names = addedCells(added.names.map((name) => visible(name).toUpperCase()));
      const text = line(() => 'WALLET', [...status('STATUS'), ...amounts('COLLATERAL', 'SCORE'), ...names]);
      return header ? `${chalk.bold(text)}\n` : '';
    },
    row(row) {
      const start = (others: readonly string[]) =>
        line((room) => shortName(row, room), [...status(row.status), ...others]);
      const error = errorText(row);
      if (error === undefined) {
        const cells = addedCells(added.values(row).map((value) => visible(cellText(value)) || '-'));
        return withRemarks(start([...amountsOf(row), ...cells]), row);
      }
      const [first = '', ...more] = errorLines(visible(error), width - indent.length);
      return [start([first]), ...more.map((text) => indent + text)].map((text) => `${chalk.yellow(text)}\n`).join('');
    },
    foot: () => '',
  };
}

/** What a person should know of an answer beside its figures. */
function remarksOf(row: Row): string {
  const matched = markText(row, 'matched');
  const excused = markText(row, 'excused');
  const parts = [row.warning, matched && `matched ${matched}`, excused && `excused from ${excused}`];
  return parts.filter((part) => part !== undefined).join('; ');
}

const MOST_ERROR_LINES = 3;

function errorLines(text: string, room: number): readonly string[] {
  const lines = wrap(text, Math.max(1, room));
  if (lines.length <= MOST_ERROR_LINES) return lines;
  const last = lines[MOST_ERROR_LINES - 1] ?? '';
  return [...lines.slice(0, MOST_ERROR_LINES - 1), truncate(`${last}…`, room)];
}

/** The wallet of a row, or what stands where one should be. */
function shortName(row: Row, width: number): string {
  const wallet = walletOf(row);
  if (wallet) return truncateMiddle(visible(cellText(wallet)), width);
  return truncate(visible(inputText(row.input).slice(0, 4 * width)), width);
}

function createFieldsWriter(columns: RowColumns, { width, chalk, header }: Drawing): ListWriter {
  const names = columns.names.map(visible);
  const widths = createWidths(names, width);
  let isBegun = false;
  const line = (cells: readonly string[]) => {
    const room = widths.now();
    return truncate(
      cells.map((cell, i) => padEnd(truncate(cell, room[i] ?? 0), room[i] ?? 0)).join(GAP),
      width,
    ).trimEnd();
  };
  // Once the first row has shown what its columns need.
  const begin = () => {
    if (isBegun || !header) return '';
    isBegun = true;
    return `${chalk.bold(line(names))}\n`;
  };
  return {
    head: () => '',
    row(row) {
      const cells = columns.values(row).map((value) => visible(cellText(value)) || '-');
      widths.see(cells);
      return `${begin()}${line(cells)}\n`;
    },
    foot: begin,
  };
}

/**
 * Widths by what has been seen so far. A row is out before the next one is there, so a column only grows, from the row on
 * that needs it; where all do not fit, the widest give way.
 */
function createWidths(names: readonly string[], width: number) {
  const room = width - (names.length - 1) * GAP.length;
  let wanted: readonly number[] = names.map((name) => Math.min(displayWidth(name), width));
  let fitted = fitInto(wanted, room);
  return {
    now: () => fitted,
    see(cells: readonly string[]) {
      const wider = wanted.map((each, i) => Math.max(each, Math.min(displayWidth(cells[i] ?? ''), width)));
      if (wider.every((each, i) => each === wanted[i])) return;
      wanted = wider;
      fitted = fitInto(wanted, room);
    },
  };
}

function fitInto(wanted: readonly number[], room: number): readonly number[] {
  const widths = [...wanted];
  for (let over = widths.reduce((sum, each) => sum + each, 0) - room; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/**
 * A list for a person, or for `cut` and `awk`. Rows appear as they come, so the columns cannot wait for the widest cell:
 * their widths follow from the terminal. On a pipe cells are separated by tabs, and nothing is cut.
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
  const widths = evenWidths(columns.names, width);
  const line = (cells: readonly string[]) =>
    truncate(cells.map((cell, i) => padEnd(truncate(cell, widths[i] ?? 0), widths[i] ?? 0)).join(GAP), width).trimEnd();
  return {
    head: () => (header ? `${chalk.bold(line(columns.names.map(visible)))}\n` : ''),
    row: (row) => `${line(columns.values(row).map((value) => visible(cellText(value)) || '-'))}\n`,
    foot: () => '',
  };
}

/** The same room for every column, but for a column of addresses, whose width is known. */
function evenWidths(names: readonly string[], width: number): readonly number[] {
  const isAddress = (name: string) => name === 'wallet_address' && width >= 2 * ADDRESS_WIDTH;
  const addresses = names.filter(isAddress).length;
  const room = width - addresses * ADDRESS_WIDTH - (names.length - 1) * GAP.length;
  const each = Math.max(5, Math.floor(room / Math.max(1, names.length - addresses)));
  return names.map((name) => (isAddress(name) ? ADDRESS_WIDTH : each));
}

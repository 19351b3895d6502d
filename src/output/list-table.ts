/**
 * A list for a person, or for `cut` and `awk`. Rows appear as they come, so the columns cannot wait for the widest cell:
 * their widths follow from the terminal. On a pipe cells are separated by tabs, and nothing is cut.
 */
import type { ChalkInstance } from 'chalk';
import type { Node } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { inputText, type Row } from '../document/row.ts';
import { paint } from './color.ts';
import { visible } from './escape.ts';
import type { ListWriter, ListWriterOptions, Terminal } from './list-writer.ts';
import { shortDollars } from './money.ts';
import { cellText, errorText, type RowColumns, rowColumns } from './row-columns.ts';
import { displayWidth, padEnd, padStart, truncate, truncateMiddle, wrap } from './text.ts';

export async function createTableWriter(options: ListWriterOptions): Promise<ListWriter> {
  const columns = rowColumns(options);
  if (!options.terminal) return createTabWriter(columns);
  const chalk = await paint(options.terminal.color);
  const drawing = { ...options.terminal, chalk, header: options.header };
  return options.fields || options.allColumns ? createFieldsWriter(columns, drawing) : createUsualWriter(drawing);
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

function createUsualWriter({ width, chalk, header }: Drawing): ListWriter {
  const widths = usualWidths(width);
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
  return {
    head() {
      const text = line(() => 'WALLET', [...status('STATUS'), ...amounts('COLLATERAL', 'SCORE')]);
      return header ? `${chalk.bold(text)}\n` : '';
    },
    row(row) {
      const start = (others: readonly string[]) =>
        line((room) => shortName(row, room), [...status(row.status), ...others]);
      const error = errorText(row);
      if (error === undefined) return `${start(amountsOf(row))}\n`;
      const [first = '', ...more] = errorLines(visible(error), width - indent.length);
      return [start([first]), ...more.map((text) => indent + text)].map((text) => `${chalk.yellow(text)}\n`).join('');
    },
    foot: () => '',
  };
}

const MOST_ERROR_LINES = 3;

function errorLines(text: string, room: number): readonly string[] {
  const lines = wrap(text, Math.max(1, room));
  if (lines.length <= MOST_ERROR_LINES) return lines;
  const last = lines[MOST_ERROR_LINES - 1] ?? '';
  return [...lines.slice(0, MOST_ERROR_LINES - 1), truncate(`${last}…`, room)];
}

/** The wallet of a row, or what stands where one should be. */
function shortName({ wallet, input }: Row, width: number): string {
  if (wallet !== undefined) return truncateMiddle(wallet, width);
  return truncate(visible(inputText(input).slice(0, 4 * width)), width);
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

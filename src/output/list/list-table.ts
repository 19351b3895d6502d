/**
 * A list for a person, or for `cut` and `awk`. Rows appear as they come, so the columns cannot wait for the widest cell:
 * rows that are ready together are laid out together, and what a later one needs more, it gets from there on. On a pipe
 * cells are separated by tabs, and nothing is cut.
 */
import { paint } from '../../cli/color.ts';
import type { Node } from '../../document/node.ts';
import { memberOf } from '../../document/path.ts';
import { inputText, type Row } from '../../row/row.ts';
import {
  cellText,
  errorText,
  fieldColumns,
  type RowColumns,
  rowColumns,
  TABLE_COLUMNS,
  verdictText,
  walletOf,
} from '../../row/row-columns.ts';
import { visible } from '../../text/escape.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { displayWidth, padEnd, padStart, truncate, truncateMiddle, wrap } from '../../text/width.ts';
import type { Drawing } from '../card/card-lines.ts';
import { shortDollars } from '../card/money.ts';
import { createDefaultWidths, createWidths, GAP, MIN_WALLET } from './table-widths.ts';
import type { ListWriter, ListWriterOptions } from './writer.ts';

export async function createTableWriter(options: ListWriterOptions): Promise<ListWriter> {
  const { fields, keepsDefaults, allColumns, terminal, header } = options;
  const columns = rowColumns(options, TABLE_COLUMNS);
  if (!terminal) return createTabWriter(columns);
  const drawing = { width: terminal.width, chalk: await paint(terminal.color) };
  if (allColumns || (fields && !keepsDefaults)) return laidOut(pickedLayout(columns, drawing), header);
  return laidOut(defaultLayout(fieldColumns(fields ?? []), drawing), header);
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

/** How rows become lines: all that are drawn together are measured before. */
interface Layout<Cells> {
  /** What is shown of `row`, which is not kept for it, and makes room for it. */
  measure(row: Row): Cells;
  heading(): string;
  draw(cells: Cells): string;
}

/** Rows that never pause are shown this many at a time. */
const MAX_ROWS_HELD = 50;

function laidOut<Cells>(layout: Layout<Cells>, header: boolean): ListWriter {
  let held: Cells[] = [];
  let isBegun = !header;
  const flush = () => {
    const heading = isBegun ? '' : layout.heading();
    const text = heading + held.map(layout.draw).join('');
    isBegun = true;
    held = [];
    return text;
  };
  return {
    head: () => '',
    row(row) {
      held.push(layout.measure(row));
      return held.length === MAX_ROWS_HELD ? flush() : '';
    },
    flush: () => (held.length > 0 ? flush() : ''),
    foot: flush,
  };
}

/** What a row of the usual columns shows. */
interface DefaultCells {
  readonly name: Name;
  readonly status: string;
  readonly amounts: readonly [collateral: string, score: string];
  readonly added: readonly string[];
  /** Why there is no answer. */
  readonly error: string | undefined;
  readonly remarks: string;
}

const BELOW = '    ';

function defaultLayout(added: RowColumns, { width, chalk }: Drawing): Layout<DefaultCells> {
  const names = added.names.map(visible);
  const columns = createDefaultWidths(names, width);
  const line = (wallet: (room: number) => string, cells: readonly string[]) => {
    const rest = cells.map((cell) => GAP + cell).join('');
    // An amount too wide for its column is not cut, it takes from the wallet's room.
    const room = Math.max(MIN_WALLET, Math.min(columns.now().wallet, width - displayWidth(rest)));
    return truncate(padEnd(wallet(room), room) + rest, width).trimEnd();
  };
  const figures = ([collateral, score]: DefaultCells['amounts'], others: readonly string[]) => {
    const widths = columns.now();
    return [
      ...present(widths.collateral, padStart(collateral, widths.collateral)),
      ...present(widths.score, padStart(score, widths.score)),
      ...others.map((cell, i) => padEnd(truncate(cell, widths.added[i] ?? 0), widths.added[i] ?? 0)),
    ];
  };
  const status = (text: string) => present(columns.now().status, padEnd(text, columns.now().status));
  // On the same line where there is room, else below.
  const withRemarks = (text: string, shown: string) => {
    if (shown === '') return `${text}\n`;
    if (displayWidth(text + GAP + shown) <= width) return `${text}${GAP}${chalk.yellow(shown)}\n`;
    const below = errorLines(shown, width - BELOW.length).map((part) => `${chalk.yellow(BELOW + part)}\n`);
    return `${text}\n${below.join('')}`;
  };
  // A row without an answer has no amounts: its error takes their room.
  const withError = (start: (cells: readonly string[]) => string, error: string) => {
    const { wallet, status: statusWidth } = columns.now();
    const taken = [wallet, ...present(statusWidth, statusWidth)];
    const indent = ' '.repeat(taken.reduce((sum, column) => sum + column + GAP.length, 0));
    const [first = '', ...more] = errorLines(error, width - indent.length);
    return [start([first]), ...more.map((text) => indent + text)].map((text) => `${chalk.yellow(text)}\n`).join('');
  };
  return {
    measure(row) {
      const cells = defaultCells(row, { added, width });
      columns.see({ ...cells, wallet: cells.name.isWallet ? displayWidth(cells.name.text) : undefined });
      return cells;
    },
    heading() {
      const upper = names.map((name) => name.toUpperCase());
      return `${chalk.bold(line(() => 'WALLET', [...status('STATUS'), ...figures(['COLLATERAL', 'SCORE'], upper)]))}\n`;
    },
    draw({ name, amounts, error, ...cells }) {
      const start = (others: readonly string[]) =>
        line((room) => shortName(name, room), [...status(cells.status), ...others]);
      if (error !== undefined) return withError(start, error);
      return withRemarks(start(figures(amounts, cells.added)), cells.remarks);
    },
  };
}

const present = <T>(column: number, cell: T) => (column > 0 ? [cell] : []);

/** No more of `value` than fits a line of `width` columns. */
const cellOf = (value: Node | undefined, width: number) => ownCopy(truncate(visible(cellText(value)) || '-', width));

interface CutText {
  readonly added: RowColumns;
  readonly width: number;
}

function defaultCells(row: Row, { added, width }: CutText): DefaultCells {
  const error = errorText(row);
  return {
    name: nameOf(row, width),
    status: row.status,
    amounts: amountsOf(row),
    added: added.values(row).map((value) => cellOf(value, width)),
    error: error === undefined ? undefined : ownCopy(visible(error)),
    remarks: ownCopy(visible(remarksOf(row))),
  };
}

function amountsOf({ document, score }: Row): DefaultCells['amounts'] {
  const collateral = document && memberOf(document, 'total_collateral_usd');
  const shown = document ? visible(cellText(score)) || '-' : '';
  return [ownCopy(collateral ? shortDollars(collateral) : ''), ownCopy(shown)];
}

/** What a person should know of an answer beside its figures. */
function remarksOf(row: Row): string {
  const matched = verdictText(row, 'matched');
  const unjudged = verdictText(row, 'unjudged');
  const excused = verdictText(row, 'excused');
  const parts = [
    row.warning,
    matched && `matched ${matched}`,
    unjudged && `not judged: ${unjudged}`,
    excused && `excused from ${excused}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

const MAX_ERROR_LINES = 3;

function errorLines(text: string, room: number): readonly string[] {
  const lines = wrap(text, Math.max(1, room));
  if (lines.length <= MAX_ERROR_LINES) return lines;
  const last = lines[MAX_ERROR_LINES - 1] ?? '';
  return [...lines.slice(0, MAX_ERROR_LINES - 1), truncate(`${last}…`, room)];
}

/** The wallet of a row, or what stands where one should be. */
interface Name {
  readonly text: string;
  readonly isWallet: boolean;
}

function nameOf(row: Row, width: number): Name {
  const wallet = walletOf(row);
  const text = wallet ? visible(cellText(wallet)) : visible(inputText(row.input).slice(0, 4 * width));
  return { text: ownCopy(text), isWallet: wallet !== undefined };
}

const shortName = ({ text, isWallet }: Name, width: number) =>
  isWallet ? truncateMiddle(text, width) : truncate(text, width);

function pickedLayout(columns: RowColumns, { width, chalk }: Drawing): Layout<readonly string[]> {
  const names = columns.names.map(visible);
  const widths = createWidths(names, width);
  const line = (cells: readonly string[]) => {
    const room = widths.now();
    const padded = cells.map((cell, i) => padEnd(truncate(cell, room[i] ?? 0), room[i] ?? 0));
    return truncate(padded.join(GAP), width).trimEnd();
  };
  return {
    measure(row) {
      const cells = columns.values(row).map((value) => cellOf(value, width));
      widths.see(cells);
      return cells;
    },
    heading: () => `${chalk.bold(line(names))}\n`,
    draw: (cells) => `${line(cells)}\n`,
  };
}

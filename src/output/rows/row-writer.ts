/**
 * Rows as data, be they of a list, a diff or records: a format is a row in cli/formats.ts, and here the function that creates its
 * writer. Rows come one at a time and none is kept, so that a million of them need the memory of one.
 */
import type { ListFormat } from '../../cli/formats.ts';
import type { Node } from '../../document/node.ts';
import { cellText } from '../../document/write.ts';
import type { ListHead } from '../../lists/list.ts';
import { visible } from '../../text/escape.ts';
import { neutralise } from '../../text/formula.ts';
import type { Terminal } from '../terminal/lines.ts';

/** `head`, a `row` for each row in order, `foot`: together, whenever the rows end, they are a whole document. */
export interface RowWriter<R> {
  head(): string;
  row(row: R): string;
  /** Rows that were held back to be laid out together: nothing more is ready for now. */
  flush?(): string;
  foot(): string;
}

/** What the formats write of a row: one asks for its JSON, another for its cells. */
export interface RowText<R> {
  /** Compact. */
  readonly json: (row: R) => string;
  readonly cells: () => RowCells<R>;
}

export interface RowCells<R> {
  /** The header: all columns, those of the input first. */
  readonly names: readonly string[];
  /** The file whose own cells stand first, as they were. */
  readonly input?: Pick<ListHead, 'delimiter' | 'bom'> & { readonly cells: (row: R) => readonly string[] };
  readonly values: (row: R) => readonly (Node | undefined)[];
}

export interface TextOptions {
  /** Whether csv, and a table on a terminal, begin with a line of names. */
  readonly header: boolean;
  /** Set when a person is going to read it. */
  readonly terminal?: Terminal | undefined;
}

/** A table is drawn by each kind of rows in its own way. */
export type DataFormat = Exclude<ListFormat, 'table'>;

const WRITERS: Readonly<Record<DataFormat, <R>(rows: RowText<R>, options: TextOptions) => RowWriter<R>>> = {
  json: createJsonWriter,
  jsonl: ({ json }) => ({ head: () => '', row: (row) => `${json(row)}\n`, foot: () => '' }),
  csv: createCsvWriter,
};

export function createRowWriter<R>(format: DataFormat, rows: RowText<R>, options: TextOptions): RowWriter<R> {
  return WRITERS[format](rows, options);
}

/** One JSON array with a row a line: it can be read as a whole, and searched line by line. */
function createJsonWriter<R>({ json }: RowText<R>): RowWriter<R> {
  let separator = '\n';
  return {
    head: () => '[',
    row(row) {
      const text = `${separator}  ${json(row)}`;
      separator = ',\n';
      return text;
    },
    foot: () => (separator === '\n' ? ']\n' : '\n]\n'),
  };
}

/** CSV as RFC 4180 has it, with LF. Which text a spreadsheet would run is decided in text/formula.ts. */
function createCsvWriter<R>(rows: RowText<R>, { header, terminal }: TextOptions): RowWriter<R> {
  const { names, input, values } = rows.cells();
  // Data keeps its control characters; on a terminal they would be obeyed.
  const shown = terminal ? visible : (text: string) => text;
  const line = (cells: readonly string[]) => csvLine(cells.map(shown), input?.delimiter);
  // Only text can be a formula; a number such as -5 stays one.
  const text = (node: Node | undefined) => (node?.kind === 'number' ? node.spelling : neutralise(cellText(node)));
  return {
    head: () => (input?.bom ? '\ufeff' : '') + (header ? line(names) : ''),
    row: (row) => line([...(input?.cells(row) ?? []), ...values(row).map(text)]),
    foot: () => '',
  };
}

/** What is quoted whatever the delimiter is. */
const SPECIAL = /["\r\n]/;

/**
 * One record with its line end; a lone empty cell is quoted, as a blank line would be no record to most readers. A library that is
 * made for streams of records takes longer to be asked for one than it takes to write it.
 */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  if (cells.length === 1 && cells[0] === '') return '""\n';
  let line = '';
  for (const [i, cell] of cells.entries()) {
    const isQuoted = SPECIAL.test(cell) || cell.includes(delimiter);
    line += (i === 0 ? '' : delimiter) + (isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell);
  }
  return `${line}\n`;
}

/** `added`, names for what riskcli adds beside `own`, each with `riskcli.` in front where a name before it is the same. */
export function freeNames(own: readonly string[], added: readonly string[]): readonly string[] {
  const taken = new Set(own);
  return added.map((name) => {
    let free = name;
    while (taken.has(free)) free = `riskcli.${free}`;
    taken.add(free);
    return free;
  });
}

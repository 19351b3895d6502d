/**
 * Writers of rows of lists, diffs and records in the data formats, which are declared in cli/formats.ts. Rows come one at a time and
 * are not kept, so memory does not grow with their number.
 */
import type { DataFormat } from '../../cli/formats.ts';
import type { Node } from '../../document/node.ts';
import { cellText } from '../../document/write.ts';
import type { ListHead } from '../../lists/list.ts';
import { visible } from '../../text/escape.ts';
import { neutralise } from '../../text/formula.ts';
import type { Terminal } from '../terminal/lines.ts';

/** `head()`, `row()` for each row and `foot()` together make a complete document. */
export interface RowWriter<R> {
  head(): string;
  row(row: R): string;
  /** The rows that were held back to be laid out together. */
  flush?(): string;
  foot(): string;
}

/** The contents of a row, as JSON or as cells, depending on the format. */
export interface RowText<R> {
  /** Compact. */
  readonly json: (row: R) => string;
  readonly cells: () => RowCells<R>;
}

export interface RowCells<R> {
  /** The header: all columns, the input's first. */
  readonly names: readonly string[];
  /** The input file, whose cells come first, unchanged. */
  readonly input?: Pick<ListHead, 'delimiter' | 'bom'> & { readonly cells: (row: R) => readonly string[] };
  readonly values: (row: R) => readonly (Node | undefined)[];
}

export interface TextOptions {
  /** Set if the output is a terminal. */
  readonly terminal?: Terminal | undefined;
}

const WRITERS: Readonly<Record<DataFormat, <R>(rows: RowText<R>, options: TextOptions) => RowWriter<R>>> = {
  json: createJsonWriter,
  jsonl: ({ json }) => ({ head: () => '', row: (row) => `${json(row)}\n`, foot: () => '' }),
  csv: createCsvWriter,
};

export function createRowWriter<R>(format: DataFormat, rows: RowText<R>, options: TextOptions): RowWriter<R> {
  return WRITERS[format](rows, options);
}

/** A JSON array with one row per line, so that it can be searched line by line. */
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

/** CSV (RFC 4180, but with LF). Formulas are neutralised by text/formula.ts. */
function createCsvWriter<R>(rows: RowText<R>, { terminal }: TextOptions): RowWriter<R> {
  const { names, input, values } = rows.cells();
  // Data keeps its control characters; a terminal would interpret them.
  const shown = terminal ? visible : (text: string) => text;
  const line = (cells: readonly string[]) => csvLine(cells.map(shown), input?.delimiter);
  // Only text can be a formula; a number such as -5 stays one.
  const text = (node: Node | undefined) => (node?.kind === 'number' ? node.spelling : neutralise(cellText(node)));
  return {
    head: () => (input?.bom ? '\ufeff' : '') + (names.length > 0 ? line(names) : ''),
    row: (row) => line([...(input?.cells(row) ?? []), ...values(row).map(text)]),
    foot: () => '',
  };
}

/** Characters that are quoted with any delimiter. */
const SPECIAL = /["\r\n]/;

/**
 * One record with its line end. A single empty cell is quoted, because most readers skip blank lines. Hand-written because csv
 * libraries are made for streams and are slow for single records.
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

/** The names in `added`, prefixed with `riskcli.` if they collide with `own` or with each other. */
export function freeNames(own: readonly string[], added: readonly string[]): readonly string[] {
  const taken = new Set(own);
  return added.map((name) => {
    let free = name;
    while (taken.has(free)) free = `riskcli.${free}`;
    taken.add(free);
    return free;
  });
}

/**
 * A list of rows as text. A format is a file that exports one function and a line in the table here; rows come one at a
 * time and none is kept, so that a million of them need the memory of one.
 */

import type { ColorLevel } from '../../cli/color.ts';
import type { ListHead } from '../../lists/list.ts';
import type { Row } from '../../row/row.ts';
import type { Selection } from '../../row/row-columns.ts';

/** `head`, a `row` for each row in order, `foot`: together, whenever the rows end, they are a whole document. */
export interface ListWriter {
  head(): string;
  row(row: Row): string;
  foot(): string;
}

export interface Terminal {
  /** In columns. */
  readonly width: number;
  readonly color: ColorLevel;
}

export interface ListWriterOptions extends Selection {
  /** The input list; undefined for wallets given as arguments. Only csv carries its columns along. */
  readonly head?: ListHead | undefined;
  /** Whether csv, and a table on a terminal, begin with a line of names. */
  readonly header: boolean;
  /** Set when a person is going to read it. */
  readonly terminal?: Terminal | undefined;
}

export type CreateListWriter = (options: ListWriterOptions) => ListWriter | Promise<ListWriter>;

const WRITERS = {
  table: async () => (await import('./list-table.ts')).createTableWriter,
  json: async () => (await import('./list-json.ts')).createJsonWriter,
  jsonl: async () => (await import('./list-jsonl.ts')).createJsonlWriter,
  csv: async () => (await import('./list-csv.ts')).createCsvWriter,
} satisfies Record<string, () => Promise<CreateListWriter>>;

export type ListFormat = keyof typeof WRITERS;
/** In the order in which help lists them. */
export const LIST_FORMATS = Object.keys(WRITERS) as readonly ListFormat[];

/** The writer for `format`. */
export async function createListWriter(format: ListFormat, options: ListWriterOptions): Promise<ListWriter> {
  const create: CreateListWriter = await WRITERS[format]();
  return create(options);
}

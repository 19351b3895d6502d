/**
 * A list of rows as text. A format is a file that exports one function and a line in the table here; rows come one at a
 * time and none is kept, so that a million of them need the memory of one.
 */
import type { ListFormat } from '../../cli/formats.ts';
import type { CreateListWriter, ListWriter, ListWriterOptions } from './writer.ts';

const WRITERS = {
  table: async () => (await import('./list-table.ts')).createTableWriter,
  json: async () => (await import('./list-json.ts')).createJsonWriter,
  jsonl: async () => (await import('./list-jsonl.ts')).createJsonlWriter,
  csv: async () => (await import('./list-csv.ts')).createCsvWriter,
} satisfies Record<ListFormat, () => Promise<CreateListWriter>>;

/** The writer for `format`. */
export async function createListWriter(format: ListFormat, options: ListWriterOptions): Promise<ListWriter> {
  const create: CreateListWriter = await WRITERS[format]();
  return create(options);
}

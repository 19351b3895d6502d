/** The rows of a list as text, in every format. */
import type { ListFormat } from '../../cli/formats.ts';
import type { Row } from '../../row/row.ts';
import { createRowWriter } from './row-formats.ts';
import { writeSelected } from './row-json.ts';
import type { ListWriter, ListWriterOptions } from './writer.ts';

/** The writer for `format`. */
export async function createListWriter(format: ListFormat, options: ListWriterOptions): Promise<ListWriter> {
  if (format === 'table') return (await import('./list-table.ts')).createTableWriter(options);
  const json = (row: Row) => writeSelected(row, options);
  const cells = async () => (await import('./list-cells.ts')).listCells(options);
  return createRowWriter(format, { json, cells }, options);
}

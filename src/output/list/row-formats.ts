/**
 * The rows of a list, a diff or records as data: a format is a row in cli/formats.ts, and here the function that creates its
 * writer. Rows come one at a time and none is kept, so that a million of them need the memory of one.
 */
import type { ListFormat } from '../../cli/formats.ts';
import type { RowText, RowWriter, TextOptions } from './writer.ts';

/** A table is drawn by each kind of rows in its own way. */
export type DataFormat = Exclude<ListFormat, 'table'>;

type CreateRowWriter = <R>(rows: RowText<R>, options: TextOptions) => RowWriter<R> | Promise<RowWriter<R>>;

const WRITERS: Readonly<Record<DataFormat, CreateRowWriter>> = {
  json: createJsonWriter,
  jsonl: ({ json }) => ({ head: () => '', row: (row) => `${json(row)}\n`, foot: () => '' }),
  csv: async ({ cells }, options) => (await import('./csv.ts')).createCsvWriter(await cells(), options),
};

export function createRowWriter<R>(format: DataFormat, rows: RowText<R>, options: TextOptions) {
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

/** One JSON array with a row a line: it can be read as a whole, and searched line by line. */
import type { Selection } from '../../row/row-columns.ts';
import { writeSelected } from './list-jsonl.ts';
import type { ListWriter } from './writer.ts';

export function createJsonWriter(selection: Selection): ListWriter {
  let separator = '\n';
  return {
    head: () => '[',
    row(row) {
      const text = `${separator}  ${writeSelected(row, selection)}`;
      separator = ',\n';
      return text;
    },
    foot: () => (separator === '\n' ? ']\n' : '\n]\n'),
  };
}

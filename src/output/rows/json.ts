/**
 * Rows as JSON: an array with one row a line, so that it can be searched line by line, or JSON
 * Lines.
 */
import type { RowFormat } from './row-format.ts';

export const jsonRows: RowFormat = ({ json }) => {
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
};

export const jsonLines: RowFormat = ({ json }) => ({ head: () => '', row: (row) => `${json(row)}\n`, foot: () => '' });

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../src/batch/read-csv.ts';

const toLines = (text: string) => text.split('\n').map((line, i) => ({ line: i + 1, text: line }));
const cellsOf = (text: string, delimiter = ',') => parseCsv(toLines(text), delimiter).map(({ cells }) => cells);

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', ' ', 'é', '🐳') });

describe('CSV records', () => {
  it('are those that csv-parse reads', () => {
    const row = fc.record({ cells: fc.array(cell, { minLength: 1, maxLength: 4 }), isBare: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(row),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        (rows, delimiter, end) => {
          const spelled = rows.map(({ cells, isBare }) =>
            cells.map((text) => (isBare && !/[",;\s]/.test(text) ? text : quote(text))).join(delimiter),
          );
          const text = spelled.join(end);
          const expected: string[][] = parse(text, {
            delimiter,
            record_delimiter: ['\r\n', '\n'],
            relax_column_count: true,
          });
          expect(cellsOf(text, delimiter)).toEqual(
            expected.filter((cells) => cells.some((part) => part.trim() !== '')),
          );
        },
      ),
    );
  });

  it('begin on the line where their first cell does', () => {
    const text = 'a,b\n\n"1\n2",x\n# note "\n,\n3,"4\n5\n6"\n7,8';
    expect(parseCsv(toLines(text), ',').map(({ line }) => line)).toEqual([1, 3, 7, 10]);
  });

  it.each([
    ['5" pipe,x', ['5" pipe', 'x']],
    ['a "b" c,x', ['a "b" c', 'x']],
    ['"a" b,x', ['a b', 'x']],
    ['"",x', ['', 'x']],
    ['"a,""b""",x\r', ['a,"b"', 'x']],
    ['"x"\r', ['x']],
  ])('are read leniently where quotes are loose: %s', (text, cells) => {
    expect(cellsOf(text)).toEqual([cells]);
  });
});

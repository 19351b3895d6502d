import { stringify } from 'csv-stringify/sync';
import { expect, it } from 'vitest';
import { type CsvRecord, parseCsv, readCsv } from '../../../../src/lists/csv/csv.ts';
import type { Line } from '../../../../src/lists/lines.ts';
import { ListSyntaxError } from '../../../../src/lists/syntax-error.ts';
import { fc } from '../../../fixtures/properties.ts';

const toLines = (text: string) => text.split('\n').map((line, i) => ({ line: i + 1, text: line }));

async function* batches(lines: readonly Line[], size: number) {
  for (let at = 0; at < lines.length; at += size) yield lines.slice(at, at + size);
}

/** The records of `lines` and what ended them, if anything did. */
async function read(lines: AsyncIterable<readonly Line[]>, delimiter = ',', hasComments?: boolean) {
  const records: CsvRecord[] = [];
  try {
    for await (const batch of readCsv(lines, { delimiter, hasComments })) records.push(...batch);
  } catch (failure) {
    return { records, failure };
  }
  return { records };
}

const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', ' ', 'é', '🐳') });

it('reads back records that csv-stringify writes, with their line numbers', async () => {
  const row = fc.array(cell, { minLength: 1, maxLength: 4 });
  const given = fc.record({
    rows: fc.array(row),
    delimiter: fc.constantFrom(',', ';', '\t'),
    end: fc.constantFrom('\n', '\r\n'),
    size: fc.integer({ min: 1, max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ rows, delimiter, end, size }) => {
      const texts = rows.map((cells) =>
        stringify([cells], { delimiter, record_delimiter: end, quoted_match: /[\r\n]/ }),
      );
      let line = 1;
      const expected = rows.map((cells, i) => {
        const record = { line, cells };
        line += (texts[i] ?? '').split('\n').length - 1;
        return record;
      });
      const { records, failure } = await read(batches(toLines(texts.join('')), size), delimiter);
      expect(failure).toBeUndefined();
      expect(records).toEqual(expected.filter(({ cells }) => cells.some((text) => text.trim() !== '')));
    }),
  );
});

it.each([1, 2, 100])('numbers a record by the line of its first cell, in batches of %i lines', async (size) => {
  const text = 'a,b\n\n"1\n2",x\n# note "\n,\n   \n  # a, "note"\n3,"4\r\n# 5\n\n6"\r\n7,8';
  const { records } = await read(batches(toLines(text), size));
  expect(records).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['1\n2', 'x'] },
    { line: 9, cells: ['3', '4\r\n# 5\n\n6'] },
    { line: 13, cells: ['7', '8'] },
  ]);
});

it('reads the same records with or without a quote before them', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', ',', ';', ' ', '#', '\r', '\t', '\ufeff', 'é') });
  const given = fc.record({ lines: fc.array(line), size: fc.integer({ min: 1, max: 5 }) });
  await fc.assert(
    fc.asyncProperty(given, async ({ lines, size }) => {
      const behind = async (head: string) => (await read(batches(toLines([head, ...lines].join('\n')), size))).records;
      expect(await behind('x,y')).toEqual(await behind('"x",y'));
    }),
  );
});

it.each([
  ['a list whose first column is called #', '#,b\n#1,x\n"#2",y', undefined, '# #1 #2'],
  ['a file that riskcli wrote', 'a,b\n#1,x\n"#2",y', false, 'a #1 #2'],
  ['no other list', 'a,b\n#1,x\n"#2",y', undefined, 'a #2'],
])('reads a record that starts with # in %s', async (_, text, hasComments, first) => {
  const { records } = await read(batches(toLines(text), 2), ',', hasComments);
  expect(records.map(({ cells }) => cells[0]).join(' ')).toBe(first);
  const rows = parseCsv(toLines(text), { delimiter: ',', ...(hasComments === false && { hasComments }) });
  expect(rows.map((cells) => cells[0]).join(' ')).toBe(first);
});

it.each([
  ['5" pipe,x', ['5" pipe', 'x']],
  ['a "b" c,x', ['a "b" c', 'x']],
  ['"a" b,x', ['"a" b', 'x']],
  ['"",x', ['', 'x']],
  ['"a,""b""",x\r', ['a,"b"', 'x']],
  ['"x"\r', ['x']],
])('reads loose quotes leniently: %s', async (text, cells) => {
  expect((await read(batches(toLines(text), 1))).records).toEqual([{ line: 1, cells }]);
  expect(parseCsv(toLines(text), { delimiter: ',' })).toEqual([cells]);
});

it('leaves a record out of a sample in which it does not end', () => {
  expect(parseCsv(toLines('a,b\n1,"2\n3'), { delimiter: ',' })).toEqual([['a', 'b']]);
});

it('names the first line of the record with the open quote', async () => {
  const { records, failure } = await read(batches(toLines('# x\na,b\n\n1,2\n3,"4\n\n5'), 3));
  expect(records.map(({ line }) => line)).toEqual([2, 4]);
  expect(failure).toBeInstanceOf(ListSyntaxError);
  expect(failure).toMatchObject({ line: 5, message: 'a quote is opened and never closed' });
});

it('stops reading at the maximum length of a record', async () => {
  let lines = 0;
  async function* endless() {
    yield toLines('a,b\n1,2\n3,"4');
    for (; lines < 100_000; lines += 1000)
      yield Array.from({ length: 1000 }, () => ({ line: 0, text: 'é'.repeat(500) }));
  }
  const { records, failure } = await read(endless());
  expect(records.map(({ line }) => line)).toEqual([1, 2]);
  expect(failure).toMatchObject({ line: 3, message: expect.stringMatching(/^it is longer than 16777216 characters/) });
  expect(lines).toBeLessThan(20_000);
});

it.each([
  ['1,2', [1, 2, 3], undefined],
  ['1,"2', [1, 2], 3],
])(
  'returns the records before an error, and the line of an open one if there is one: %s',
  async (last, lines, line) => {
    async function* broken() {
      yield toLines(`a,b\n1,2\n${last}`);
      throw new ListSyntaxError('broken', { hint: '' });
    }
    const { records, failure } = await read(broken());
    expect(records.map((record) => record.line)).toEqual(lines);
    expect(failure).toMatchObject({ message: 'broken', line });
  },
);

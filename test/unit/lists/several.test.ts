import { expect, it } from 'vitest';
import { openList } from '../../../src/lists/read-list.ts';
import { joinLists } from '../../../src/lists/several.ts';
import { A, B, C, chunked } from './reading.ts';

const open = (text: string) => openList(chunked(Buffer.from(text), 1 << 16), { name: 'x', checksum: true });

async function joined(...texts: readonly string[]) {
  const lists = await Promise.all(texts.map(open));
  const { head, records } = joinLists(lists.map((list, i) => ({ name: `file ${i}`, list })));
  const rows: unknown[] = [];
  for await (const batch of records) for (const { file, line, cells } of batch) rows.push([file, line, cells]);
  return { head, rows };
}

it('several lists have the columns of all, with each cell under its column', async () => {
  const { head, rows } = await joined(`n;n;wallet\n1;2;${A}\n`, `${B}\n`, `wallet,id,n,n,n\n${C},7,3,4,5\n`);
  const [first, second, third] = [
    ['1', '2', A, '', ''],
    ['', '', '', '', ''],
    ['3', '4', C, '7', '5'],
  ];
  expect(head).toEqual({
    kind: 'csv',
    delimiter: ';',
    bom: false,
    columns: ['n', 'n', 'wallet', 'id', 'n'],
    walletColumns: [2, 2],
    sample: [first, third],
  });
  expect(rows).toEqual([
    ['file 0', 2, first],
    ['file 1', 1, second],
    ['file 2', 2, third],
  ]);
});

it('several lists have the delimiter of the first that has columns', async () => {
  const { head } = await joined(`${A}\n`, `n;wallet\n1;${B}\n`);
  expect(head).toMatchObject({ kind: 'csv', delimiter: ';', columns: ['n', 'wallet'] });
});

it('several lists of lines have no columns', async () => {
  const { head, rows } = await joined(`${A}\n`, `\ufeff${B}\n`);
  expect(head).toEqual({ kind: 'lines', delimiter: ',', bom: false });
  expect(rows).toEqual([
    ['file 0', 1, undefined],
    ['file 1', 1, undefined],
  ]);
});

it('a single list is unchanged', async () => {
  const list = await open(`${A}\n`);
  expect(joinLists([{ name: 'x', list }])).toBe(list);
});

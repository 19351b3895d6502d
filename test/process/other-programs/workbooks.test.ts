/** Workbooks that Python's openpyxl reads and writes, cell by cell. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Cell, createWorkbook } from '../../../src/output/workbook/workbook-writer.ts';
import { inputNode } from '../../../src/row/row.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { hasOpenpyxl, PYTHON } from '../../fixtures/process/installed.ts';
import { anyText, fc } from '../../fixtures/properties.ts';
import { read } from '../../unit/lists/reading.ts';

function python(script: string, args: readonly string[], input = ''): string {
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', script, ...args], { input, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

const READ = `import datetime, json, sys, openpyxl
from openpyxl.utils.escape import unescape
def plain(cell):
    if cell.data_type == 's': return ['s', unescape(cell.value)]
    if isinstance(cell.value, datetime.datetime): return ['d', cell.value.isoformat()]
    return [cell.data_type, cell.value]
book = openpyxl.load_workbook(sys.argv[1])
json.dump([[[plain(cell) for cell in row] for row in sheet.iter_rows()] for sheet in book], sys.stdout)`;

/** What openpyxl says of a cell. */
const asRead = (cell: Cell) => {
  if (cell?.kind === 'text' && cell.text !== '') return ['s', cell.text];
  if (cell?.kind === 'number') return ['n', cell.value];
  return cell?.kind === 'date'
    ? ['d', new Date(cell.at).toISOString().replace(/Z$/, '000').replace('.000000', '')]
    : ['n', null];
};

it.skipIf(!hasOpenpyxl)('writes a workbook whose cells openpyxl reads back', async () => {
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    anyText({ maxLength: 12 }).map((text) => ({ kind: 'text', text }) as const),
    fc
      .constantFrom('=1+1', '_x000D_', ' a ', 'a\r\nb\tc', '@x', '007', '0x01', "'x")
      .map((text) => ({ kind: 'text', text }) as const),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ kind: 'number', value: value + 0 }) as const),
    fc.integer({ min: 0, max: 4e12 }).map((at) => ({ kind: 'date', at }) as const),
    fc.constant(undefined),
  );
  const rows = fc.sample(fc.tuple(cell, cell, cell), { numRuns: 300, seed: 7 });
  const columns = ['a', '=b', 'c'].map((name) => ({ name, width: 20 }));
  const workbook = createWorkbook({ notice: undefined, columns, at: 0 });
  const chunks: Uint8Array[] = [];
  for (const row of rows) chunks.push(await workbook.row(row));
  chunks.push(await workbook.end({ name: 'Run', rows: [rows[0]?.slice(0, 2) as [Cell, Cell]] }));
  const file = join(temporaryFolder(), 'out.xlsx');
  writeFileSync(file, Buffer.concat(chunks));
  const [first, second] = JSON.parse(python(READ, [file]));
  expect(first).toEqual([columns.map(({ name }) => ['s', name]), ...rows.map((row) => row.map(asRead))]);
  expect(second).toHaveLength(1);
});

const WRITE = `import datetime, json, sys, openpyxl
book = openpyxl.Workbook()
sheet = book.active
for row in json.load(sys.stdin):
    sheet.append([datetime.datetime.fromisoformat(cell['date']) if isinstance(cell, dict) else cell for cell in row])
    sheet.row_dimensions[sheet.max_row].hidden = sheet.max_row % 2 == 0
book.save(sys.argv[1])`;

it.skipIf(!hasOpenpyxl)('reads a workbook that openpyxl wrote', async () => {
  // It refuses other characters, takes = for a formula, writes _x000D_ and a carriage return as
  // they are, and 16 digits.
  const text = fc.string({ unit: fc.constantFrom(...'abcxyz,;"\n <&>é€🐳_'), minLength: 1, maxLength: 9 });
  const value = fc.oneof(
    text,
    fc.constantFrom('007', '#N/A', 'TRUE'),
    fc.integer().map((number) => number / 100),
    fc.date({ min: new Date('1905-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }).map((date) => ({
      date: `${date.toISOString().slice(0, 19)}`,
    })),
  );
  const rows = fc.sample(fc.tuple(value, value), { numRuns: 300, seed: 7 }).map((cells, i) => [...cells, address(i)]);
  const file = join(temporaryFolder(), 'in.xlsx');
  python(WRITE, [file], JSON.stringify([['a', 'b', 'wallet'], ...rows]));
  const { records } = await read(readFileSync(file));
  const cells = records.map(({ input, line }) => {
    const node = inputNode(input);
    const members = node.kind === 'object' ? node.members : [];
    return [
      line,
      ...members.map(([, one]) => (one.kind === 'number' ? Number(one.spelling) : one.kind === 'string' && one.value)),
    ];
  });
  const plain = (one: (typeof rows)[number][number]) => (typeof one === 'object' ? one.date : one);
  expect(cells).toEqual(rows.map((row, i) => [i + 2, ...row.map(plain)]));
});

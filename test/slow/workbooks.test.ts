/**
 * Workbooks that LibreOffice reads and writes, cell by cell, and how much memory large ones take.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { csvLine } from '../../src/output/rows/csv.ts';
import { type Cell, createWorkbook } from '../../src/output/workbook/workbook-writer.ts';
import { measure, startSandboxProcess } from '../fixtures/cli/measure.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';
import { textRow, workbook } from '../fixtures/place/workbooks.ts';
import { hasLibreOffice } from '../fixtures/process/installed.ts';
import { fc } from '../fixtures/properties.ts';
import { read } from '../unit/lists/reading.ts';

/** Values as they are, in UTF-8, a file for each sheet. */
const AS_CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1';

/** Converts `file` in `folder`, without the settings of this user. */
function convert(folder: string, file: string, to: string, from: readonly string[] = []): void {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const words = ['--headless', profile, ...from, '--convert-to', to, '--outdir', folder, join(folder, file)];
  const { status, stderr } = spawnSync('soffice', words, { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
}

const text = fc.string({ unit: fc.constantFrom(...'abc =@\'",;<&>_x0D\né€🐳'), minLength: 1, maxLength: 9 });
const fixed = fc.constantFrom('=1+1', '_x000D_', '007', '1.5', '2026-01-01', 'TRUE', '#N/A', '@SUM(A1)', "'x");
const number = fc.integer().map((value) => value / 100);

it.skipIf(!hasLibreOffice)(
  'writes a workbook whose cells LibreOffice reads back, and whose filter it shows',
  async () => {
    const cell = fc.oneof(
      fc.oneof(text, fixed).map((one): Cell => ({ kind: 'text', text: one })),
      number.map((value): Cell => ({ kind: 'number', value })),
      // It cuts off what is below a second, and a double may be just below a whole one.
      fc.integer({ min: 0, max: 4e9 }).map((seconds): Cell => ({ kind: 'date', at: seconds * 1000 + 500 })),
    );
    const rows = fc.sample(fc.tuple(cell, cell, cell), { numRuns: 300, seed: 7 });
    const workbook = createWorkbook({
      notice: 'a notice',
      columns: ['a', '=b', 'c'].map((name) => ({ name, width: 20 })),
      at: 0,
    });
    const chunks = await Promise.all(rows.map((row) => workbook.row(row)));
    const rest = await workbook.end({ name: 'Run', rows: [] });
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'out.xlsx'), Buffer.concat([...chunks, rest]));
    convert(folder, 'out.xlsx', AS_CSV);
    const asRead = (one: Cell) => {
      if (one?.kind === 'date') return new Date(one.at).toISOString().slice(0, 19).replace('T', ' ');
      return one?.kind === 'number' ? String(one.value) : one?.text;
    };
    expect(parse(readFileSync(join(folder, 'out-Rows.csv')))).toEqual([
      ['a notice', '', ''],
      ['a', '=b', 'c'],
      ...rows.map((row) => row.map(asRead)),
    ]);
    convert(folder, 'out.xlsx', 'fods');
    expect(readFileSync(join(folder, 'out.fods'), 'utf8')).toContain(
      'table:target-range-address="Rows.A2:Rows.C302" table:display-filter-buttons="true"',
    );
  },
);

it.skipIf(!hasLibreOffice)('reads a workbook that LibreOffice wrote', async () => {
  const rows = fc.sample(fc.tuple(text, number.map(String)), { numRuns: 300, seed: 7 });
  const lines = [['a', 'n', 'wallet'], ...rows.map((row, i) => [...row, address(i)])];
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'in.csv'), lines.map((line) => csvLine(line)).join(''));
  // The first column as text, the others as it takes them.
  convert(folder, 'in.csv', 'xlsx:Calc MS Excel 2007 XML', ['--infilter=Text - txt - csv (StarCalc):44,34,76,1,1/2']);
  const { records } = await read(readFileSync(join(folder, 'in.xlsx')));
  expect(records.map(({ cells }) => cells)).toEqual(rows.map((row, i) => [...row, address(i)]));
});

it('reads a sheet of a million empty rows', async () => {
  const rows = Array.from({ length: 1_048_575 }, (_, i) => `<row r="${i + 1}"/>`).join('');
  const sheet = { name: 'a', rows: rows + textRow(1_048_576, [address(1)]) };
  const { records } = await read(await workbook({ sheets: [sheet] }));
  expect(records.map(({ line, input }) => [line, input])).toEqual([[1_048_576, address(1)]]);
});

const WALLETS = 20_000;

it('writes and reads back a workbook of 200,000 rows in little memory', async () => {
  const folder = temporaryFolder();
  const head = ['wallet', ...Array.from({ length: 8 }, (_, i) => `column ${i}`)];
  const rows = Array.from({ length: 200_000 }, (_, i) => [address(i % WALLETS), ...Array(8).fill(`text ${i}`)]);
  writeFileSync(join(folder, 'list.csv'), [head, ...rows].map((row) => csvLine(row)).join(''));
  await using sandbox = await startSandboxProcess(['--plan', 'enterprise', '--latency', '0']);
  const where = { cwd: folder, env: sandbox.env };
  const out = await measure(['profile', '-f', 'list.csv', '-o', 'scored.xlsx'], where);
  const back = await measure(['profile', '-f', 'scored.xlsx', '--column', 'wallet', '--dry-run', '--json'], where);
  for (const { seconds, peakMb } of [out, back]) console.log(`${seconds.toFixed(0)} s, peak ${peakMb.toFixed(0)} MB`);
  expect([out.exitCode, back.exitCode]).toEqual([0, 0]);
  expect(JSON.parse(back.stdout)).toMatchObject({ rows: 200_000, distinct_wallets: WALLETS });
  expect(Math.max(out.peakMb, back.peakMb)).toBeLessThan(512);
});

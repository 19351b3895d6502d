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
import { partsOf, textRow, type WorkbookXml, workbook, zipped } from '../fixtures/place/workbooks.ts';
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

it('reads no workbook with one changed byte as another list', async () => {
  const cell = (i: number) =>
    `<c r="A${i}" t="s"><v>${i % 7}</v></c><c r="B${i}" s="1"><v>${45_000 + i}</v></c><c r="C${i}"><v>${i}.25</v></c>`;
  const rows = Array.from({ length: 40 }, (_, i) =>
    textRow(i + 2, [address(i)])
      .replace('<c ', '<c r="D1" ')
      .replace('D1', `D${i + 2}`)
      .replace(/(<row[^>]*>)/, `$1${cell(i + 2)}`),
  );
  const book = {
    sheets: [{ name: 'Holders', rows: textRow(1, ['name', 'since', 'limit', 'wallet']) + rows.join('') }],
    texts: Array.from({ length: 7 }, (_, i) => `<t>client ${i}</t>`),
    formats: [14],
  };
  const outcomes = { same: 0, refused: 0 };
  for (const bytes of [await workbook(book), await zipped(partsOf(book), false)]) {
    const outcome = async (content: Buffer) => {
      const { records } = await read(content, { needsWallet: true });
      return records.map(({ line, cells }) => [line, cells]);
    };
    const whole = await outcome(bytes);
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
    for (const [at, bits] of fc.sample(change, { numRuns: 600, seed: 7 })) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((bytes[at] ?? 0) ^ bits, at);
      const found = await outcome(changed).catch((error: unknown) => error);
      if (found instanceof Error) expect({ at, bits, found }).toMatchObject({ found: { exitCode: 9 } });
      else expect({ at, bits, found }).toEqual({ at, bits, found: whole });
      outcomes[found instanceof Error ? 'refused' : 'same'] += 1;
    }
  }
  console.log(`1,200 changed workbooks: ${outcomes.refused} refused, ${outcomes.same} read without a change`);
  expect(outcomes.refused).toBeGreaterThan(0);
});

const numbers = '<c><v>1</v></c>';
const wallet = textRow(1, ['wallet']) + textRow(2, [address(1)]);
const many = (count: number, each: (i: number) => string) => Array.from({ length: count }, (_, i) => each(i)).join('');
const small = (rows: string, more: Partial<WorkbookXml> = {}) =>
  workbook({ sheets: [{ name: 'a', rows: wallet + rows }], ...more });
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

it.each<[what: string, content: () => Promise<Buffer>]>([
  ['a cell in column XFD of each row', () => small(many(4_000, (i) => `<row><c r="XFD${i + 3}"><v>1</v></c></row>`))],
  [
    'a header up to column XFD',
    () => small(`<row r="2"><c r="XFD2"><v>1</v></c></row>${`<row>${numbers}</row>`.repeat(100_000)}`),
  ],
  ['cells without a place', () => small(`<row>${numbers.repeat(4_000_000)}</row>`)],
  ['a million short rows', () => small(`<row>${numbers}</row>`.repeat(1_000_000))],
  [
    'long number formats of many styles',
    () =>
      small('', {
        parts: {
          'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(60_000)}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(500_000)}</cellXfs></styleSheet>`,
        },
      }),
  ],
  [
    'sheets and relationships',
    () =>
      small('', {
        parts: {
          'xl/workbook.xml': `<workbook xmlns:r="x"><sheets>${many(50_000, (i) => `<sheet name="${i}" r:id="r49999"/>`)}</sheets></workbook>`,
          'xl/_rels/workbook.xml.rels': `<Relationships>${many(50_000, (i) => `<Relationship Id="r${i}" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>`)}</Relationships>`,
        },
      }),
  ],
  [
    'a long text in each cell',
    () => small('<row><c t="s"><v>0</v></c></row>'.repeat(10_000), { texts: [`<t>${'x'.repeat(1_000_000)}</t>`] }),
  ],
])('takes less than 300 MB for a small workbook with %s', async (what, content) => {
  const folder = temporaryFolder();
  const bytes = await content();
  writeFileSync(join(folder, 'list.xlsx'), bytes);
  const args = ['profile', '-f', 'list.xlsx', '--column', '1', '--dry-run', '--json'];
  const { exitCode, seconds, peakMb } = await measure(args, { cwd: folder, env: {} });
  const size = `${(bytes.length / 1000).toFixed(0)} kB`;
  console.log(`${what}: ${size}, exit ${exitCode}, ${seconds.toFixed(1)} s, peak ${peakMb.toFixed(0)} MB`);
  expect([0, 9]).toContain(exitCode);
  expect(peakMb).toBeLessThan(300);
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

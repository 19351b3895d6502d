/** CSV, read back by Python. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { parseFields } from '../../../src/paths/fields.ts';
import type { Row } from '../../../src/row/row.ts';
import { neutralise } from '../../../src/text/formula.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { hasPython, PYTHON } from '../../fixtures/process/installed.ts';
import { fc } from '../../fixtures/properties.ts';
import { KEY } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { answered, written } from '../../unit/output/rows.ts';

type Text = readonly [delimiter: string, text: string];

const READ = `import csv, io, json, sys
read = lambda delimiter, text: [*csv.reader(io.StringIO(text, newline=''), delimiter=delimiter, strict=True)]
json.dump([read(*one) for one in json.load(sys.stdin)], sys.stdout)`;

/** The rows of each of `texts`. */
function readCsv(texts: readonly Text[]): readonly (readonly (readonly string[])[])[] {
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', READ], { input: JSON.stringify(texts), encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it.skipIf(!hasPython)('writes csv that Python reads back as the data, whichever the delimiter', async () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab,;\t"\r\n \'=-é🦊'), maxLength: 8 });
  const cells = fc.sample(fc.tuple(cell, cell, cell), { numRuns: 300, seed: 7 });
  const rows = cells.map((values): Row => {
    const [own, other, theirs] = values;
    const text = JSON.stringify({ wallet_address: theirs, total_collateral_usd: 1, defi_score: null });
    return answered(text, {
      input: [
        ['own', own],
        ['', other],
      ],
    });
  });
  const texts = [',', ';', '\t'].map(async (delimiter): Promise<Text> => {
    const head = { kind: 'csv', columns: ['own', ''], delimiter, bom: false } as const;
    const text = await written('csv', rows, { head, fields: parseFields('wallet_address') });
    return [delimiter, text.toString()];
  });
  const expected = [
    ['own', '', 'wallet_address'],
    ...cells.map(([own, other, theirs]) => [own, other, neutralise(theirs)]),
  ];
  expect(readCsv(await Promise.all(texts))).toEqual([expected, expected, expected]);
});

const CELLS = [
  '=1+1',
  '+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\n=1',
  'a,b',
  'a"b',
  'a\nb',
  'a;b',
  '-5',
  "=cmd|' /C calc'!A0",
];

it.skipIf(!hasPython)('writes csv that Python reads back, but for cells that a spreadsheet would run', async () => {
  const fields = CELLS.map((cell, i) => `${JSON.stringify(`f${i}`)}:${JSON.stringify(cell)}`).join();
  const body = `{"wallet_address":"${address(0)}","total_collateral_usd":-5,${fields}}`;
  await using server = await startServer(() => ({ body }));
  const { cli } = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY });
  const names = CELLS.map((_, i) => `f${i}`);
  const input = `note,address\n"=HYPERLINK(""x"")",${address(0)}\n`;
  const select = ['total_collateral_usd', ...names].join();
  const { stdout, exitCode } = await cli(['profile', '-', '--csv', '--fields', select], { stdin: input });
  expect(exitCode).toBe(0);
  const [[head = [], row = []] = []] = readCsv([[',', stdout]]);
  expect(head).toEqual(['note', 'address', 'total_collateral_usd', ...names]);
  expect(row.slice(0, 3)).toEqual(['=HYPERLINK("x")', address(0), '-5']);
  for (const [i, cell] of CELLS.entries()) {
    const read = row[i + 3] ?? '';
    expect(read.endsWith(cell)).toBe(true);
    // The first character of a cell, ignoring white space, must not start a formula; a number is
    // not a formula.
    if (Number.isNaN(Number(cell))) expect(read.trimStart()).not.toMatch(/^[=+\-@]/);
  }
});

/** CSV, read back by Python. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { parseFields } from '../../../src/paths/fields.ts';
import type { Row } from '../../../src/row/row.ts';
import { neutralise } from '../../../src/text/formula.ts';
import { hasPython, PYTHON } from '../../fixtures/process/installed.ts';
import { fc } from '../../fixtures/properties.ts';
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

/**
 * A report of a million rows: the figures of all, a page that mail takes, and memory that does not
 * grow with the list.
 */
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measure } from '../fixtures/cli/measure.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';

const ROWS = 1_000_000;
/** The file has 700 MB. */
const MAX_MB = 400;

/** In pieces, since all of them are more than a string can hold. */
function writeRows(path: string, scoreOf: (row: number) => number): void {
  const file = openSync(path, 'w');
  const reasons = Array.from(
    { length: 3 },
    (_, i) => `"r${i}":{"weight":0.${i},"text":"${'reason '.repeat(15)}"}`,
  ).join(',');
  for (let row = 1; row <= ROWS; ) {
    let piece = '';
    for (let i = 0; i < 5_000; i++, row++) {
      const score = scoreOf(row);
      piece +=
        `{"wallet_address":"${address(row)}","total_collateral_usd":${row}.25,"defi_score":{"defi_score":${score},"level":"l${row % 4}",${reasons}},` +
        `"_meta":{"line":${row},"input":"${address(row)}","status":"scored","score":${score},"answered_at":"2026-01-02T03:04:05.000Z","matched":[${score < 301 ? '"low"' : ''}]}}\n`;
    }
    writeSync(file, piece);
  }
  closeSync(file);
}

it('makes a page of a million rows in little memory', async () => {
  const folder = temporaryFolder();
  const [rows, page] = [join(folder, 'rows.jsonl'), join(folder, 'page.html')];
  writeRows(rows, (row) => 300 + (row % 551));
  const args = ['report', rows, '-o', page];
  const { seconds, peakMb, exitCode } = await measure(args, { cwd: folder, env: {} });
  console.log(`${seconds.toFixed(0)} s, peak ${peakMb.toFixed(0)} MB`);
  expect(exitCode).toBe(0);
  const html = readFileSync(page, 'utf8');
  expect(html.includes('wallets 1,000,000, scored 1,000,000')).toBe(true);
  expect(html.includes('This page lists 10,000 of the 1,000,000 rows')).toBe(true);
  expect(statSync(page).size).toBeLessThan(20_000_000);
  expect(peakMb).toBeGreaterThan(0);
  expect(peakMb).toBeLessThan(MAX_MB);
});

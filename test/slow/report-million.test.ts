/** A report of a million rows: the figures of all, a page that mail takes, and memory that does not grow with the list. */
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measure } from '../fixtures/cli/measure.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';

const ROWS = 1_000_000;
/** A comparison of two runs may take 300 MB, and the page's own figures and rows come on top; the files have 700 MB each. */
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
        `"_meta":{"line":${row},"input":"${address(row)}","status":"scored","score":${score},"answered_at":"2026-01-02T03:04:05.000Z"}}\n`;
    }
    writeSync(file, piece);
  }
  closeSync(file);
}

it('a million rows against as many', async () => {
  const folder = temporaryFolder();
  const [older, newer, page] = ['old.jsonl', 'new.jsonl', 'page.html'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeRows(older, (row) => 300 + (row % 551));
  writeRows(newer, (row) => 300 + (row % 551) + (row % 1_000 === 0 ? 7 : 0));
  const plain = await measure(['report', newer, '-o', page], { cwd: folder, env: {} });
  const plainBytes = statSync(page).size;
  const compared = await measure(
    ['report', newer, '-o', page, '--baseline', older, '--fail-if', 'low: _meta.score < 301'],
    { cwd: folder, env: {} },
  );
  for (const [what, { seconds, peakMb }] of Object.entries({ plain, compared })) {
    console.log(`${what}: ${seconds.toFixed(0)} s, peak ${peakMb.toFixed(0)} MB`);
  }
  expect([plain.exitCode, compared.exitCode]).toEqual([0, 10]);
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('1,000,000 rows of');
  expect(html).toContain('1,000 changed');
  expect(html).toContain('This page lists 10,000 of the 1,000,000 rows');
  for (const bytes of [plainBytes, html.length]) expect(bytes).toBeLessThan(20_000_000);
  for (const { peakMb } of [plain, compared]) {
    expect(peakMb).toBeGreaterThan(0);
    expect(peakMb).toBeLessThan(MAX_MB);
  }
});

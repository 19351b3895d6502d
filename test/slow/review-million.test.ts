/**
 * A review of a million wallets against a kept one, all of whose answers are there already: what it
 * says, and its memory.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measure } from '../fixtures/cli/measure.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';

const ROWS = 1_000_000;
const MAX_MB = 600;
const BASE = 'http://127.0.0.1:9';
const DAY = 86_400_000;
/** An answer has 1 kB. */
const REASONS = `"reasons":"${'reason '.repeat(115)}"`;

/** In pieces, since all of them are more than a string can hold. */
function writeLines(path: string, lineOf: (row: number) => string, [first, last]: readonly [string, string]): void {
  const file = openSync(path, 'w');
  writeSync(file, first);
  for (let row = 1; row <= ROWS; row += 5_000) {
    writeSync(file, Array.from({ length: 5_000 }, (_, i) => lineOf(row + i)).join(''));
  }
  writeSync(file, last);
  closeSync(file);
}

/** A kept review from `at`; the score of every thousandth wallet is `score`. */
function keep(folder: string, at: number, score: number): void {
  const iso = new Date(at).toISOString();
  const line = (row: number) => {
    const own = row % 1_000 === 0 ? score : 300 + (row % 551);
    return `{"wallet_address":"${address(row)}","total_collateral_usd":${row}.25,"defi_score":{"defi_score":${own},"level":"l${row % 4}"},${REASONS},"_meta":{"line":${row},"input":"${address(row)}","status":"scored","score":${own},"answered_at":"${iso}"}}\n`;
  };
  const header = { riskcli_review: 1, list: { name: 'list.txt' }, base_url: BASE, begun: iso, rules: [], accept: [] };
  const end = { riskcli_review_end: 1, ended: iso, rows: ROWS, counts: { scored: ROWS }, exit_code: 0 };
  const name = `${iso.slice(0, 19).replaceAll(':', '')}Z.jsonl`;
  writeLines(join(folder, name), line, [`${JSON.stringify(header)}\n`, `${JSON.stringify(end)}\n`]);
}

it('reviews a million wallets in little memory', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'kept'), { mode: 0o700 });
  writeLines(join(folder, 'list.txt'), (row) => `${address(row)}\n`, ['', '']);
  keep(join(folder, 'kept'), Date.now() - 7 * DAY, 800);
  // Its answers are used again: the journal is filled with them.
  keep(join(folder, 'kept'), Date.now() - 60_000, 700);
  const env = { RISKCLI_BASE_URL: BASE, RISKCLI_API_KEY: 'made-up-0123456789abcdef' };
  const args = ['review', 'list.txt', '--keep', 'kept', '-q', '--json'];
  const { stdout, stderr, exitCode, seconds, peakMb } = await measure(args, { cwd: folder, env });
  console.log(`${seconds.toFixed(0)} s, peak ${peakMb.toFixed(0)} MB`);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const { rows, changed, came, left } = JSON.parse(stdout);
  expect([rows, changed.count, came.count, left.count]).toEqual([ROWS, ROWS / 1_000, 0, 0]);
  expect(peakMb).toBeGreaterThan(0);
  expect(peakMb).toBeLessThan(MAX_MB);
});

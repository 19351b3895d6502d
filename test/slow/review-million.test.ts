/**
 * A review of a million wallets against kept ones, all of whose answers are there already: what it
 * says, and its memory.
 */
import { createHash } from 'node:crypto';
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
const LIMIT = 600;
const BASE_DAY = new Date(Date.now() - 7 * DAY).toISOString().slice(0, 10);
/** An answer has 1 kB. */
const REASONS = `"reasons":"${'reason '.repeat(115)}"`;

/** In pieces, since all of them are more than a string can hold. @returns their SHA-256 */
function writeLines(path: string, head: string, lineOf: (row: number) => string, foot: (sha256: string) => string) {
  const file = openSync(path, 'w', 0o600);
  const digest = createHash('sha256');
  const write = (text: string) => {
    digest.update(text);
    writeSync(file, text);
  };
  write(head);
  for (let row = 1; row <= ROWS; row += 5_000) {
    write(Array.from({ length: 5_000 }, (_, i) => lineOf(row + i)).join(''));
  }
  writeSync(file, foot(digest.digest('hex')));
  closeSync(file);
}

/**
 * Of a thousand wallets, one falls below the limit between the base and today, and one rises above
 * it.
 */
function scoreOf(row: number, isBase: boolean): number {
  if (row % 1_000 === 0) return isBase ? 800 : 500;
  if (row % 1_000 === 500) return isBase ? 500 : 700;
  return 300 + (row % 551);
}

/** A kept review from `at`; an alarm that the base has, too, opened on its day. */
function keep(folder: string, at: number, isBase: boolean): void {
  const iso = new Date(at).toISOString();
  const day = iso.slice(0, 10);
  const openedOn = (row: number) => (scoreOf(row, true) < LIMIT ? BASE_DAY : day);
  const alarm = (row: number, score: number) => ({
    ...{ rule: 'low', level: 'alarm', opened: openedOn(row), confirmed: day },
    value: `${score}`,
  });
  const line = (row: number) => {
    const score = scoreOf(row, isBase);
    const alarms = JSON.stringify(score < LIMIT ? [alarm(row, score)] : []);
    return `{"wallet_address":"${address(row)}","total_collateral_usd":${row}.25,"defi_score":{"defi_score":${score},"level":"l${row % 4}"},${REASONS},"_meta":{"line":${row},"input":"${address(row)}","status":"scored","score":${score},"answered_at":"${iso}","alarms":${alarms},"closed":[]}}\n`;
  };
  const header = {
    riskcli_review: 2,
    list: { name: 'list.txt', kind: 'lines', columns: [], delimiter: ',', bom: false },
    rules: [{ source: '--fail-if', name: 'low', if: `score < ${LIMIT}` }],
    accept: [],
    base_url: BASE,
    environment: 'default',
    version: '0.1.0',
    started: iso,
  };
  const end = (sha256: string) => ({
    riskcli_review_end: 2,
    ended: iso,
    rows: ROWS,
    distinct: ROWS,
    removed: 0,
    counts: { scored: ROWS },
    exit_code: 10,
    sha256,
  });
  const name = `${iso.slice(0, 19).replaceAll(':', '')}Z.jsonl`;
  writeLines(join(folder, name), `${JSON.stringify(header)}\n`, line, (sha256) => `${JSON.stringify(end(sha256))}\n`);
}

it.each([
  { place: 'one file', stateDays: 7 },
  { place: 'two files', stateDays: 1 },
])('reviews a million wallets in little memory, with state and base in $place', async ({ stateDays }) => {
  const folder = temporaryFolder();
  const kept = join(folder, 'kept');
  mkdirSync(kept, { mode: 0o700 });
  writeLines(
    join(folder, 'list.txt'),
    '',
    (row) => `${address(row)}\n`,
    () => '',
  );
  keep(kept, Date.now() - 7 * DAY, true);
  if (stateDays < 7) keep(kept, Date.now() - stateDays * DAY, false);
  // Its answers are used again: the journal is filled with them.
  keep(kept, Date.now() - 60_000, false);
  const env = { RISKCLI_BASE_URL: BASE, RISKCLI_API_KEY: 'made-up-0123456789abcdef' };
  const args = ['review', 'list.txt', '--keep', 'kept', '-q', '--json', '--fail-if', `low: score < ${LIMIT}`];
  const { stdout, stderr, exitCode, seconds, peakMb } = await measure(args, { cwd: folder, env });
  console.log(`${seconds.toFixed(0)} s, peak ${peakMb.toFixed(0)} MB`);
  const rows = Array.from({ length: ROWS }, (_, i) => i + 1);
  const open = rows.filter((row) => scoreOf(row, false) < LIMIT).length;
  const opened = rows.filter((row) => row % 1_000 === 0).length;
  expect(exitCode, stderr).toBe(10);
  expect(JSON.parse(stderr).error.message).toMatch(/^alarms are open \(open [\d,]+, new 1,000\)$/);
  const { counts } = JSON.parse(stdout);
  expect(counts).toMatchObject({ rows: ROWS, wallets: ROWS, open, new: opened, closed: opened, added: 0, removed: 0 });
  expect(peakMb).toBeGreaterThan(0);
  expect(peakMb).toBeLessThan(MAX_MB);
});

/** `riskcli report` without a page: the figures in a terminal, in a pipe and as JSON. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../fixtures/cli/here.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { addresses } from '../fixtures/place/wallets.ts';

const WALLETS = addresses(20, 1);

interface Wallet {
  readonly score: number | null;
  readonly level?: string | null;
  readonly kind?: string;
  readonly matched?: readonly string[];
}

/** What `walletAt` makes of the nth of 20 wallets, as the file of a run. */
function fileOf(name: string, walletAt: (i: number) => Wallet, folder = temporaryFolder(), wallets = WALLETS): string {
  const lines = wallets.map((wallet, i) => {
    const { score, level = null, kind = 'fund', matched } = walletAt(i);
    const document = {
      wallet_address: wallet,
      total_collateral_usd: 100 * (i + 1),
      defi_score: { defi_score: score, risk_level: level },
    };
    const status = score === null ? 'no_score' : 'scored';
    const input = { name: `Customer ${i}`, kind, address: wallet };
    const meta = { line: i + 2, input, status, score, answered_at: '2026-01-02T03:04:05.000Z', matched };
    return `${JSON.stringify({ ...document, _meta: meta })}\n`;
  });
  const path = join(folder, name);
  writeFileSync(path, lines.join(''));
  return path;
}

const levelOf = (score: number) => (score < 400 ? 'High Risk' : 'Low Risk');
const now = (i: number) => ({ score: 300 + 20 * i, level: levelOf(300 + 20 * i), kind: i < 15 ? 'fund' : '' });

it('shows who matched, by the column that --label names', async () => {
  const file = fileOf('scored.jsonl', (i) => ({ ...now(i), matched: i < 2 ? ['low'] : [] }));
  const { stdout } = await cli(['report', file, '--label', 'kind']);
  expect(stdout).toMatch(/\nWHAT MATCHED +WALLETS +NOT JUDGED +EXCUSED +SHARE\nlow +2 +0 +0 +10%\n/);
  expect(stdout).toMatch(new RegExp(`\\nfund +${WALLETS[1]} +320 +\\$200\\.00 +low\\nfund `));
  expect((await cli(['report', file])).stdout).toMatch(/\nCustomer 1 .*\nCustomer 0 /);
});

it('counts the wallets that matched and are not shown, as the page does', async () => {
  const folder = temporaryFolder();
  const file = fileOf('scored.jsonl', (i) => ({ score: i, matched: ['low'] }), folder, addresses(1_003, 1));
  expect((await cli(['report', file])).stdout).toMatch(/\n(Customer .*\n){20}and 983 more\n/);
  const page = join(folder, 'page.html');
  await cli(['report', file, '-o', page]);
  expect(readFileSync(page, 'utf8').match(/>and [^<]*/g)).toEqual(['>and 3 more']);
});

it('fits a terminal of any width, and uses colour if enabled', async () => {
  const file = fileOf('scored.jsonl', now);
  for (const columns of [40, 80, 200]) {
    const { stdout } = await cli(['report', file], {
      tty: { stdout: true },
      columns,
    });
    expect(stdout).toContain('\u001b[1m');
    const lines = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  }
});

it('goes through the pager where it is longer than the screen', async () => {
  const pages: string[] = [];
  const page = async (text: string) => pages.push(text) > 0;
  const { stdout } = await cli(['report', fileOf('scored.jsonl', now)], { tty: { stdout: true }, rows: 10, page });
  expect([stdout, pages]).toEqual(['', [expect.stringContaining('scored.jsonl, 2 Jan 2026')]]);
});

it('counts wallets, and says rows where they differ: one matches if any of its rows does', async () => {
  const [a, b] = WALLETS as [string, string];
  const rows = [
    [a, 'Ann', 300, {}],
    [a, 'Bob', 300, { matched: ['low'], excused: [{ rule: 'new', reason: 'known' }] }],
    [b, 'Cem', 500, { unjudged: ['low'] }],
    [a, 'Dan', 300, { matched: ['low'], unjudged: ['new'] }],
  ].map(([wallet, name, score, meta], i) => {
    const document = { wallet_address: wallet, total_collateral_usd: 1, defi_score: { score, risk_level: 'High' } };
    const row = { line: i + 2, input: { name, wallet }, status: 'scored', score, ...(meta as object) };
    return `${JSON.stringify({ ...document, _meta: row })}\n`;
  });
  const invalid = {
    line: 6,
    input: { name: 'Eve', wallet: 'x' },
    status: 'invalid',
    error: { message: 'no wallet' },
  };
  const file = join(temporaryFolder(), 'twice.jsonl');
  writeFileSync(file, `${rows.join('')}${JSON.stringify({ _meta: invalid })}\n`);
  const { stdout } = await cli(['report', file]);
  expect(stdout).toContain('\nwallets 2, scored 2, invalid 1, rows 5\n');
  expect(stdout).toMatch(/\nlow +1 +1 +0 +33\.3%\nnew +0 +1 +1 +0%\n/);
  expect(stdout.match(/^(Ann|Bob|Cem|Dan) .*low$/gm)).toEqual([expect.stringMatching(/^Bob /)]);
  expect(stdout).toMatch(/\nHigh +2 +100%/);
  expect(JSON.parse((await cli(['report', file, '--json'])).stdout)).toMatchObject({
    wallets: 2,
    rows: 5,
    counts: { scored: 2, invalid: 1 },
    rules: [
      { matched: 1, unjudged: 1 },
      { matched: 0, unjudged: 1, excused: 1 },
    ],
    score: { wallets: 2 },
    fields: [{ values: [{ value: 'High', wallets: 2 }] }],
  });
});

it('counts what it cannot read as a number, with one example, and no share is of the rest', async () => {
  const file = join(temporaryFolder(), 'run.csv');
  const cells = ['1000', '"6,823.83"', '"6.823,83"', '1e400', ''].map((text, i) => `${WALLETS[i]},scored,${text},A+`);
  writeFileSync(file, `wallet_address,status,total_collateral_usd,score\n${cells.join('\n')}\n`);
  const { stdout } = await cli(['report', file]);
  expect(stdout).toContain('\nSCORE\nleft out 5, for example A+\n');
  expect(stdout).toContain('highest $1K\nleft out 3, for example 6,823.83\n$1K to');
  expect(stdout).toMatch(/\n\$1K to \$10K +1 +25%/);
  expect(JSON.parse((await cli(['report', file, '--json'])).stdout)).toMatchObject({
    score: { wallets: 0, unread: 5, unread_example: 'A+', median: null },
    total_collateral_usd: { wallets: 1, unread: 3, unread_example: '6,823.83', median: 1000 },
  });
  const page = join(temporaryFolder(), 'page.html');
  await cli(['report', file, '-o', page]);
  expect(readFileSync(page, 'utf8')).toContain('left out 3, for example 6,823.83');
});

/** `riskcli report` without a page: the figures in a terminal, in a pipe and as JSON. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../fixtures/cli/here.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { addresses } from '../fixtures/place/wallets.ts';

const WALLETS = addresses(20, 1);

interface Told {
  readonly score: number | null;
  readonly level?: string | null;
  readonly kind?: string;
  readonly matched?: readonly string[];
}

/** What `told` makes of the nth of 20 wallets, as the file of a run. */
function fileOf(name: string, told: (i: number) => Told, folder = temporaryFolder()): string {
  const lines = WALLETS.map((wallet, i) => {
    const { score, level = null, kind = 'fund', matched } = told(i);
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

describe('riskcli report without -o', () => {
  it('prints the figures as plain text on a pipe, and matched rows with their labels', async () => {
    const file = fileOf('scored.jsonl', (i) => ({ ...now(i), matched: i < 2 ? ['low'] : [] }));
    const { stdout, exitCode } = await cli(['report', file]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Wallet risk report: scored\.jsonl\nrows 20, scored 20; answered 2026-01-02 03:04 UTC\n\n/);
    expect(stdout).toMatch(/\nWHAT MATCHED +ROWS +NOT JUDGED +EXCUSED +SHARE\nlow +2 +0 +0 +10%\n/);
    expect(stdout).toMatch(new RegExp(`\\nCustomer 0 +${WALLETS[0]} +300 +\\$100\\.00 +low\\nCustomer 1 `));
    expect(stdout).toContain('\nSCORE\nlowest 300, lower quartile 380, median 480, upper quartile 580, highest 680\n');
    expect(stdout).toMatch(/\nDEFI_SCORE\.RISK_LEVEL\nLow Risk +15 +75% +█+\nHigh Risk +5 +25% +█+\n/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    expect(stdout).not.toContain('\u001b');
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
    expect([stdout, pages]).toEqual(['', [expect.stringContaining('Wallet risk report')]]);
  });

  it('escapes hostile texts on a terminal', async () => {
    const file = fileOf('scored.jsonl', (i) => ({ score: 300 + i, level: i % 2 ? '\u001b[2Jup' : '\u202edown' }));
    const args = ['report', file];
    const { stdout } = await cli(args, { tty: { stdout: true }, env: { NO_COLOR: '1' } });
    expect(stdout).not.toMatch(/[\u001b\u202e\u0007]/);
    expect(stdout).toContain('\\u001b[2Jup');
  });

  it('prints the figures as JSON with --json, and writes them to a file', async () => {
    const file = fileOf('scored.jsonl', (i) => (i === 0 ? { score: null } : now(i)));
    const { stdout } = await cli(['report', file, '--json']);
    const figures = JSON.parse(stdout);
    expect(figures).toMatchObject({
      rows: 20,
      counts: { scored: 19, no_score: 1 },
      score: { rows: 19, lowest: 320, highest: 680 },
      total_collateral_usd: { rows: 20, lowest: 100, median: 1000 },
    });
    expect(figures.score.bins.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0)).toBe(19);
    const copy = join(temporaryFolder(), 'figures.json');
    expect(await cli(['report', file, '-o', copy])).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });
});

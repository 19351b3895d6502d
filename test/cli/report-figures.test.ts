/** `riskcli report` without a page: the figures in a terminal, in a pipe and as JSON, in groups, and against a baseline. */
import { readFileSync, writeFileSync } from 'node:fs';
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
}

/** What `told` makes of the nth of 20 wallets, as the file of a run. */
function fileOf(name: string, told: (i: number) => Told, folder = temporaryFolder()): string {
  const lines = WALLETS.map((wallet, i) => {
    const { score, level = null, kind = 'fund' } = told(i);
    const document = {
      wallet_address: wallet,
      total_collateral_usd: 100 * (i + 1),
      defi_score: { defi_score: score, risk_level: level },
    };
    const status = score === null ? 'no_score' : 'scored';
    const input = { name: `Customer ${i}`, kind, address: wallet };
    const meta = { line: i + 2, input, status, score, answered_at: '2026-01-02T03:04:05.000Z' };
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
    const file = fileOf('scored.jsonl', now);
    const { stdout, exitCode } = await cli(['report', file, '--fail-if', 'low: score < 340']);
    expect(exitCode).toBe(10);
    expect(stdout).toMatch(
      /^Wallet risk report: scored\.jsonl\n20 rows of scored\.jsonl, answered 2026-01-02 03:04 UTC: 20 scored\.\n\n/,
    );
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
      const { stdout } = await cli(['report', file, '--by', 'defi_score.risk_level'], {
        tty: { stdout: true },
        columns,
      });
      expect(stdout).toContain('\u001b[1m');
      const lines = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  it('cuts no number on a terminal of 60 columns: heads are cut, and large amounts are in three digits', async () => {
    const rich = (name: string, times: number) => {
      const file = fileOf(name, now);
      const text = readFileSync(file, 'utf8').replaceAll(
        /"total_collateral_usd":(\d+)/g,
        (_, usd) => `"total_collateral_usd":${usd * times}`,
      );
      writeFileSync(file, text);
      return file;
    };
    const [old, file] = [rich('old.jsonl', 1e9), rich('scored.jsonl', 2e9)];
    const args = ['report', file, '--baseline', old, '--by', 'defi_score.risk_level'];
    const { stdout } = await cli(args, { tty: { stdout: true }, columns: 60, env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(/\nLow Risk +15 +75% +0 +540 +\$2\.6T\n/);
    expect(stdout).toMatch(/\nLARGEST RISES IN COLLATERAL +WAS +IS +CHANGE\nCustomer 19 +0x\S+ +\$2T +\$4T +\+\$2T\n/);
  });

  it.each([60, 80])('keeps heads and labels whole on a terminal of %i columns', async (columns) => {
    const file = fileOf('scored.jsonl', now);
    const args = ['report', file, '--by', 'defi_score.risk_level', '--fail-if', 'low: score < 400'];
    const { stdout } = await cli(args, { tty: { stdout: true }, columns, env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(/\nLABEL +WALLET +SCORE +COLLATERAL +MATCHED\nCustomer 0 +0x\S+ +300 +\$100\.00 +low\n/);
    expect(stdout).toMatch(
      columns === 80
        ? /\nBY defi_score\.risk_level +ROWS +SHARE +MATCHED +MEDIAN SCORE +MEDIAN COLLATERAL\nLow Risk /
        : /\n {40,}MEDIAN +MEDIAN\nBY defi_score\.ris… +ROWS +SHARE +MATCHED +SCORE +COLLATERAL\nLow Risk /,
    );
  });

  it('escapes hostile texts on a terminal', async () => {
    const file = fileOf('scored.jsonl', (i) => ({ score: 300 + i, level: i % 2 ? '\u001b[2Jup' : '\u202edown' }));
    const args = ['report', file, '--by', 'defi_score.risk_level', '--title', '\u001b]0;title\u0007'];
    const { stdout } = await cli(args, { tty: { stdout: true }, env: { NO_COLOR: '1' } });
    expect(stdout).not.toMatch(/[\u001b\u202e\u0007]/);
    expect(stdout).toContain('\\u001b[2Jup');
  });

  it('prints the figures as JSON with --json, and writes them to a file', async () => {
    const file = fileOf('scored.jsonl', (i) => (i === 0 ? { score: null } : now(i)));
    const { stdout } = await cli(['report', file, '--json', '--by', 'defi_score.risk_level']);
    const figures = JSON.parse(stdout);
    expect(figures).toMatchObject({
      rows: 20,
      counts: { scored: 19, no_score: 1 },
      score: { rows: 19, lowest: 320, highest: 680 },
      total_collateral_usd: { rows: 20, lowest: 100, median: 1000 },
      by: 'defi_score.risk_level',
      groups: [
        { value: 'Low Risk', rows: 15, matched: 0, score: { rows: 15, lowest: 400, median: 540 } },
        { value: 'High Risk', rows: 4, score: { median: 340 } },
        { value: null, rows: 1, score: null },
      ],
      other_values: null,
    });
    expect(figures.score.bins.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0)).toBe(19);
    const copy = join(temporaryFolder(), 'figures.json');
    expect(await cli(['report', file, '-o', copy])).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  it('groups by a column of the list, in every format', async () => {
    const file = fileOf('scored.jsonl', now);
    const by = ['--by', 'input.kind'];
    expect((await cli(['report', file, ...by])).stdout).toMatch(
      /\nBY input\.kind +ROWS +SHARE +MATCHED +MEDIAN SCORE +MEDIAN COLLATERAL\nfund +15 +75% +0 +440 +\$800\nno value +5 +25% +0 +640 +\$1\.8k\n/,
    );
    expect((await cli(['report', file, ...by, '--format', 'md'])).stdout).toContain('| `fund` | 15 | 75% | 0 | 440 |');
    expect((await cli(['report', file, ...by, '--format', 'html'])).stdout).toContain('>By input.kind</h2>');
  });

  it('refuses a field that no answer has and suggests the nearest one; accepts an optional field', async () => {
    const file = fileOf('scored.jsonl', now);
    const { stdout, stderr, exitCode } = await cli(['report', file, '--by', 'defi_score.risk_levle']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain('did you mean defi_score.risk_level');
    expect((await cli(['report', file, '--by', 'defi_score.risk_levle?'])).stdout).toMatch(/\nno value +20 +100% /);
  });

  it('limits the number of groups and counts the remaining rows together', async () => {
    const file = fileOf('scored.jsonl', now);
    const more = Array.from({ length: 1_200 }, (_, i) => {
      const [wallet] = addresses(1, 1_000 + i);
      const meta = { line: i, input: { n: `n${i}` }, status: 'scored', score: i };
      return `${JSON.stringify({ wallet_address: wallet, total_collateral_usd: 1, defi_score: { defi_score: i }, _meta: meta })}\n`;
    });
    writeFileSync(file, more.join(''));
    const { groups, other_values } = JSON.parse((await cli(['report', file, '--json', '--by', 'input.n'])).stdout);
    expect(groups).toHaveLength(1_000);
    expect(other_values).toMatchObject({ rows: 200, score: { lowest: 1_000, highest: 1_199 } });
    expect((await cli(['report', file, '--by', 'input.n'])).stdout).toMatch(
      /\nall other values +200 .*\nand 960 more\n/,
    );
  });
});

describe('riskcli report with a baseline', () => {
  const before = (i: number) => ({ ...now(i), level: i < 3 ? 'Low Risk' : now(i).level });

  it('counts changes between values of fields with few values, in every format', async () => {
    const folder = temporaryFolder();
    const [old, file] = [fileOf('old.jsonl', before, folder), fileOf('scored.jsonl', now, folder)];
    const line = ['report', file, '--baseline', old];
    const { stdout } = await cli(line);
    expect(stdout).toContain('\nWHAT CHANGED\nagainst old.jsonl: 0 changed, 0 added, 0 removed, 20 same\n');
    expect(stdout).toContain('psi of the score 0.000, which tells little of so few scores\n');
    expect(stdout).toMatch(/\nDEFI_SCORE\.RISK_LEVEL +WALLETS\nLow Risk +-> +High Risk +3\n/);
    expect((await cli([...line, '--format', 'md'])).stdout).toContain('| `Low Risk` → `High Risk` | 3 |');
    const { stdout: page } = await cli([...line, '--format', 'html']);
    expect(page).toMatch(/<h3>defi_score\.risk_level<\/h3>.*>Low Risk → High Risk<\/th>/);
    expect(JSON.parse((await cli([...line, '--json'])).stdout).changes).toEqual({
      baseline: 'old.jsonl',
      added: 0,
      removed: 0,
      changed: 0,
      same: 20,
      psi: 0,
      status: [],
      fields: [{ field: 'defi_score.risk_level', changes: [{ from: 'Low Risk', to: 'High Risk', wallets: 3 }] }],
    });
  });

  it('counts them for csv, by the columns that hold the fields', async () => {
    const folder = temporaryFolder();
    for (const [name, told] of [
      ['old', before],
      ['new', now],
    ] as const) {
      const rows = WALLETS.map((wallet, i) => `${wallet},${told(i).score},${told(i).level}\n`).join('');
      writeFileSync(
        join(folder, `${name}.csv`),
        `wallet_address,score=,defi_score.risk_level\n${rows}`.replace('score=', '_meta.score'),
      );
    }
    const line = ['report', join(folder, 'new.csv'), '--baseline', join(folder, 'old.csv'), '--json'];
    const { changes } = JSON.parse((await cli(line)).stdout);
    expect(changes.fields).toEqual([
      { field: 'defi_score.risk_level', changes: [{ from: 'Low Risk', to: 'High Risk', wallets: 3 }] },
    ]);
  });

  it('lists the largest falls of the score, and the stability index', async () => {
    const folder = temporaryFolder();
    const old = fileOf('old.jsonl', now, folder);
    const file = fileOf('scored.jsonl', (i) => ({ ...now(i), score: now(i).score - 100 }), folder);
    const { stdout } = await cli(['report', file, '--baseline', old]);
    expect(stdout).toMatch(/\npsi of the score \d\.\d{3}, /);
    expect(stdout).toMatch(/\nLARGEST FALLS IN SCORE +WAS +IS +CHANGE\nCustomer 0 +0x\w{40} +\d+ +\d+ +-100\n/);
  });

  it('does not list a change of less than a cent', async () => {
    const folder = temporaryFolder();
    const [old, file] = [fileOf('old.jsonl', now, folder), fileOf('scored.jsonl', now, folder)];
    const dust = (text: string) =>
      text.replace('_usd":100,', '_usd":100.0049,').replace('_usd":300,', '_usd":300.005,');
    writeFileSync(file, dust(readFileSync(file, 'utf8')));
    const { stdout } = await cli(['report', file, '--baseline', old]);
    expect(stdout).toContain(': 2 changed, 0 added');
    expect(stdout).toMatch(/\nLARGEST RISES IN COLLATERAL +WAS +IS +CHANGE\nCustomer 2 .* \+\$0\.01\n\n/);
  });
});

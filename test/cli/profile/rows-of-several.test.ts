/** What rows say in each format: whose spelling, what is incomplete, which fields, what a gate found. */
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { type Reply, startServer } from '../../fixtures/service/server.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const FORMATS = ['json', 'jsonl', 'csv', 'table'] as const;

async function serve(respond: (wallet: string) => Reply) {
  const server = await startServer(({ path }) => respond(path.slice(path.lastIndexOf('/') + 1)));
  return {
    server,
    env: { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'test_key_0123456789' },
    [Symbol.asyncDispose]: server.close,
  };
}

const answer = (wallet: string, more: Record<string, unknown> = {}): Reply => ({
  body: {
    wallet_address: wallet,
    total_collateral_usd: 5,
    defi_score: { defi_score: 700, risk_level: 'Low' },
    ...more,
  },
});

/** The values of one column, or member, of a list in `format`. */
function column(stdout: string, format: (typeof FORMATS)[number], name: string): unknown[] {
  const lines = stdout.trimEnd().split('\n');
  if (format === 'table') return lines.map((line) => line.split('\t')[0]);
  if (format === 'csv') return (parse(stdout, { columns: true }) as Record<string, string>[]).map((row) => row[name]);
  const rows = format === 'json' ? JSON.parse(stdout) : lines.map((line) => JSON.parse(line));
  return rows.map((row: Record<string, unknown>) => row[name]);
}

describe('wallet_address', () => {
  it.each(FORMATS)('is spelled as in the answer in %s, however the list spells it', async (format) => {
    await using service = await serve(() => answer(WALLET));
    const stdin = `${WALLET.toLowerCase()}\n${WALLET}\n0x${WALLET.slice(2).toUpperCase()}\n`;
    const { stdout } = await cli(['profile', '-', '--format', format], { env: service.env, stdin });
    expect(column(stdout, format, 'wallet_address')).toEqual([WALLET, WALLET, WALLET]);
  });

  it.each(FORMATS)('is spelled as in the input in %s if there is no answer', async (format) => {
    await using service = await serve(() => ({ status: 404, body: { error: 'no such wallet' } }));
    const { stdout } = await cli(['profile', '-', '--format', format], {
      env: service.env,
      stdin: `${address(0xab)}\n`,
    });
    expect(column(stdout, format, 'wallet_address')).toEqual([address(0xab)]);
  });
});

describe('an incomplete answer', () => {
  const WARNING = 'errors: Aave V3: timed out; price_warnings: stale';
  const incomplete = { errors: { 'Aave V3': 'timed out', Lido: null }, price_warnings: ['stale'], error: '' };
  const list = `${address(1)}\n${address(2)}\n`;
  const serveOne = () => serve((wallet) => answer(wallet, wallet === address(2) ? incomplete : { errors: {} }));

  it('has a warning in csv, in jsonl, on a pipe and on a terminal', async () => {
    await using service = await serveOne();
    const go = async (...args: string[]) =>
      (await cli(['profile', '-', ...args], { env: service.env, stdin: list })).stdout;
    expect(column(await go('--csv'), 'csv', 'warning')).toEqual(['', WARNING]);
    expect(column(await go('--jsonl'), 'jsonl', '_meta')).toEqual([
      expect.not.objectContaining({ warning: expect.anything() }),
      expect.objectContaining({ status: 'scored', warning: WARNING }),
    ]);
    expect(await go()).toBe(`${address(1)}\tscored\t5\t700\t\n${address(2)}\tscored\t5\t700\t${WARNING}\n`);
    const { stdout } = await cli(['profile', '-'], { env: service.env, stdin: list, tty: { stdout: true } });
    expect(stdout.split('\n')).toHaveLength(5);
    expect(stdout.replaceAll(/\u001b\[\d+m/g, '')).toMatch(new RegExp(` 700\\n0x\\S+ .* 700\\n {4}${WARNING}\\n$`));
  });
});

describe('--fields', () => {
  const go = async (args: readonly string[]) => {
    await using service = await serve((wallet) => answer(wallet));
    return await cli(['profile', '-', ...args], { env: service.env, stdin: `${address(1)}\n` });
  };

  it('with + adds to the default fields, under names that are free', async () => {
    const field = ['--fields', '+level=defi_score.risk_level'];
    const { stdout } = await go(['--csv', ...field]);
    expect(stdout.split('\n')[0]).toBe(
      'wallet_address,status,total_collateral_usd,score,answered_at,warning,error,level',
    );
    expect(column(stdout, 'csv', 'level')).toEqual(['Low']);
    const twice = ['--fields', '+level=defi_score.risk_level,wallet_address=defi_score.risk_level'];
    const [row] = JSON.parse((await go(['--json', ...twice])).stdout);
    const names = { wallet_address: address(1), level: 'Low', 'riskcli.wallet_address': 'Low' };
    expect(row).toMatchObject({ ...names, _meta: { status: 'scored' } });
    expect((await go(field)).stdout).toBe(`${address(1)}\tscored\t5\t700\t\tLow\n`);
  });

  it('with + adds to the output of one wallet, in every format', async () => {
    await using service = await serve((wallet) => answer(wallet));
    const one = async (...args: string[]) =>
      (await cli(['profile', address(1), '--fields', '+level=defi_score.risk_level', ...args], { env: service.env }))
        .stdout;
    expect(await one()).toMatch(/^wallet_address\t[\s\S]*\nlevel\tLow\n$/);
    expect(JSON.parse(await one('--json'))).toMatchObject({ total_collateral_usd: 5, level: 'Low' });
    const { stdout } = await cli(['profile', address(1), '--fields', '+level=defi_score.risk_level'], {
      env: service.env,
      tty: { stdout: true },
    });
    expect(stdout.replaceAll(/\u001b\[\d+m/g, '')).toMatch(/^Wallet {6}[\s\S]*\n\nlevel {2}Low\n$/);
  });

  it('may be given twice and accumulates', async () => {
    const { stdout } = await go(['--csv', '--fields', 'wallet_address', '--fields', 'level=defi_score.risk_level']);
    expect(stdout).toBe(`wallet_address,level\n${address(1)},Low\n`);
  });
});

describe('stderr with --json', () => {
  it('has one JSON object per line, including the summary on a terminal', async () => {
    await using service = await serve((wallet) => answer(wallet));
    const { stderr } = await cli(['profile', '-', '--json'], {
      env: { ...service.env, TERM: 'dumb' },
      stdin: `${address(1)}\n${address(2)}\n`,
      tty: { stderr: true },
    });
    expect(JSON.parse(stderr).note).toMatch(/^rows 2: scored 2; requests 2 in \d+/);
  });
});

describe('a column of the list', () => {
  it('that is text is told, and one is shown, where only numbers and dates have an order', async () => {
    await using service = await serve((wallet) => answer(wallet));
    const stdin = `holder,amount\n${address(1)},"1.000,50"\n${address(2)},300\n${address(3)},\n${address(4)},"7,5"\n`;
    const args = ['profile', '-', '--csv', '--where', 'input.amount > 100'];
    const { stdout, stderr } = await cli(args, { env: service.env, stdin });
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stderr).toBe(
      "riskcli: rows not shown, since they lack this value: 1\nriskcli: rows not shown, since this value is no number: 2, such as '1.000,50'\n",
    );
  });

  it('that is nested in JSON is missing in csv, which is told a person once, unless a field of it is picked', async () => {
    await using service = await serve((wallet) => answer(wallet));
    const stdin = [1, 2].map((i) => JSON.stringify({ address: address(i), client: { name: `n${i}` } })).join('\n');
    const run = { env: service.env, stdin };
    const note = "csv has no column for input.client of the list; --fields '+NAME=input.client.MEMBER' adds one";
    const seen = { ...run, tty: { stderr: true }, columns: 200 };
    const args = ['profile', '-', '--csv'];
    expect((await cli(args, seen)).stderr.split(note)).toHaveLength(2);
    expect((await cli(args, run)).stderr).toBe('');
    const picked = await cli([...args, '--fields', '+client=input.client.name'], seen);
    expect(picked.stderr).not.toContain(note);
    expect(picked.stdout).toContain(',n2\n');
  });
});

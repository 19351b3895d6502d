/**
 * What rows say in each format: whose spelling, what is incomplete, and which fields.
 */
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { cli, type RunOptions } from '../../fixtures/cli/here.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { startAnswers } from '../../fixtures/service/answers.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const FORMATS = ['json', 'jsonl', 'csv', 'table'] as const;
const ANSWER = { total_collateral_usd: 5, defi_score: { defi_score: 700, risk_level: 'Low' } };
const TERMINAL = { tty: { stdout: true } };

interface Run extends RunOptions {
  readonly answerFor?: (wallet: string) => object | undefined;
}

/**
 * Runs `riskcli profile` with `args` against a service that has an answer for every wallet, and a
 * list of one wallet.
 */
async function profile(args: readonly string[], { answerFor = () => ANSWER, env, ...options }: Run = {}) {
  await using service = await startAnswers(answerFor);
  return await cli(['profile', ...args], { stdin: `${address(1)}\n`, ...options, env: { ...service.env, ...env } });
}

/** The values of one column, or member, of a list in `format`. */
function column(stdout: string, format: (typeof FORMATS)[number], name: string): unknown[] {
  const lines = stdout.trimEnd().split('\n');
  if (format === 'table') return lines.map((line) => line.split('\t')[0]);
  if (format === 'csv') return (parse(stdout, { columns: true }) as Record<string, string>[]).map((row) => row[name]);
  const rows = format === 'json' ? JSON.parse(stdout) : lines.map((line) => JSON.parse(line));
  return rows.map((row: Record<string, unknown>) => row[name]);
}

const plain = (text: string) => text.replaceAll(/\u001b\[\d+m/g, '');

it.each(FORMATS)('spells wallet_address in %s as in the answer, else as in the list', async (format) => {
  const answerFor = (wallet: string) => (wallet === address(0xab) ? undefined : { ...ANSWER, wallet_address: WALLET });
  const spellings = [WALLET.toLowerCase(), WALLET, `0x${WALLET.slice(2).toUpperCase()}`, address(0xab)];
  const { stdout } = await profile(['-', '--format', format], { answerFor, stdin: spellings.join('\n') });
  expect(column(stdout, format, 'wallet_address')).toEqual([WALLET, WALLET, WALLET, address(0xab)]);
});

it('shows the warning of an incomplete answer in csv, in jsonl, on a pipe and on a terminal', async () => {
  const WARNING = 'errors: Aave V3: timed out; price_warnings: stale';
  const incomplete = { errors: { 'Aave V3': 'timed out', Lido: null }, price_warnings: ['stale'], error: '' };
  const answerFor = (wallet: string) => ({ ...ANSWER, ...(wallet === address(2) ? incomplete : { errors: {} }) });
  const list = { answerFor, stdin: `${address(1)}\n${address(2)}\n` };
  const go = async (...args: string[]) => (await profile(['-', ...args], list)).stdout;
  expect(column(await go('--csv'), 'csv', 'warning')).toEqual(['', WARNING]);
  expect(column(await go('--jsonl'), 'jsonl', '_meta')).toEqual([
    expect.not.objectContaining({ warning: expect.anything() }),
    expect.objectContaining({ status: 'scored', warning: WARNING }),
  ]);
  expect(await go()).toBe(`${address(1)}\tscored\t5\t700\t\n${address(2)}\tscored\t5\t700\t${WARNING}\n`);
  const { stdout } = await profile(['-'], { ...list, ...TERMINAL });
  expect(stdout.split('\n')).toHaveLength(5);
  expect(plain(stdout)).toMatch(new RegExp(` 700\\n0x\\S+ .* 700\\n {4}${WARNING}\\n$`));
});

const LEVEL = ['--fields', '+level=defi_score.risk_level'];

it('adds --fields with + to the default fields, under names that are free', async () => {
  const { stdout } = await profile(['-', '--csv', ...LEVEL]);
  expect(stdout.split('\n')[0]).toBe(
    'wallet_address,status,total_collateral_usd,score,answered_at,warning,error,level',
  );
  expect(column(stdout, 'csv', 'level')).toEqual(['Low']);
  const twice = [...LEVEL, '--fields', 'wallet_address=defi_score.risk_level'];
  const [row] = JSON.parse((await profile(['-', '--json', ...twice])).stdout);
  const names = { wallet_address: address(1), level: 'Low', 'riskcli.wallet_address': 'Low' };
  expect(row).toMatchObject({ ...names, _meta: { status: 'scored' } });
  expect((await profile(['-', ...LEVEL])).stdout).toBe(`${address(1)}\tscored\t5\t700\t\tLow\n`);
});

it('adds --fields with + to the output of one wallet, in every format', async () => {
  const one = async (...args: string[]) => (await profile([address(1), ...LEVEL, ...args])).stdout;
  expect(await one()).toMatch(/^wallet_address\t[\s\S]*\nlevel\tLow\n$/);
  expect(JSON.parse(await one('--json'))).toMatchObject({ total_collateral_usd: 5, level: 'Low' });
  const { stdout } = await profile([address(1), ...LEVEL], TERMINAL);
  expect(plain(stdout)).toMatch(/^Wallet {6}[\s\S]*\n\nlevel {2}Low\n$/);
});

it('accumulates --fields given twice', async () => {
  const { stdout } = await profile(['-', '--csv', '--fields', 'wallet_address', '--fields', 'score']);
  expect(stdout).toBe(`wallet_address,score\n${address(1)},700\n`);
});

it('prints the summary on a terminal as a JSON object with --json', async () => {
  const { stderr } = await profile(['-', '--json'], { env: { TERM: 'dumb' }, tty: { stderr: true } });
  expect(JSON.parse(stderr).note).toMatch(/^rows 1: scored 1; requests 1 in \d+/);
});

it('counts the rows whose column is text where --where compares numbers', async () => {
  const stdin = `holder,amount\n${address(1)},"1.000,50"\n${address(2)},300\n${address(3)},\n${address(4)},"7,5"\n`;
  const { stdout, stderr } = await profile(['-', '--csv', '--where', 'input.amount > 100'], { stdin });
  expect(stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(stderr).toBe(
    "riskcli: rows not shown, since they lack this value: 1\nriskcli: rows not shown, since this value is no number: 2, such as '1.000,50'\n",
  );
});

it('notes on a terminal that csv lacks a nested column, unless a field of it is picked', async () => {
  const stdin = [1, 2].map((i) => JSON.stringify({ address: address(i), client: { name: `n${i}` } })).join('\n');
  const note = "csv has no column for input.client of the list; --fields '+NAME=input.client.MEMBER' adds one";
  const seen = { stdin, tty: { stderr: true }, columns: 200 };
  expect((await profile(['-', '--csv'], seen)).stderr.split(note)).toHaveLength(2);
  expect((await profile(['-', '--csv'], { stdin })).stderr).toBe('');
  const picked = await profile(['-', '--csv', '--fields', '+client=input.client.name'], seen);
  expect(picked.stderr).not.toContain(note);
  expect(picked.stdout).toContain(',n2\n');
});

/** Two to four wallets typed on a terminal: their cards, below one another. */
import { describe, expect, it } from 'vitest';
import { cli, type RunOptions } from '../../fixtures/cli/here.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { startServer } from '../../fixtures/service/server.ts';

const REFUSED = address(2);
const WIDE = '日本語';

/** Runs `riskcli profile` on a terminal; the service knows all wallets but one. */
async function go(args: readonly string[], options: RunOptions = {}) {
  await using server = await startServer(({ path }) => {
    const wallet = path.slice(path.lastIndexOf('/') + 1);
    if (wallet === REFUSED) return { status: 404, body: { error: 'no such wallet' } };
    const defi_score = { defi_score: Number(wallet.slice(-2)), risk_level: 'Low' };
    return { body: { wallet_address: wallet, total_collateral_usd: 5, defi_score, note: WIDE } };
  });
  const env = { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'test_key_0123456789', NO_COLOR: '1' };
  const at = { tty: { stdout: true }, columns: 120, ...options, env: { ...env, ...options.env } };
  return await cli(['profile', ...args], at);
}

const isTable = (stdout: string) => stdout.startsWith('WALLET ');

describe('a few wallets on a terminal', () => {
  it('are shown as cards below one another, in the order typed', async () => {
    const { stdout, stderr, exitCode } = await go([address(0x30), address(0x10)]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const card = (wallet: number, score: number) => [
      `Wallet      ${address(wallet)}`,
      'Collateral  $5.00',
      `Score       ${score}  (defi_score.defi_score)  risk_level Low`,
      '',
      `note  ${WIDE}`,
      '',
    ];
    expect(stdout.split('\n')).toEqual([...card(0x30, 30), ...card(0x10, 10)]);
  });

  it('show the reason in place of a refused wallet, and which matched a rule', async () => {
    const { stdout, exitCode } = await go([address(0x30), REFUSED, '--fail-if', 'high: score > 20']);
    expect(stdout).toContain(`Wallet      ${REFUSED}\nError       `);
    expect(stdout.match(/^Matched {5}high$/gm)).toHaveLength(1);
    expect(exitCode).toBe(10);
  });

  it('are those that were answered if the list stops', async () => {
    const { stdout, exitCode } = await go([address(1), address(3), '--max-requests', '1', '--concurrency', '1']);
    expect(stdout).toContain(`Wallet      ${address(1)}\n`);
    expect(stdout).not.toContain(address(3));
    expect(exitCode).toBe(7);
  });
});

describe('wallets are rows', () => {
  it.each([
    ['where they are five', [1, 3, 4, 5, 6].map(address), {}],
    ['where they are read from a list', ['-'], { stdin: `${address(1)}\n${address(3)}\n` }],
    ['where fields are added', [address(1), address(3), '--fields', '+note'], {}],
  ])('of a table %s', async (_, args, options) => {
    expect(isTable((await go(args, options)).stdout)).toBe(true);
  });

  it('on a pipe of any width', async () => {
    const { stdout } = await go([address(1), address(3)], { tty: {}, columns: 400 });
    expect(stdout).toBe(`${address(1)}\tscored\t5\t1\t\n${address(3)}\tscored\t5\t3\t\n`);
  });
});

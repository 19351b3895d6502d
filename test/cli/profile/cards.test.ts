/** Two to four wallets typed on a terminal: their cards side by side where they fit, else the rows of a list. */
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/text/width.ts';
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
  return { ...(await cli(['profile', ...args], at)), requests: server.requests.length };
}

const isTable = (stdout: string) => stdout.startsWith('WALLET ');

describe('a few wallets on a terminal', () => {
  it('are shown as cards side by side, in the order typed', async () => {
    const { stdout, stderr, exitCode } = await go([address(0x30), address(0x10)]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout.split('\n')).toEqual([
      `Wallet      ${address(0x30)}  │ Wallet      ${address(0x10)}`,
      `Collateral  $5.00${' '.repeat(38)} │ Collateral  $5.00`,
      'Score       30  (defi_score.defi_score)  risk_level Low │ Score       10  (defi_score.defi_score)  risk_level Low',
      `${' '.repeat(55)} │`,
      `note  ${WIDE}${' '.repeat(43)} │ note  ${WIDE}`,
      '',
    ]);
  });

  it('stay aligned in colour', async () => {
    const { stdout } = await go([address(0x30), address(0x10)], { env: { NO_COLOR: '', TERM: 'xterm' } });
    expect(stdout).toContain('\u001b[1m');
    const plain = stdout.replaceAll(/\u001b\[\d+m/g, '').replaceAll(/ +$/gm, '');
    expect(plain).toBe((await go([address(0x30), address(0x10)])).stdout);
  });

  it('have their addresses on a separate line if columns are narrow', async () => {
    const { stdout } = await go([1, 3, 4].map(address), { columns: 140 });
    expect(stdout.split('\n')[0]).toMatch(/^Wallet {39}│ Wallet {39}│ Wallet$/);
    expect(stdout.split('\n')[1]).toBe(`  ${[1, 3, 4].map(address).join(' │   ')}`);
  });

  it('follow --sort and --where', async () => {
    const wallets = [address(0x30), address(0x10), address(0x20)];
    const { stdout } = await go([...wallets, '--sort', '_meta.score', '--top', '2'], { columns: 120 });
    expect(stdout.split('\n')[0]).toMatch(new RegExp(`^Wallet +${address(0x10)} +│ Wallet +${address(0x20)}$`));
  });

  it('show the reason in place of a refused wallet', async () => {
    const { stdout, stderr, exitCode } = await go([address(1), REFUSED, address(3)], { columns: 170 });
    const columns = (stdout.split('\n')[1] ?? '').split(' │ ').map((cell) => cell.trim());
    expect(columns).toEqual([
      'Collateral  $5.00',
      expect.stringMatching(/^Error {7}\S+ refused the request/),
      'Collateral  $5.00',
    ]);
    expect(stdout.split('\n')[0]).toContain(`│ Wallet      ${REFUSED} │`);
    expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining('2 scored, 1 failed'), exitCode: 3 });
  });

  it('say which wallets matched a rule', async () => {
    const { stdout, exitCode } = await go([address(0x30), address(0x10), '--fail-if', 'low: _meta.score < 20']);
    expect(stdout).toMatch(/ │ Matched {5}low$/m);
    expect(stdout.match(/Matched/g)).toHaveLength(1);
    expect(exitCode).toBe(10);
  });

  it('are requested once if typed twice', async () => {
    const { stdout, requests } = await go([address(1), address(1)]);
    expect(stdout.split(address(1))).toHaveLength(3);
    expect(requests).toBe(1);
  });

  it.each([44, 60, 90, 91, 120, 137, 138, 185, 300])('fit %d columns', async (columns) => {
    for (const count of [2, 3, 4]) {
      const { stdout } = await go(
        Array.from({ length: count }, (_, i) => address(i + 3)),
        { columns },
      );
      expect(isTable(stdout)).toBe(columns < 47 * count - 3);
      for (const line of stdout.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
  });
});

describe('wallets are rows', () => {
  it.each([
    ['where their cards do not fit', [address(1), address(3)], { columns: 90 }],
    ['where they are five', [1, 3, 4, 5, 6].map(address), { columns: 400 }],
    ['where they are read from a list', ['-'], { stdin: `${address(1)}\n${address(3)}\n` }],
    ['where fields are added', [address(1), address(3), '--fields', '+note'], {}],
  ])('of a table %s', async (_, args, options) => {
    expect(isTable((await go(args, options)).stdout)).toBe(true);
  });

  it('if the list stops before all answers arrive', async () => {
    const { stdout, exitCode } = await go([address(1), address(3), '--max-requests', '1', '--concurrency', '1']);
    expect(stdout).toMatch(new RegExp(`^WALLET .*\\n${address(1)} .*\\n$`));
    expect(exitCode).toBe(7);
  });

  it('on a pipe of any width', async () => {
    const { stdout } = await go([address(1), address(3)], { tty: {}, columns: 400 });
    expect(stdout).toBe(`${address(1)}\tscored\t5\t1\t\n${address(3)}\tscored\t5\t3\t\n`);
  });
});

describe('cards longer than the screen', () => {
  const cards = async (rows: number, ...flags: string[]) => {
    const paged: string[] = [];
    const page = async (text: string) => paged.push(text) > 0;
    const { stdout } = await go([address(1), address(3), ...flags], { rows, page });
    return { paged: paged.length, stdout };
  };

  it('are shown in the pager once all answers have arrived', async () => {
    expect(await cards(5)).toEqual({ paged: 1, stdout: '' });
  });

  it('report the time that the answers took, without the time in the pager', async () => {
    let readMs = 0;
    const page = async () => {
      readMs = 3_600_000;
      return true;
    };
    const monotonic = () => performance.now() + readMs;
    const seen = { tty: { stdout: true, stderr: true }, rows: 5, page, monotonic };
    expect((await go([address(1), address(3)], seen)).stderr).toMatch(/2 requests in \d+(\.\d+)?m?s\n$/);
    expect(readMs).toBeGreaterThan(0);
  });

  it('are not paged if they fit or nobody is to be waited for', async () => {
    for (const shown of [await cards(20), await cards(5, '--no-input')]) {
      expect(shown).toEqual({ paged: 0, stdout: expect.stringContaining(address(3)) });
    }
  });
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileOf } from '../../../src/sandbox/profile.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { startService } from '../../fixtures/service/sandbox.ts';
import { type Reply, startServer } from '../../fixtures/service/server.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const CONTRACT = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const KEY = 'wrp_canary-Qk3v9_xT7mZ2pL8';

/** Serves `reply` for every wallet. */
async function serve(reply: (wallet: string, count: number) => Reply) {
  const server = await startServer(({ path }, count) => reply(path.replace('/v1/risk-profile/', ''), count));
  return { server, env: { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY } };
}

const scored = (wallet: string, score: unknown = 474) => ({
  body: { wallet_address: wallet, total_collateral_usd: 1234.5, defi_score: { defi_score: score } },
});

describe('one wallet', () => {
  it('sends the key in the configured header and nowhere else', async () => {
    const { server, env } = await serve((wallet) => scored(wallet));
    const plain = await cli(['profile', WALLET, '-v'], { env });
    const bearer = await cli(['profile', WALLET, '-v'], { env: { ...env, RISKCLI_AUTH: 'bearer' } });
    expect(server.requests.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
      [KEY, undefined],
      [undefined, `Bearer ${KEY}`],
    ]);
    expect(JSON.stringify([plain, bearer, server.requests.map(({ path }) => path)])).not.toContain('Qk3v9');
    expect(plain.stderr).toMatch(/GET \/v1\/risk-profile\/0xd8dA\S+ 200 in \d+ ms/);
    await server.close();
  });

  it.each([
    ['defi_score.defi_score < 500', 10],
    ['defi_score.defi_score < 400', 0],
    ['defi_score.nothing > 1', 2],
    ['defi_score missing', 0],
  ])('--fail-if %j ends with %i after the output', async (condition, exitCode) => {
    const { server, env } = await serve((wallet) => scored(wallet));
    const outcome = await cli(['profile', WALLET, '--fail-if', condition], { env });
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stdout).toContain('474');
    await server.close();
  });
});

describe('wallet arguments are checked before anything is sent', () => {
  it.each([
    ['a wrong checksum', WALLET.replace('B', 'b'), /checksum.*0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045/],
    ['an ENS name', 'vitalik.eth', /ENS/],
    ['no prefix', WALLET.slice(2), /0x/],
    ['a link', `https://etherscan.io/address/${WALLET}`, /0xd8dA/],
    ['too short', '0x1234', /40 hex digits/],
    ['a path', `../${WALLET}`, /not a wallet/],
    ['a query', `${WALLET}?api-key=x`, /not a wallet/],
  ])('%s is exit 2, and nothing is sent', async (_, text, message) => {
    const { server, env } = await serve((wallet) => scored(wallet));
    const { stdout, stderr, exitCode } = await cli(['profile', CONTRACT, text, '--no-input'], { env });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(message);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(server.requests).toHaveLength(0);
    await server.close();
  });
});

describe('several wallets', () => {
  it('prints a row for each, in order, with one request per distinct wallet', async () => {
    const service = await startService();
    const { stdout, stderr, exitCode } = await cli(['profile', CONTRACT, WALLET, CONTRACT, '--jsonl'], {
      env: service.env,
    });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ _meta }) => [_meta.line, _meta.input, _meta.status])).toEqual([
      [1, CONTRACT, 'scored'],
      [2, WALLET, 'scored'],
      [3, CONTRACT, 'scored'],
    ]);
    expect(service.requests()).toBe(2);
  });
});

describe('a list', () => {
  /** A stop waits for requests in flight, so the clock runs. */
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const list = (lines: readonly string[]) => `${lines.join('\n')}\n`;

  it('--fail-if counts what matched, and fails closed on rows without an answer', async () => {
    const { server, env } = await serve((wallet) => scored(wallet, wallet === address(2) ? 300 : 700));
    const stdin = list([address(1), address(2), 'nonsense']);
    const flags = ['--csv', '--fail-if', 'defi_score.defi_score < 400'];
    const strict = await cli(['profile', '-', ...flags], { env, stdin });
    expect([strict.exitCode, strict.stderr]).toEqual([
      10,
      expect.stringContaining(`matched 1, not judged 1, first ${address(2)} in line 2`),
    ]);
    const lenient = await cli(['profile', '-', ...flags, '--accept', 'invalid'], {
      env,
      stdin: list([address(1), 'nonsense']),
    });
    expect(lenient).toMatchObject({ exitCode: 0, stderr: '' });
    await server.close();
  });

  it('--max-requests stops it, and the same command resumes from the journal', async () => {
    const service = await startService();
    const folder = temporaryFolder();
    const input = join(folder, 'list.txt');
    const output = join(folder, 'out.csv');
    writeFileSync(input, list([1, 2, 3, 4, 5].map(address)));
    const first = await cli(['profile', '-f', input, '-o', output, '--max-requests', '2'], { env: service.env, sleep });
    expect(first.exitCode).toBe(7);
    expect(first.stderr).toMatch(
      /^riskcli: requests needed 5, allowed by --max-requests 2: the list will stop there\nriskcli: the limit of --max-requests 2 is reached \(scored 2, pending 3\); .*\n$/,
    );
    expect([existsSync(output), existsSync(`${output}.journal`)]).toEqual([false, true]);
    const second = await cli(['profile', '-f', input, '-o', output], { env: service.env });
    expect(second).toEqual({
      stdout: '',
      stderr: expect.stringContaining('answers used again: 2'),
      exitCode: 0,
    });
    expect(service.requests()).toBe(5);
    expect([existsSync(output), existsSync(`${output}.journal`)]).toEqual([true, false]);
    expect(readFileSync(output, 'utf8').trimEnd().split('\n')).toHaveLength(6);
  });

  it('--max-age requests older answers again, and nothing else', async () => {
    const { server, env } = await serve((wallet) => scored(wallet));
    const folder = temporaryFolder();
    const input = join(folder, 'list.txt');
    writeFileSync(input, `${WALLET}\n${CONTRACT}\n`);
    const HOUR = 3_600_000;
    const sentAfter = async (ms: number, ...flags: readonly string[]) => {
      const now = () => Date.parse('2026-03-01T00:00:00Z') + ms;
      await cli(['profile', '-f', input, '--csv', '--journal', join(folder, 'j'), ...flags], { env, now });
      return server.requests.length;
    };
    expect(await sentAfter(0)).toBe(2);
    expect(await sentAfter(2 * HOUR)).toBe(2);
    expect(await sentAfter(2 * HOUR, '--max-age', '3h')).toBe(2);
    expect(await sentAfter(2 * HOUR, '--max-age', '1h')).toBe(4);
    await server.close();
  });

  it('--concurrency 1 requests one wallet at a time, on one connection', async () => {
    const { server, env } = await serve((wallet) => scored(wallet));
    const stdin = Array.from({ length: 10 }, (_, i) => `${address(i)}\n`).join('');
    const { exitCode } = await cli(['profile', '-', '--csv', '--concurrency', '1'], { env, stdin });
    expect([exitCode, server.requests.length, server.connections()]).toEqual([0, 10, 1]);
    await server.close();
  });

  it('names --journal if the journal cannot be created', async () => {
    const service = await startService();
    const input = join(temporaryFolder(), 'list.txt');
    writeFileSync(input, list([address(1)]));
    const args = ['profile', '-f', input, '--csv', '--journal', '/proc/answers.journal'];
    const { stderr, exitCode } = await cli(args, { env: service.env });
    expect(exitCode).toBe(8);
    expect(stderr).toMatch(/cannot be created: .*; make its folder writable, or choose another file with --journal\n$/);
    expect(service.requests()).toBe(0);
  });

  it('--dry-run sends nothing, needs no key and says what it would cost', async () => {
    const service = await startService();
    const stdin = list([address(1), address(2), address(1), 'nonsense']);
    const { RISKCLI_API_KEY: _, ...env } = service.env;
    const { stdout, exitCode } = await cli(['profile', '-', '--dry-run', '--json'], { env, stdin });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 4,
      not_wallets: 1,
      distinct_wallets: 2,
      requests_needed: 2,
      rate_is_assumed: true,
    });
    expect(service.requests()).toBe(0);
  });
});

describe('without a key or a base URL', () => {
  it('works with --sandbox, says that the data is synthetic, and never sends a real key to it', async () => {
    const { stdout, stderr, exitCode } = await cli(['profile', WALLET, '--sandbox', '--json', '-q'], {
      env: { RISKCLI_API_KEY: KEY },
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(profileOf(WALLET)));
    expect(JSON.parse(stderr).note).toContain('synthetic');
  });
});

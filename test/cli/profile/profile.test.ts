import { describe, expect, it } from 'vitest';
import { profileOf } from '../../../src/sandbox/profile.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { type Reply, startServer } from '../../fixtures/service/server.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
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

it('--concurrency 1 requests one wallet of a list at a time, on one connection', async () => {
  const { server, env } = await serve((wallet) => scored(wallet));
  const stdin = Array.from({ length: 10 }, (_, i) => `${address(i)}\n`).join('');
  const { exitCode } = await cli(['profile', '-', '--csv', '--concurrency', '1'], { env, stdin });
  expect([exitCode, server.requests.length, server.connections()]).toEqual([0, 10, 1]);
  await server.close();
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

/** One wallet: where its key goes, how a gate ends, and what needs neither key nor address. */
import { afterAll, expect, it } from 'vitest';
import { profileOf } from '../../../src/sandbox/profile.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { startServer } from '../../fixtures/service/server.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const KEY = 'wrp_canary-Qk3v9_xT7mZ2pL8';

const { url, requests, connections, close } = await startServer(({ path }) => ({
  body: { wallet_address: path.split('/').at(-1), total_collateral_usd: 1234.5, defi_score: { defi_score: 474 } },
}));
afterAll(close);
const env = { RISKCLI_BASE_URL: url.href, RISKCLI_API_KEY: KEY };

it('sends the key of one wallet in the configured header and nowhere else', async () => {
  const before = requests.length;
  const plain = await cli(['profile', WALLET, '-v'], { env });
  const bearer = await cli(['profile', WALLET, '-v'], { env: { ...env, RISKCLI_AUTH: 'bearer' } });
  const sent = requests.slice(before);
  expect(sent.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
    [KEY, undefined],
    [undefined, `Bearer ${KEY}`],
  ]);
  expect(JSON.stringify([plain, bearer, sent.map(({ path }) => path)])).not.toContain('Qk3v9');
  expect(plain.stderr).toMatch(/GET \/v1\/risk-profile\/0xd8dA\S+ 200 in \d+ ms/);
});

it.each([
  ['defi_score.defi_score < 500', 10],
  ['defi_score.defi_score < 400', 0],
  ['defi_score.nothing > 1', 2],
  ['defi_score missing', 0],
])('prints one wallet under --fail-if %j, and exits with %i', async (condition, exitCode) => {
  const stdout = expect.stringContaining('474');
  expect(await cli(['profile', WALLET, '--fail-if', condition], { env })).toMatchObject({ exitCode, stdout });
});

it('requests one wallet of a list at a time with --concurrency 1, on one connection', async () => {
  const before = [requests.length, connections()];
  const stdin = addresses(10).join('\n');
  const { exitCode } = await cli(['profile', '-', '--csv', '--concurrency', '1'], { env, stdin });
  const after = [requests.length, connections()];
  expect([exitCode, ...after.map((count, i) => count - (before[i] ?? 0))]).toEqual([0, 10, 1]);
});

it('needs no key and no base URL with --sandbox, which gets no real key', async () => {
  const args = ['profile', WALLET, '--sandbox', '--json', '-q'];
  const { stdout, stderr, exitCode } = await cli(args, { env: { RISKCLI_API_KEY: KEY } });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(profileOf(WALLET)));
  expect(JSON.parse(stderr).note).toContain('synthetic');
});

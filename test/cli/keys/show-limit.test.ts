import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { failCall } from '../../fixtures/place/calls.ts';
import { configFolder } from '../../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { startServer } from '../../fixtures/service/server.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const NOW = Date.parse('2026-06-01T00:00:00Z');
const WALLET = `0x${'1'.repeat(40)}`;

/** A service that tells its limit, and an environment that knows it. */
async function stage({ answersThatTell = Number.POSITIVE_INFINITY } = {}) {
  const limits = { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '49', 'x-ratelimit-reset': '2' };
  const server = await startServer(({ path }) => ({
    headers: server.requests.length <= answersThatTell ? limits : {},
    body: { wallet_address: path.split('/').at(-1), total_collateral_usd: 1, defi_score: { score: 1 } },
  }));
  onTestFinished(() => server.close());
  const state = temporaryFolder();
  const folder = configFolder({ 'config.json': { environments: { default: { 'monthly-requests': 100 } } } });
  const env = { ...folder.env, XDG_STATE_HOME: state, RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href };
  return { server, state, options: { env, now: () => NOW } };
}

it('shows the limit that one request revealed', async () => {
  const { options } = await stage();
  expect((await cli(['profile', WALLET], options)).exitCode).toBe(0);
  const { stdout } = await cli(['keys', 'show', '--json'], options);
  expect(JSON.parse(stdout)).toMatchObject({
    limit: 50,
    remaining: 49,
    reset_at: '2026-06-01T00:00:02.000Z',
    seen_at: '2026-06-01T00:00:00.000Z',
    requests_this_month: 1,
  });
});

it('shows the limits of an earlier answer if the last one named none', async () => {
  const { options } = await stage({ answersThatTell: 1 });
  for (let i = 0; i < 2; i++) await cli(['profile', WALLET], options);
  const { stdout } = await cli(['keys', 'show', '--json'], options);
  expect(JSON.parse(stdout)).toMatchObject({ limit: 50, remaining: 49, requests_this_month: 2 });
});

it('starts a list with the limit of an earlier answer if no answer names any', async () => {
  const { options } = await stage({ answersThatTell: 1 });
  await cli(['profile', WALLET], options);
  const { stderr } = await cli(['profile', '-', '--format', 'jsonl', '-v'], { ...options, stdin: WALLET });
  expect(stderr).toContain(' of 50/s');
});

it('learns no limit from a sandbox', async () => {
  const { state, options } = await stage();
  await cli(['profile', WALLET, '--sandbox'], options);
  expect(existsSync(`${state}/riskcli`)).toBe(false);
});

// 122
it.each([
  ['is not writable', () => failCall('accessSync', 'EACCES', (path) => String(path).endsWith('/riskcli'))],
  ['takes no file', () => failCall('openSync', 'EROFS', (path) => String(path).includes('/requests-'))],
  ['is writable by others', (folder: string) => mkdirSync(folder) ?? chmodSync(folder, 0o777)],
  ['cannot be created', (folder: string) => writeFileSync(folder, '')],
])('sends nothing when the folder for the count %s', async (_, spoil) => {
  const { server, state, options: spoiled } = await stage();
  spoil(join(state, 'riskcli'));
  for (const args of [
    ['profile', WALLET],
    ['profile', '-', '--csv'],
    ['keys', 'check'],
  ]) {
    const { exitCode, stdout, stderr } = await cli(args, { ...spoiled, stdin: WALLET });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 8,
      stdout: '',
      stderr: expect.stringMatching(
        /^riskcli: requests cannot be counted, as monthly-requests requires: .*; set XDG_STATE_HOME to /,
      ),
    });
  }
  expect(server.requests).toEqual([]);
});

it('counts the requests of earlier runs against monthly-requests', async () => {
  const { server, options } = await stage();
  const config = configFolder({ 'config.json': { environments: { default: { 'monthly-requests': 2 } } } });
  const limited = { ...options, env: { ...options.env, ...config.env } };
  for (let i = 0; i < 2; i++) expect((await cli(['profile', WALLET], limited)).exitCode).toBe(0);
  const dry = await cli(['profile', '-', '--dry-run', '--json'], { ...limited, stdin: WALLET });
  expect(JSON.parse(dry.stdout)).toMatchObject({
    requests_left_this_month: 0,
    fits: false,
    requests_per_second: 50,
    rate_is_assumed: false,
  });
  for (const args of [[WALLET], ['-', '--format', 'jsonl']]) {
    expect((await cli(['profile', ...args], { ...limited, stdin: WALLET })).exitCode).toBe(7);
  }
  expect(server.requests).toHaveLength(2);
  expect((await cli(['profile', WALLET], { ...limited, now: () => NOW + 30 * 86_400_000 })).exitCode).toBe(0);
});

/** A signal is heard while long and hostile answers are read and written. */
import { expect, it } from 'vitest';
import { bareEnv, start } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { startServer } from '../../fixtures/service/server.ts';

const WALLET = address(1);

it('stops on SIGTERM between two blocks of lines of one wallet', async () => {
  // Each of 20,000 values stands behind a path of 30,000 characters.
  const body = `{"wallet_address":"${WALLET}","total_collateral_usd":1,"${'k'.repeat(30_000)}":[${'1,'.repeat(20_000)}1]}`;
  await using server = await startServer(() => ({ body }));
  const { child, done } = start(['profile', WALLET], {
    env: bareEnv({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'test_key_0123456789' }),
  });
  child.stdout?.once('data', () => child.kill('SIGTERM'));
  const { exitCode, stdout } = await done;
  expect(exitCode).toBe(143);
  expect(stdout.length).toBeLessThan(300_000_000);
});

it('stops on SIGTERM between two rows of a list', async () => {
  const numbers = Array.from({ length: 2_000 }, (_, i) => i).join(',');
  await using server = await startServer(({ path }) => ({
    headers: { 'x-ratelimit-limit': '1000' },
    body: `{"wallet_address":"${path.slice(path.lastIndexOf('/') + 1)}","total_collateral_usd":${'1'.repeat(10_000)},"n":[${numbers}]}`,
  }));
  const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'test_key_0123456789' });
  place.write('list.txt', Array.from({ length: 400 }, (_, i) => `${address(i + 1)}\n`).join(''));
  const { child, done } = start(['profile', '-f', 'list.txt', '--concurrency', '4', '--csv'], {
    cwd: place.folder,
    env: { ...place.env },
  });
  while (server.requests.length < 12) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGTERM');
  const { exitCode, signal } = await done;
  expect([exitCode, signal]).toEqual(exitCode === null ? [null, 'SIGTERM'] : [143, null]);
  expect(server.requests.length).toBeLessThan(400);
});

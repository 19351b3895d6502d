/** Limits that cannot be, told by answers or remembered: neither a stall nor a burst comes of them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address, addresses } from '../fixtures/place/wallets.ts';
import { workplace } from '../fixtures/place/workplace.ts';
import { KEY, profileOf } from '../fixtures/service/client.ts';
import { startServer } from '../fixtures/service/server.ts';
import { waitedClock } from '../fixtures/waited-clock.ts';

/** What the smallest plan lets through in a second at once (contract, section 8). */
const SMALLEST_BURST = 20;
const WALLETS = 40;
const list = { stdin: addresses(WALLETS).join('\n') };

/** A service whose answers take a second and tell `headers`; how many requests had come when it first answered. */
async function startTelling(headers: Record<string, string>) {
  const server = await startServer(({ path }) => ({ headers, body: profileOf(path), afterMs: 1_000 }));
  const state = temporaryFolder();
  const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY, XDG_STATE_HOME: state });
  return { server, cli: place.cli, state: join(state, 'riskcli') };
}

it.concurrent.each([
  ['0', '0', '0'],
  ['0.00001', '0', '1'],
  ['999999999999999', '999999999999998', '1'],
  ['NaN', '-1', 'never'],
  ['10', '999999999999999', '4000000000'],
])('[70] Limit %s, Remaining %s, Reset %s stall no list and let none loose', async (limit, remaining, reset) => {
  const told = { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset };
  const { server, cli } = await startTelling(told);
  await using _ = server;
  const run = cli(['profile', '-', '--csv'], list);
  const early = new Promise<number>((resolve) => setTimeout(() => resolve(server.requests.length), 1_000));
  expect(await early).toBeLessThanOrEqual(SMALLEST_BURST);
  expect(await run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(server.requests).toHaveLength(WALLETS);
});

it.concurrent.each([0.000_01, 1e15])('[70] a remembered limit of %d is as none', async (limit) => {
  const { server, cli, state } = await startTelling({ 'x-ratelimit-limit': '400' });
  await using _ = server;
  const clock = waitedClock();
  await cli(['profile', address(999), '--json'], clock);
  const [file = ''] = readdirSync(state).filter((name) => name.startsWith('limit-'));
  // A file of another size is not read at all.
  const { length } = readFileSync(join(state, file));
  const text = JSON.stringify({ limit, remaining: limit, learnedAt: clock.now() });
  writeFileSync(join(state, file), `${text.padEnd(length - 1)}\n`);
  const { exitCode, stderr } = await cli(['profile', '-', '--csv', '-v'], { ...clock, ...list });
  expect(exitCode).toBe(0);
  // Requests sent before the first answer arrived were allowed without it.
  const [, inFlight] = /in flight \d+\n/.test(stderr) ? (/, in flight (\d+)\n/.exec(stderr) ?? []) : [];
  expect(Number(inFlight)).toBeLessThanOrEqual(SMALLEST_BURST);
  expect(server.requests).toHaveLength(1 + WALLETS);
});

import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { SignalError } from '../../src/errors.ts';
import { main } from '../../src/main.ts';
import { cli, type RunOptions, testHost } from '../fixtures/cli/here.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** A stream that collects its text and resolves `reached` when `enough` is true of it. */
function listen(enough: (text: string) => boolean) {
  let text = '';
  let reached = () => {};
  const done = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const stream = new Writable({
    write(chunk, _, next) {
      text += chunk;
      if (enough(text)) reached();
      next();
    },
  });
  return { stream, done, text: () => text };
}

/** Runs `riskcli sandbox ...args`, lets `visit` call on it, then sends it SIGINT. */
async function visit(
  args: readonly string[],
  call: (get: (path: string, headers?: Record<string, string>) => Promise<Response>, key: string) => Promise<void>,
  options: RunOptions = {},
) {
  const stop = new AbortController();
  const stdout = listen((text) => /API_KEY ?=.*\n/.test(text));
  const stderr = listen(() => false);
  const host = { ...testHost({ ...options, signal: stop.signal }), stdout: stdout.stream, stderr: stderr.stream };
  const ended = main(['sandbox', ...args], host);
  await Promise.race([stdout.done, ended]);
  const [, baseUrl = '', key = ''] =
    /^export RISKCLI_BASE_URL=(\S+)\nexport RISKCLI_API_KEY=(\S+)\n$/.exec(stdout.text()) ?? [];
  await call((path, headers) => fetch(`${baseUrl}${path}`, { headers }), key);
  stop.abort(new SignalError('SIGINT'));
  return { exitCode: await ended, stdout: stdout.text(), stderr: stderr.text() };
}

const nothing = async () => {};

it('prints lines for PowerShell on Windows, emulated', async () => {
  const { stdout } = await visit([], nothing, { platform: 'win32' });
  expect(stdout).toMatch(
    /^\$env:RISKCLI_BASE_URL = 'http:\/\/127\.0\.0\.1:\d+'\n\$env:RISKCLI_API_KEY = 'sandbox_[\w-]+'\n$/,
  );
});

it('prints two lines to paste, serves until interrupted, and says that the data is synthetic', async () => {
  const { exitCode, stderr } = await visit(['--plan', 'startup'], async (get, key) => {
    const answer = await get(`/v1/risk-profile/${WALLET}`, { 'X-API-Key': key });
    expect(answer.headers.get('x-ratelimit-limit')).toBe('50');
    expect(await answer.json()).toMatchObject({ wallet_address: WALLET });
  });
  expect(exitCode).toBe(130);
  expect(stderr).toContain('synthetic data, plan startup (50 requests a second, 100 at once, 100000 a month)');
});

it.each([
  ['2s', 2000, 2000],
  ['1s-5s', 1000, 5000],
  ['1000-5000', 1000, 5000],
  ['100-200ms', 100, 200],
  ['1.5s-2m', 1500, 120_000],
  ['0-20ms', 0, 20],
])('takes --latency %s', async (text, shortest, longest) => {
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  const ask = async (get: (path: string, headers?: Record<string, string>) => Promise<Response>, key: string) => {
    for (const path of ['/health', `/v1/risk-profile/${WALLET}`]) await get(path, { 'X-API-Key': key });
  };
  await visit(['--latency', text], ask, { sleep });
  expect(slept).toHaveLength(1);
  expect(slept[0]).toBeGreaterThanOrEqual(shortest);
  expect(slept[0]).toBeLessThanOrEqual(longest);
});

it.each(['100%', '1'])('fails on demand with --fail %s', async (share) => {
  await visit(['--fail', share], async (get, key) => {
    const ask = () => get(`/v1/risk-profile/${WALLET}`, { 'X-API-Key': key }).then((answer) => answer.text());
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, ask));
    for (const one of outcomes) {
      expect(one.status === 'rejected' || !one.value.includes('total_collateral_usd":')).toBe(true);
    }
  });
});

it('moves profiles with --drift, and else keeps them for ever', async () => {
  const at = async (days: number, ...args: string[]) => {
    let text = '';
    const now = () => Date.UTC(2026, 0, 1 + days);
    await visit(
      args,
      async (get, key) => {
        for (let i = 0; i < 10; i++) {
          const wallet = `0x${String(i).repeat(40)}`;
          text += await (await get(`/v1/risk-profile/${wallet}`, { 'X-API-Key': key })).text();
        }
      },
      { now },
    );
    return text;
  };
  expect(await at(30, '--drift')).not.toBe(await at(0, '--drift'));
  expect(await at(30)).toBe(await at(0));
});

it('prints a line for each request with -v, without keys or possible private keys', async () => {
  const { stderr } = await visit(['-v'], async (get, key) => {
    await get(`/v1/risk-profile/${WALLET}?api-key=${key}`);
    await get(`/v1/risk-profile/0x${'5'.repeat(64)}`);
    expect(key).toMatch(/^sandbox_/);
  });
  const lines = stderr.split('\n').filter((line) => line.includes('GET'));
  expect(lines).toEqual([
    expect.stringMatching(/^riskcli: GET \/v1\/risk-profile\/0xd8dA\S+ 200 \d+ ms$/),
    expect.stringMatching(/ 401 \d+ ms \(no key\)$/),
  ]);
  expect(stderr).not.toContain('55555');
  expect(stderr).not.toContain('api-key');
});

it.each([
  ['--port', '65536'],
  ['--port', '-1'],
  ['--port', 'x'],
  ['--plan', 'free'],
  ['--latency', '5s-1s'],
  ['--latency', 'slow'],
  ['--latency', '1s-2s-3s'],
  ['--fail', '2'],
  ['--fail', '503:10%'],
])('refuses to start a sandbox with %s %s', async (flag, value) => {
  const { exitCode, stdout, stderr } = await cli(['sandbox', `${flag}=${value}`]);
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(new RegExp(`^riskcli: .*${flag.replaceAll('-', '\\-')}.*; .*\n$`));
});

it('refuses an argument of sandbox', async () => {
  expect((await cli(['sandbox', WALLET])).exitCode).toBe(2);
});

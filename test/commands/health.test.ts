import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/folder.ts';
import { run } from '../helpers/run.ts';
import { startService } from '../helpers/sandbox.ts';
import { closedPort, startServer } from '../helpers/server.ts';

const OK = { status: 'ok', timestamp: '2026-11-20T00:00:00.000Z' };

describe('health of a service that is up', () => {
  it('shows status, time, clock difference and latency, without a key', async () => {
    const { env } = await startService();
    const { stdout, stderr, exitCode } = await run('health', '--json', {
      env: { RISKCLI_BASE_URL: env.RISKCLI_BASE_URL ?? '' },
    });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const { timestamp, latency_ms, clock_offset_ms, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ status: 'ok', base_url: env.RISKCLI_BASE_URL });
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    expect(latency_ms).toBeGreaterThanOrEqual(0);
    expect(Number.isInteger(clock_offset_ms)).toBe(true);
  });

  it('sends no key even when one is set', async () => {
    await using server = await startServer(() => ({ body: OK }));
    await run('health', { env: { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'wrp_canary-0123456789' } });
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(server.requests)).not.toContain('canary');
  });

  it('prints tab-separated lines on a pipe and aligned ones on a terminal', async () => {
    const { env } = await startService();
    expect((await run('health', { env })).stdout).toMatch(/^status\tok\ntimestamp\t/);
    expect((await run('health', { env, tty: { stdout: true } })).stdout).toMatch(/^status +ok\n/);
  });

  it('writes a file for the textfile collector, readable by all', async () => {
    const { env } = await startService();
    const file = join(temporaryFolder(), 'riskcli.prom');
    expect(await run('health', '-o', file, { env })).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(readFileSync(file, 'utf8')).toContain(`riskcli_up{base_url="${env.RISKCLI_BASE_URL}"} 1\n`);
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });
});

/** A clock on which every request takes `ms`. */
function slow(ms: number) {
  let time = 0;
  return { monotonic: () => (time += ms) };
}

describe('thresholds', () => {
  it.each([
    [[], 0],
    [['-w', '1ms'], 0],
    [['-c', '1ms'], 5],
    [['-c', '1h'], 0],
  ])('%j ends with %i', async (flags, exitCode) => {
    const { env } = await startService();
    const outcome = await run('health', ...flags, { env, ...slow(100) });
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stdout).toContain('status\tok');
    expect(outcome.stderr.split('\n')).toHaveLength(exitCode === 0 ? 1 : 2);
  });

  it.each([
    [['-w', '1h', '-c', '2h'], 'OK', 0],
    [['-w', '1ms', '-c', '1h'], 'WARNING', 1],
    [['-w', '1ms', '-c', '1ms'], 'CRITICAL', 2],
    [['-w', 'soon'], 'UNKNOWN', 3],
    [['--waring', '1s'], 'UNKNOWN', 3],
  ])('nagios, %j: %s', async (flags, state, exitCode) => {
    const { env } = await startService();
    const outcome = await run('health', '--format', 'nagios', ...flags, { env, ...slow(100) });
    expect(outcome).toEqual({ stdout: expect.stringMatching(`^RISKCLI ${state} - [^\\n]+\\n$`), stderr: '', exitCode });
  });
});

describe('health of a service that is not up', () => {
  it('ends with 5 and one line when nothing listens', async () => {
    const env = { RISKCLI_BASE_URL: `http://127.0.0.1:${await closedPort()}` };
    const { stdout, stderr, exitCode } = await run('health', { env });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    expect(stderr).toMatch(/^riskcli: .*refuses connections; .*\n$/);
  });

  it('still writes the prometheus file, with up 0 and no latency', async () => {
    const env = { RISKCLI_BASE_URL: `http://127.0.0.1:${await closedPort()}` };
    const { stdout, exitCode } = await run('health', '--format', 'prometheus', { env });
    expect(exitCode).toBe(5);
    expect(stdout).toContain('riskcli_up');
    expect(stdout).toMatch(/riskcli_up\{[^}]*\} 0\n$/);
    expect(stdout).not.toContain('latency');
  });

  it.each([
    ['a 503', { status: 503 }, 5],
    ['a status that is not ok', { body: { ...OK, status: 'degraded' } }, 5],
    ['a page of HTML', { body: '<html>' }, 6],
    ['a redirect', { status: 302, headers: { location: 'https://example.com/' } }, 6],
  ])('%s: nagios is critical, else exit %s', async (_, reply, exitCode) => {
    await using server = await startServer(() => reply);
    const env = { RISKCLI_BASE_URL: server.url.href };
    expect((await run('health', { env })).exitCode).toBe(exitCode);
    const nagios = await run('health', '--format', 'nagios', { env });
    expect(nagios).toEqual({ stdout: expect.stringMatching(/^RISKCLI CRITICAL - /), stderr: '', exitCode: 2 });
  });

  it('waits until it is healthy, as long as --wait says', async () => {
    await using server = await startServer((_, count) => (count < 3 ? { status: 503 } : { body: OK }));
    const env = { RISKCLI_BASE_URL: server.url.href };
    expect((await run('health', '--wait', '60s', { env })).exitCode).toBe(0);
    expect(server.requests).toHaveLength(3);
  });

  it('gives up when the time of --wait is over', async () => {
    await using server = await startServer(() => ({ status: 503 }));
    const env = { RISKCLI_BASE_URL: server.url.href };
    let time = 0;
    const sleep = async (ms: number) => {
      time += ms;
    };
    const outcome = await run('health', '--wait', '3s', { env, monotonic: () => time, sleep });
    expect(outcome.exitCode).toBe(5);
    expect(server.requests).toHaveLength(4);
  });
});

it('names the ways to go on when no base URL is known', async () => {
  const { stderr, exitCode } = await run('health');
  expect(exitCode).toBe(2);
  for (const way of ['--base-url', 'keys set --base-url', '--sandbox']) expect(stderr).toContain(way);
});

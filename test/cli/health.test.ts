import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SignalError } from '../../src/errors.ts';
import { cli, type RunOptions } from '../fixtures/cli/here.ts';
import { configFolder } from '../fixtures/place/config-folder.ts';
import { ABSENT, temporaryFolder } from '../fixtures/place/folder.ts';
import { startService } from '../fixtures/service/sandbox.ts';
import { type Reply, startServer } from '../fixtures/service/server.ts';

const OK = { status: 'ok', timestamp: '2026-11-20T00:00:00.000Z' };

it('shows status, time, clock difference and latency, without a key', async () => {
  const { env } = await startService();
  const { stdout, stderr, exitCode } = await cli(['health', '--json'], {
    env: { RISKCLI_BASE_URL: env.RISKCLI_BASE_URL ?? '' },
  });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const { timestamp, latency_ms, clock_offset_ms, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({ status: 'ok', base_url: env.RISKCLI_BASE_URL, error_code: null, error: null });
  expect(new Date(timestamp).toISOString()).toBe(timestamp);
  expect(latency_ms).toBeGreaterThanOrEqual(0);
  expect(Number.isInteger(clock_offset_ms)).toBe(true);
});

it('writes a file for the textfile collector, readable by all', async () => {
  const { env } = await startService();
  const file = join(temporaryFolder(), 'riskcli.prom');
  expect(await cli(['health', '-o', file], { env })).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  expect(readFileSync(file, 'utf8')).toContain(`riskcli_up{base_url="${env.RISKCLI_BASE_URL}"} 1\n`);
  expect(statSync(file).mode & 0o777).toBe(0o644);
  const seen = await cli(['health', '-o', file], { env, tty: { stderr: true }, columns: 200 });
  expect(seen.stderr).toMatch(/wrote \S+riskcli\.prom\n$/);
});

/** A clock on which every request takes `ms`. */
function slow(ms: number) {
  let time = 0;
  return { monotonic: () => (time += ms) };
}

it.each([
  [[], 'status\tok', 0],
  [['-w', '1ms'], 'status\tok', 0],
  [['-c', '1ms'], 'status\tslow', 5],
  [['-c', '1h'], 'status\tok', 0],
  [['--format', 'nagios', '-w', '1h', '-c', '2h'], 'RISKCLI OK - ', 0],
  [['--format', 'nagios', '-w', '1ms', '-c', '1h'], 'RISKCLI WARNING - ', 1],
  [['--format', 'nagios', '-w', '1ms', '-c', '1ms'], 'RISKCLI CRITICAL - ', 2],
  [['--format', 'nagios', '-w', 'soon'], 'RISKCLI UNKNOWN - ', 3],
  [['--format', 'nagios', '--waring', '1s'], 'RISKCLI UNKNOWN - ', 3],
])('judges the latency by %j: %s, exit code %i', async (flags, words, exitCode) => {
  const { env } = await startService();
  const outcome = await cli(['health', ...flags], { env, ...slow(100) });
  expect(outcome).toMatchObject({ exitCode, stdout: expect.stringContaining(words) });
  const isNagios = words.startsWith('RISKCLI');
  if (isNagios) expect(outcome.stdout).toMatch(/^[^\n]+\n$/);
  expect(outcome.stderr.split('\n')).toHaveLength(isNagios || exitCode === 0 ? 1 : 2);
});

const statusOf = async (argv: readonly string[], options: RunOptions) => {
  const { stdout, exitCode } = await cli(['health', '--json', ...argv], options);
  return [stdout && JSON.parse(stdout).status, exitCode];
};

const NOWHERE = { RISKCLI_BASE_URL: 'http://127.0.0.1:9' };
it.each<[string, readonly string[], Reply | undefined, Record<string, string>, string, number]>([
  ['a 503', [], { status: 503 }, {}, 'down', 5],
  ['a status that is not ok', [], { body: { ...OK, status: 'degraded' } }, {}, 'down', 5],
  ['a page of HTML', [], { body: '<html>' }, {}, 'down', 6],
  ['a slow answer', [], { body: OK }, {}, 'slow', 5],
  ['no service address', [], undefined, {}, 'unknown', 2],
  ['a wrong variable', [], undefined, { ...NOWHERE, RISKCLI_TIMEOUT: 'soon' }, 'unknown', 2],
  ['a variable that names no environment', [], undefined, { RISKCLI_ENV: '///' }, 'unknown', 2],
  ['settings that cannot be read', [], undefined, configFolder({ 'config.json': '{' }).env, 'unknown', 8],
  ...[
    ['--nonsense'],
    ['--critical', 'soon'],
    ['--timeout', 'soon'],
    ['--base-url', 'nonsense'],
    ['--base-url', 'http://example.com'],
    ['-e', '///'],
    ['excess'],
  ].map((argv): [string, string[], undefined, Record<string, string>, string, number] => [
    'a wrong command line',
    argv,
    undefined,
    NOWHERE,
    '',
    2,
  ]),
])('prints the status as JSON for %s, %j', async (_, argv, reply, env, status, exitCode) => {
  await using server = await startServer(() => reply ?? {});
  const address = reply && { RISKCLI_BASE_URL: server.url.href };
  const options = { env: { ...env, ...address }, ...slow(100) };
  expect(await statusOf(reply ? ['-c', '50ms', ...argv] : argv, options)).toEqual([status, exitCode]);
  expect(server.connections()).toBe(reply ? 1 : 0);
});

it('reports an unknown status if a signal stops the check, and a file keeps the last complete result', async () => {
  const stopped = { signal: AbortSignal.abort(new SignalError('SIGTERM')) };
  const { env } = await startService();
  expect(await statusOf([], { env, ...stopped })).toEqual(['unknown', 143]);
  const file = join(temporaryFolder(), 'h.json');
  writeFileSync(file, 'before');
  expect(await statusOf(['-o', file], { env, ...stopped })).toEqual(['', 143]);
  expect(readFileSync(file, 'utf8')).toBe('before');
});

/** Writes yesterday's result, then runs `health -o` on the same file. */
async function overwrite(name: string, argv: readonly string[], env: Readonly<Record<string, string>>) {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, "yesterday's ok\n");
  const outcome = await cli(['health', '-o', file, ...argv], { env });
  return { ...outcome, text: readFileSync(file, 'utf8') };
}

const unreadable = configFolder({ 'config.json': '{' }).env;
it.each<[string, Reply | undefined, Record<string, string>, string, number, nagios: string]>([
  ['a service that is down', { status: 503 }, {}, 'down', 5, 'CRITICAL'],
  ['no base URL', undefined, {}, 'unknown', 2, 'UNKNOWN'],
  ['a wrong variable', {}, { RISKCLI_TIMEOUT: 'soon' }, 'unknown', 2, 'UNKNOWN'],
  ['plain http', undefined, { RISKCLI_BASE_URL: 'http://example.com' }, 'unknown', 2, 'UNKNOWN'],
  ['settings that cannot be read', undefined, unreadable, 'unknown', 8, 'UNKNOWN'],
])('does not keep the result of yesterday in a file for %s', async (_, reply, more, status, exitCode, nagios) => {
  await using server = await startServer(() => reply ?? {});
  const env = { ...(reply && { RISKCLI_BASE_URL: server.url.href }), ...more };
  for (const name of ['h.json', 'h.prom', 'h.txt']) {
    const { text, ...outcome } = await overwrite(name, [], env);
    expect(outcome).toMatchObject({ stdout: '', exitCode });
    expect(text).toMatch(name === 'h.prom' ? /^riskcli_up(\{.*\})? 0$/m : new RegExp(status));
    expect(text).not.toContain('yesterday');
  }
  const plugin = await overwrite('h.txt', ['--format', 'nagios'], env);
  const line = expect.stringMatching(new RegExp(`^RISKCLI ${nagios} - .*\\n$`));
  expect(plugin).toMatchObject({ exitCode: nagios === 'CRITICAL' ? 2 : 3, stderr: '', stdout: line });
  expect(plugin.text).toBe(plugin.stdout);
});

it('writes the same members every day, and the reason', async () => {
  await using server = await startServer((_, count) => (count === 1 ? { body: OK } : { status: 503 }));
  const today = async () => JSON.parse((await overwrite('h.json', [], { RISKCLI_BASE_URL: server.url.href })).text);
  const [good, bad] = [await today(), await today()];
  expect(Object.keys(bad)).toEqual(Object.keys(good));
  expect(bad).toMatchObject({ status: 'down', latency_ms: null, error_code: 'unavailable' });
  expect(bad.error).toContain('503');
});

it('prints the nagios line on stdout although the file cannot be written', async () => {
  const { env } = await startService();
  const outcome = await cli(['health', '--format', 'nagios', '-o', `${ABSENT}/x`], { env });
  expect(outcome).toEqual({ stdout: expect.stringMatching(/^RISKCLI UNKNOWN - .*\n$/), stderr: '', exitCode: 3 });
});

it('limits one attempt by RISKCLI_TIMEOUT and a stored timeout, which the option overrides', async () => {
  await using server = await startServer(() => ({ body: OK, afterMs: 60_000 }));
  const { env } = configFolder({ 'config.json': '{"environments":{"default":{"timeout":"20ms"}}}' });
  const base = { ...env, RISKCLI_BASE_URL: server.url.href };
  expect((await cli(['health'], { env: base })).stderr).toContain('within 20ms');
  expect((await cli(['health'], { env: { ...base, RISKCLI_TIMEOUT: '30ms' } })).stderr).toContain('within 30ms');
  const typed = await cli(['health', '--timeout', '40ms'], { env: { ...base, RISKCLI_TIMEOUT: 'soon' } });
  expect(typed.stderr).toContain('within 40ms');
});

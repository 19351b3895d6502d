/** `riskcli keys`: how a key comes in, what is said of it, and what a check of it costs. */
import { statSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { SignalError } from '../../../src/errors.ts';
import { cli, type RunOptions } from '../../fixtures/cli/here.ts';
import { configFolder, storedKeys } from '../../fixtures/place/config-folder.ts';
import { ABSENT } from '../../fixtures/place/folder.ts';
import { startServer } from '../../fixtures/service/server.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const OTHER_KEY = 'wrp_other-0123456789';
const NOW = Date.parse('2026-06-01T00:00:00Z');
const URL_FLAG = ['--base-url', 'https://api.example.com'];
const stored = ({ daysAgo = 0, base_url = 'https://api.example.com', key = KEY } = {}) => ({
  key,
  base_url,
  stored_at: new Date(NOW - daysAgo * 86_400_000).toISOString(),
});
const HIDDEN = (name: string) => `riskcli: ${name} is set, and hides the stored key; unset it, or use -e default\n`;

/**
 * A config folder with these keys, and `riskcli keys` with it, which has KEY on its standard input.
 */
function stage(keys?: Parameters<typeof storedKeys>[0]) {
  const folder = configFolder(keys && { 'keys.json': storedKeys(keys) });
  const run = (args: readonly string[], { env, ...options }: RunOptions = {}) =>
    cli(['keys', ...args], { stdin: KEY, now: () => NOW, columns: 400, ...options, env: { ...folder.env, ...env } });
  return { ...folder, run, kept: () => JSON.parse(folder.read('keys.json')) };
}

it('stores key and base URL together, mode 0600, without output', async () => {
  const { run, kept, file } = stage();
  const outcome = await run(['set', '-e', 'prod', ...URL_FLAG], { stdin: `${KEY}\n` });
  expect(outcome).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  expect(kept()).toEqual(storedKeys({ prod: stored() }));
  expect(statSync(file('keys.json')).mode & 0o777).toBe(0o600);
});

it('says on a terminal what was stored where, and nothing about the key', async () => {
  const { run, path } = stage();
  const { stderr } = await run(['set', ...URL_FLAG], { env: { NO_COLOR: '1' }, tty: { stderr: true } });
  expect(stderr).toBe(
    `note: stored a key of ${KEY.length} characters for default (https://api.example.com) in ${path}/keys.json; try riskcli keys check\n`,
  );
});

it('says on a terminal that a stored text does not look like a key of the service', async () => {
  const { run } = stage();
  const { stderr } = await run(['set', ...URL_FLAG], { stdin: 'short', tty: { stderr: true } });
  expect(stderr).toContain('stored a key of 5 characters, which does not look like one of the service, for default');
});

it('uses the base URL from a variable, config.json, or the previous key', async () => {
  const { run, kept, file } = stage({ default: stored({ daysAgo: 100 }) });
  const baseUrlAfter = async (env: Record<string, string> = {}) => {
    await run(['set'], { env });
    return kept().keys.default.base_url;
  };
  expect(await baseUrlAfter()).toBe('https://api.example.com');
  writeFileSync(file('config.json'), '{"environments":{"default":{"base-url":"https://config.example"}}}');
  expect(await baseUrlAfter()).toBe('https://config.example');
  expect(await baseUrlAfter({ RISKCLI_BASE_URL: 'https://variable.example' })).toBe('https://variable.example');
});

it.each([
  ['RISKCLI_API_KEY', [], HIDDEN('RISKCLI_API_KEY')],
  ['RISKCLI_API_KEY_FILE', [], HIDDEN('RISKCLI_API_KEY_FILE')],
  ['RISKCLI_API_KEY', ['-e', 'prod'], ''],
])('says that %s hides what is stored, unless %j ignores it', async (name, args, stderr) => {
  const outcome = await stage().run(['set', ...URL_FLAG, ...args], { env: { [name]: OTHER_KEY } });
  expect(outcome).toEqual({ stdout: '', stderr, exitCode: 0 });
});

it('says that a rejected key hides the stored one', async () => {
  await using server = await startServer(() => ({ status: 401 }));
  const { env } = stage({ default: stored({ base_url: server.url.origin }) });
  const wallet = `0x${'1'.repeat(40)}`;
  for (const args of [
    ['profile', wallet],
    ['profile', wallet, wallet],
    ['keys', 'check'],
  ]) {
    const { stderr, exitCode } = await cli(args, { env: { ...env, RISKCLI_API_KEY: OTHER_KEY } });
    expect([exitCode, stderr.split(HIDDEN('RISKCLI_API_KEY')).length]).toEqual([4, 2]);
    expect(stderr).toContain('rejected the key');
    expect((await cli(args, { env })).stderr).not.toContain('hides');
  }
});

/** A terminal on which `chunks` are typed one after the other. */
function terminal(chunks: readonly string[]) {
  const modes: boolean[] = [];
  const stdin = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  return { modes, stdin: Object.assign(stdin, { setRawMode: (mode: boolean) => modes.push(mode) }) };
}
const tty = { stdin: true, stderr: true };

it.each([
  ['typed and ended with Return', [...KEY, '\r']],
  ['pasted with more behind it', [`${KEY}\nrm -rf\n`]],
  ['corrected', ['xy\u007f\b', `${KEY}z`, '\u007f', '\r']],
])('takes a key that is %s, and shows nothing of it', async (_, chunks) => {
  const { run, kept } = stage();
  const { stdin, modes } = terminal(chunks);
  const { exitCode, stdout, stderr } = await run(['set', ...URL_FLAG], { env: { NO_COLOR: '1' }, stdin, tty });
  expect([exitCode, stdout, modes[0], modes.at(-1)]).toEqual([0, '', true, false]);
  expect(kept().keys.default.key).toBe(KEY);
  expect(stripVTControlCharacters(stderr)).toMatch(
    /^API key \(hidden\): \nnote: stored a key of \d+ characters for default [^\n]*\n$/,
  );
});

it('stops the prompt for a key on SIGTERM, and restores the terminal', async () => {
  const controller = new AbortController();
  const modes: boolean[] = [];
  const stdin = Object.assign(new Readable({ read: () => controller.abort(new SignalError('SIGTERM')) }), {
    setRawMode: (mode: boolean) => modes.push(mode),
  });
  const { exitCode } = await stage().run(['set', ...URL_FLAG], { stdin, tty, signal: controller.signal });
  expect([exitCode, modes[0], modes.at(-1)]).toEqual([143, true, false]);
});

it.each([
  ['linux', 'riskcli keys set < key.txt'],
  ['win32', 'type key.txt | riskcli keys set'],
] as const)('does not prompt for a key with --no-input, and names the alternative of %s', async (platform, line) => {
  const { stdin, modes } = terminal([]);
  const { exitCode, stderr } = await stage().run(['set', '--no-input', ...URL_FLAG], { stdin, tty, platform });
  expect({ exitCode, modes }).toEqual({ exitCode: 2, modes: [] });
  for (const words of ['--no-input does not allow', line]) expect(stderr.replaceAll('\n', ' ')).toContain(words);
});

it('says that rotation is due after 90 days', async () => {
  const { run } = stage({ prod: stored({ daysAgo: 90 }) });
  const { stdout, stderr } = await run(['show', '-e', 'prod', '--json'], { tty: { stderr: true } });
  expect(JSON.parse(stdout)).toMatchObject({ age_days: 90, rotation_due: true });
  expect(JSON.parse(stderr).note).toMatch(/^rotation is due for prod \(after 90 days\)/);
  expect((await run(['list'], { tty: { stderr: true } })).stderr).toMatch(/rotation is due for prod \(after 90 days\)/);
});

it.each([
  [{ RISKCLI_API_KEY: KEY }, { key_source: 'RISKCLI_API_KEY', key_for: null, age_days: null }],
  [
    { RISKCLI_BASE_URL: 'https://other.example' },
    {
      key_for: 'https://api.example.com',
      base_url: 'https://other.example',
      base_url_source: 'RISKCLI_BASE_URL',
    },
  ],
])('shows the key of a variable and one for another base URL, and sends neither: %j', async (env, expected) => {
  const { stdout } = await stage({ default: stored() }).run(['show', '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject(expected);
});

it('removes one key and leaves the others', async () => {
  const { run, kept } = stage({ prod: stored(), default: stored() });
  expect(await run(['remove'])).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  expect(kept()).toEqual(storedKeys({ prod: stored() }));
});

it('says beforehand that it costs a request, sends one, and says that the key was accepted', async () => {
  const profile = { wallet_address: `0x${'0'.repeat(40)}`, total_collateral_usd: 0, defi_score: null };
  await using server = await startServer(() => ({ body: profile, headers: { 'x-ratelimit-limit': '10' } }));
  const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href };
  const { stdout, stderr } = await stage().run(['check', '--json'], { env, tty: { stderr: true } });
  expect(JSON.parse(stderr).note).toContain('costs one request');
  const key = { key: 'wrp_****4Bn8', key_source: 'RISKCLI_API_KEY' };
  expect(JSON.parse(stdout)).toMatchObject({ ...key, accepted: true, limit: 10 });
  expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY]);
});

it.each([400, 404, 410, 422])('takes a key for accepted after %i, which is about the wallet', async (status) => {
  await using server = await startServer(() => ({ status, headers: { 'x-ratelimit-remaining': '7' } }));
  const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href };
  const { stdout, stderr, exitCode } = await stage().run(['check', '--json'], { env });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(JSON.parse(stdout)).toMatchObject({ accepted: true, remaining: 7 });
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['tries the new key even if another is set', { RISKCLI_API_KEY: OTHER_KEY }],
  ['needs no other key, and does not look for one', { RISKCLI_API_KEY_FILE: `${ABSENT}/key` }],
])('stores a key that the service accepts, and %s', async (_, variable: Record<string, string>) => {
  await using server = await startServer(() => ({ status: 404 }));
  const { run, kept } = stage();
  const outcome = await run(['set', '--check'], { env: { ...variable, RISKCLI_BASE_URL: server.url.href } });
  expect(outcome).toMatchObject({ stdout: '', stderr: expect.stringContaining('hides the stored key'), exitCode: 0 });
  expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY]);
  expect(kept().keys.default.key).toBe(KEY);
});

it('keeps the old key when the new one is rejected', async () => {
  await using server = await startServer(() => ({ status: 401 }));
  const old = stored({ key: 'wrp_old-key-0123456', base_url: server.url.origin });
  const { run, kept } = stage({ default: old });
  const { stderr, exitCode } = await run(['set', '--check']);
  expect([exitCode, kept().keys.default]).toEqual([4, old]);
  expect(stderr).not.toContain('q7Zt');
});

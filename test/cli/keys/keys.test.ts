import { statSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SignalError } from '../../../src/errors.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { configFolder, storedKeys } from '../../fixtures/place/config-folder.ts';
import { ABSENT } from '../../fixtures/place/folder.ts';
import { startServer, type TestServer } from '../../fixtures/service/server.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const NOW = Date.parse('2026-06-01T00:00:00Z');
const URL_FLAG = ['--base-url', 'https://api.example.com'];
const stored = (daysAgo = 0) => ({
  key: KEY,
  base_url: 'https://api.example.com',
  stored_at: new Date(NOW - daysAgo * 86_400_000).toISOString(),
});

describe('keys set', () => {
  it('stores key and base URL together, mode 0600, without output', async () => {
    const folder = configFolder();
    const outcome = await cli(['keys', 'set', '-e', 'prod', ...URL_FLAG], {
      env: folder.env,
      stdin: `${KEY}\n`,
      now: () => NOW,
    });
    expect(outcome).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(JSON.parse(folder.read('keys.json'))).toEqual(storedKeys({ prod: stored() }));
    expect(statSync(folder.file('keys.json')).mode & 0o777).toBe(0o600);
  });

  it('says on a terminal what was stored where, and nothing about the key', async () => {
    const { env, path } = configFolder();
    const { stderr } = await cli(['keys', 'set', ...URL_FLAG], {
      env: { ...env, NO_COLOR: '1' },
      stdin: KEY,
      tty: { stderr: true },
      columns: 400,
    });
    expect(stderr).toBe(
      `note: stored a key of ${KEY.length} characters for default (https://api.example.com) in ${path}/keys.json; try riskcli keys check\n`,
    );
  });

  it('uses the base URL from a variable, config.json, or the previous key', async () => {
    const folder = configFolder({ 'keys.json': storedKeys({ default: stored(100) }) });
    const baseUrl = () => JSON.parse(folder.read('keys.json')).keys.default.base_url;
    await cli(['keys', 'set'], { env: folder.env, stdin: 'wrp_new' });
    expect(baseUrl()).toBe('https://api.example.com');
    writeFileSync(folder.file('config.json'), '{"environments":{"default":{"base-url":"https://config.example"}}}');
    await cli(['keys', 'set'], { env: folder.env, stdin: 'wrp_new' });
    expect(baseUrl()).toBe('https://config.example');
    await cli(['keys', 'set'], {
      env: { ...folder.env, RISKCLI_BASE_URL: 'https://variable.example' },
      stdin: 'wrp_new',
    });
    expect(baseUrl()).toBe('https://variable.example');
  });
});

describe('keys set where a variable hides what is stored', () => {
  const hidden = (env: Record<string, string>, ...args: string[]) =>
    cli(['keys', 'set', ...URL_FLAG, ...args], { env: { ...configFolder().env, ...env }, stdin: KEY });

  it.each(['RISKCLI_API_KEY', 'RISKCLI_API_KEY_FILE'])('says so of %s', async (name) => {
    const { exitCode, stderr } = await hidden({ [name]: 'wrp_other-0123456789' });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `riskcli: ${name} is set, and hides the stored key; unset it, or use -e default\n`,
    });
  });

  it('says nothing where -e ignores it', async () => {
    expect((await hidden({ RISKCLI_API_KEY: 'wrp_other-0123456789' }, '-e', 'prod')).stderr).toBe('');
  });
});

it('a key that is rejected may hide the stored one, which is said', async () => {
  await using server = await startServer(() => ({ status: 401 }));
  const own = { ...stored(), base_url: server.url.origin };
  const { env } = configFolder({ 'keys.json': storedKeys({ default: own }) });
  const note = 'riskcli: RISKCLI_API_KEY is set, and hides the stored key; unset it, or use -e default\n';
  const wallet = `0x${'1'.repeat(40)}`;
  const lines = ['profile', 'keys check', 'list'].map((line) =>
    line === 'list' ? ['profile', wallet, wallet] : line === 'profile' ? ['profile', wallet] : line.split(' '),
  );
  for (const args of lines) {
    const { stderr, exitCode } = await cli(args, { env: { ...env, RISKCLI_API_KEY: 'wrp_other-0123456789' } });
    expect([exitCode, stderr.split(note).length, stderr]).toEqual([4, 2, expect.stringContaining('rejected the key')]);
    expect((await cli(args, { env })).stderr).not.toContain('hides');
  }
});

describe('keys set on a terminal', () => {
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
    const folder = configFolder();
    const { stdin, modes } = terminal(chunks);
    const env = { ...folder.env, NO_COLOR: '1' };
    const { exitCode, stdout, stderr } = await cli(['keys', 'set', ...URL_FLAG], { env, stdin, tty, columns: 400 });
    expect({ exitCode, stdout, ends: [modes[0], modes.at(-1)] }).toEqual({
      exitCode: 0,
      stdout: '',
      ends: [true, false],
    });
    expect(JSON.parse(folder.read('keys.json')).keys.default.key).toBe(KEY);
    expect(stripVTControlCharacters(stderr)).toMatch(
      /^API key \(hidden\): \nnote: stored a key of \d+ characters for default [^\n]*\n$/,
    );
  });

  it('stops on SIGTERM and restores the terminal', async () => {
    const controller = new AbortController();
    const modes: boolean[] = [];
    const stdin = Object.assign(new Readable({ read: () => controller.abort(new SignalError('SIGTERM')) }), {
      setRawMode: (mode: boolean) => modes.push(mode),
    });
    const options = { env: configFolder().env, stdin, tty, signal: controller.signal };
    expect((await cli(['keys', 'set', ...URL_FLAG], options)).exitCode).toBe(143);
    expect([modes[0], modes.at(-1)]).toEqual([true, false]);
  });

  it('does not prompt with --no-input, and names the alternative', async () => {
    const { stdin, modes } = terminal([]);
    const outcome = await cli(['keys', 'set', '--no-input', ...URL_FLAG], { env: configFolder().env, stdin, tty });
    expect(outcome.exitCode).toBe(2);
    const told = outcome.stderr.replaceAll('\n', ' ');
    for (const words of ['--no-input does not allow', 'riskcli keys set < key.txt']) expect(told).toContain(words);
    expect(modes).toEqual([]);
    const windows = { env: configFolder().env, stdin: terminal([]).stdin, tty, platform: 'win32' } as const;
    const { stderr } = await cli(['keys', 'set', '--no-input', ...URL_FLAG], windows);
    expect(stderr.replaceAll('\n', ' ')).toContain('type key.txt | riskcli keys set');
  });
});

describe('keys show', () => {
  it('says that rotation is due after 90 days', async () => {
    const { env } = configFolder({ 'keys.json': storedKeys({ prod: stored(90) }) });
    const options = { env, now: () => NOW, tty: { stderr: true } };
    const { stdout, stderr } = await cli(['keys', 'show', '-e', 'prod', '--json'], options);
    expect(JSON.parse(stdout)).toMatchObject({ age_days: 90, rotation_due: true });
    expect(JSON.parse(stderr).note).toMatch(/^rotation is due for prod \(after 90 days\)/);
    expect((await cli(['keys', 'list'], options)).stderr).toMatch(/rotation is due for prod \(after 90 days\)/);
  });

  it('shows the key of a variable and one for another base URL, without sending either', async () => {
    const { env } = configFolder({ 'keys.json': storedKeys({ default: stored() }) });
    const inVariable = await cli(['keys', 'show', '--json'], { env: { ...env, RISKCLI_API_KEY: KEY } });
    expect(JSON.parse(inVariable.stdout)).toMatchObject({
      key_source: 'RISKCLI_API_KEY',
      key_for: null,
      age_days: null,
    });
    const other = await cli(['keys', 'show', '--json'], { env: { ...env, RISKCLI_BASE_URL: 'https://other.example' } });
    expect(JSON.parse(other.stdout)).toMatchObject({
      key_for: 'https://api.example.com',
      base_url: 'https://other.example',
      base_url_source: 'RISKCLI_BASE_URL',
    });
  });
});

describe('keys remove', () => {
  it('removes one key and leaves the others', async () => {
    const folder = configFolder({ 'keys.json': storedKeys({ prod: stored(), default: stored() }) });
    expect(await cli(['keys', 'remove'], { env: folder.env })).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(JSON.parse(folder.read('keys.json'))).toEqual(storedKeys({ prod: stored() }));
  });
});

/** A folder without settings, and variables for `server`. */
const given = (server: TestServer) => ({
  ...configFolder().env,
  RISKCLI_API_KEY: KEY,
  RISKCLI_BASE_URL: server.url.href,
});

describe('keys check', () => {
  it('says beforehand that it costs a request, sends one, and says that the key was accepted', async () => {
    const profile = { wallet_address: `0x${'0'.repeat(40)}`, total_collateral_usd: 0, defi_score: null };
    await using server = await startServer(() => ({ body: profile, headers: { 'x-ratelimit-limit': '10' } }));
    const { stdout, stderr } = await cli(['keys', 'check', '--json'], { env: given(server), tty: { stderr: true } });
    expect(JSON.parse(stderr).note).toContain('costs one request');
    const key = { key: 'wrp_****4Bn8', key_source: 'RISKCLI_API_KEY' };
    expect(JSON.parse(stdout)).toMatchObject({ ...key, accepted: true, limit: 10 });
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY]);
  });

  it.each([400, 404, 410, 422])('%i is about the wallet, so the key was accepted', async (status) => {
    await using server = await startServer(() => ({ status, headers: { 'x-ratelimit-remaining': '7' } }));
    const { stdout, stderr, exitCode } = await cli(['keys', 'check', '--json'], { env: given(server) });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ accepted: true, remaining: 7 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('keys set --check', () => {
  it('stores a key that the service accepts, and tries that key even if another is set', async () => {
    await using server = await startServer(() => ({ status: 404 }));
    const folder = configFolder();
    const env = { ...folder.env, RISKCLI_API_KEY: 'wrp_another-one', RISKCLI_BASE_URL: server.url.href };
    const outcome = await cli(['keys', 'set', '--check'], { env, stdin: KEY });
    expect(outcome).toMatchObject({ stdout: '', stderr: expect.stringContaining('hides the stored key'), exitCode: 0 });
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY]);
    expect(JSON.parse(folder.read('keys.json')).keys.default.key).toBe(KEY);
  });

  it('needs no other key, and does not look for one', async () => {
    await using server = await startServer(() => ({ status: 404 }));
    const env = { RISKCLI_API_KEY_FILE: `${ABSENT}/key`, RISKCLI_BASE_URL: server.url.href };
    const outcome = await cli(['keys', 'set', '--check'], { env: { ...configFolder().env, ...env }, stdin: KEY });
    expect(outcome).toMatchObject({ stdout: '', stderr: expect.stringContaining('hides the stored key'), exitCode: 0 });
  });

  it('keeps the old key when the new one is rejected', async () => {
    await using server = await startServer(() => ({ status: 401 }));
    const old = { ...stored(), key: 'wrp_old-key-0123456', base_url: server.url.origin };
    const folder = configFolder({ 'keys.json': storedKeys({ default: old }) });
    const { stderr, exitCode } = await cli(['keys', 'set', '--check'], { env: folder.env, stdin: KEY });
    expect(exitCode).toBe(4);
    expect(stderr).not.toContain('q7Zt');
    expect(JSON.parse(folder.read('keys.json')).keys.default).toEqual(old);
  });
});

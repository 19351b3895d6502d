/**
 * `keys set --command`: a vault keeps the key. The vaults here are small scripts; what they print
 * is nowhere to be found.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SignalError } from '../../../src/errors.ts';
import { runProgram } from '../../../src/host/program.ts';
import { cli, type RunOptions } from '../../fixtures/cli/here.ts';
import { configFolder } from '../../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { PROFILE } from '../../fixtures/service/client.ts';
import { startServer, type TestServer } from '../../fixtures/service/server.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const RANDOM = 'q7Zt-Xk_2Lm9Rv4Bn8';
const KEY = `wrp_${RANDOM}`;
const BASE_URL = 'https://api.example.com';
const URL_FLAG = ['--base-url', BASE_URL];
const WALLET = PROFILE.wallet_address;

const serve = () =>
  startServer(({ path }) => {
    const isHealth = path === '/health';
    const health = { status: 'ok', timestamp: new Date().toISOString() };
    return { body: isHealth ? health : { ...PROFILE, wallet_address: path.split('/').at(-1) } };
  });

/**
 * A vault: `script` of a shell, which leaves a line in `ran` each time that it is run; and the
 * folder that riskcli keeps.
 */
function vault(script: string, { for: server }: { readonly for?: TestServer } = {}) {
  const folder = temporaryFolder();
  const program = join(folder, 'vault');
  writeFileSync(program, `#!/bin/sh\necho "$#" >> '${folder}/ran'\n${script}\n`);
  chmodSync(program, 0o700);
  const state = join(folder, 'state');
  const { origin = BASE_URL } = server?.url ?? {};
  const config = configFolder({
    'keys.json': { version: 1, keys: { default: { command: [program], base_url: origin, stored_at: '2026-01-01' } } },
  });
  const env = { ...config.env, XDG_STATE_HOME: state, PATH: '/usr/bin:/bin' };
  return {
    program,
    folder,
    config,
    env,
    runs: () => (existsSync(`${folder}/ran`) ? readFileSync(`${folder}/ran`, 'utf8').split('\n').slice(0, -1) : []),
    /** Every file that riskcli may have written. */
    written: () =>
      [config.path, state].filter(existsSync).flatMap((root) =>
        readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => `${entry.name}: ${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`),
      ),
  };
}

/** A vault that is no program: it prints `output` when it is run, and counts. */
function printing(output: string) {
  const asked: (readonly string[])[] = [];
  const runProgram: RunOptions['runProgram'] = async (words) => {
    asked.push(words);
    return { output, exitCode: 0, killedBy: null, timedOut: false };
  };
  return { asked, runProgram };
}

/** Ends what a command has left running, whose number stands in `path`. */
const endLeftOver = (path: string) => process.kill(Number(readFileSync(path, 'utf8')), 'SIGKILL');

function expectNoPart(text: string): void {
  for (let i = 0; i + 6 <= RANDOM.length; i++) expect(text).not.toContain(RANDOM.slice(i, i + 6));
}

it('stores the words of a key command unchanged, and runs nothing', async () => {
  const { program, config, env, runs } = vault('echo unused');
  const words = [program, '-e', 'prod', '--base-url', 'x', '-v', '--help', '--', 'a b', ''];
  const outcome = await cli(['keys', 'set', ...URL_FLAG, '--command', ...words], { env, now: () => 0 });
  expect(outcome).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  expect(JSON.parse(config.read('keys.json')).keys).toEqual({
    default: { command: words, base_url: BASE_URL, stored_at: '1970-01-01T00:00:00.000Z' },
  });
  expect(runs()).toEqual([]);
});

it.each([
  ['as the program', [KEY]],
  ['among its words', ['echo', `key=${KEY}`]],
  ['as 64 hex digits', ['echo', '0'.repeat(63).concat('1')]],
  ['without a shape, as it is set', ['echo', 'plainword']],
])('refuses a key command with the key itself %s, and does not repeat it', async (_, words) => {
  const folder = configFolder();
  const env = { ...folder.env, RISKCLI_API_KEY: 'plainword' };
  const { exitCode, stderr } = await cli(['keys', 'set', ...URL_FLAG, '--command', ...words], { env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('a key never goes on the command line');
  expectNoPart(stderr);
  expect(stderr).not.toMatch(/plainword|00000/);
  expect(() => folder.read('keys.json')).toThrow('ENOENT');
});

it('runs the key command once a run, and writes its key to no file', async () => {
  await using server = await serve();
  const { env, written, program } = vault('exit 1', { for: server });
  const { runProgram, asked } = printing(`${KEY}\r\nsecond line\n`);
  const list = ['profile', WALLET, `0x${'1'.repeat(40)}`, '--csv'];
  for (const [args, count] of [
    [['profile', WALLET], 1],
    [list, 2],
    [['keys', 'check'], 1],
  ] as const) {
    const before = server.requests.length;
    const { stdout, stderr, exitCode } = await cli(args, { env, runProgram });
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: '' });
    expectNoPart(stdout);
    const keys = server.requests.slice(before).flatMap(({ headers }) => headers['x-api-key'] ?? []);
    expect(keys).toEqual(Array(count).fill(KEY));
  }
  expect(asked).toEqual(Array(3).fill([program]));
  expect(written().join('\n')).toContain('requests-');
  expectNoPart(written().join('\n'));
});

it('remembers the limit of a key that a command prints; keys show and a dry run do not run the command', async () => {
  await using server = await serve();
  const { env } = vault('exit 1', { for: server });
  const { runProgram, asked } = printing(`${KEY}\n`);
  await cli(['profile', WALLET], { env, runProgram });
  expect(JSON.parse((await cli(['keys', 'show', '--json'], { env, runProgram })).stdout)).toMatchObject({
    requests_this_month: null,
  });
  const dry = await cli(['profile', WALLET, '--dry-run', '--json'], {
    env: { ...env, RISKCLI_MONTHLY_REQUESTS: '10' },
    runProgram,
  });
  expect(JSON.parse(dry.stdout)).toMatchObject({ requests_needed: 1, requests_left_this_month: null, fits: null });
  expect(asked).toHaveLength(1);
});

it.each<[string, readonly string[], Record<string, string>?]>([
  ['health', ['health']],
  ['the sandbox', ['profile', WALLET, '--sandbox']],
  ['keys list', ['keys', 'list']],
  ['doctor', ['doctor']],
  ['another key', ['keys', 'check'], { RISKCLI_API_KEY: KEY }],
])('runs no key command for %s', async (_, args, more = {}) => {
  await using server = await serve();
  const { env, runs } = vault(`echo '${KEY}'`, { for: server });
  await cli(args, { env: { ...env, ...more } });
  expect(runs()).toEqual([]);
});

it('runs the words of a key command without a shell', async () => {
  await using server = await serve();
  const { env, program } = vault(`printf '%s' "$1" > "$0.saw"; echo '${KEY}'`, { for: server });
  const word = '$(touch evil) `touch evil` *; touch evil';
  await cli(['keys', 'set', '--base-url', server.url.origin, '--command', program, word], { env });
  expect((await cli(['keys', 'check'], { env })).exitCode).toBe(0);
  expect(readFileSync(`${program}.saw`, 'utf8')).toBe(word);
  expect(existsSync('evil')).toBe(false);
});

it('escapes and redacts the words of a key command where it shows them', async () => {
  const keys = { default: { command: ['vault', 'a\u001b[2Jb', KEY], base_url: BASE_URL } };
  const { env } = configFolder({ 'keys.json': { version: 1, keys } });
  for (const args of [
    ['keys', 'show'],
    ['keys', 'list'],
    ['keys', 'check'],
  ]) {
    const { stdout, stderr } = await cli(args, { env });
    expectNoPart(stdout + stderr);
    expect(stdout + stderr).not.toContain('\u001b');
  }
});

it('exits with 4 if a key command prints 1 MB', async () => {
  await using server = await serve();
  const { env, program } = vault("head -c 1000000 /dev/zero | tr '\\0' a", { for: server });
  const { stdout, stderr, exitCode } = await cli(['keys', 'check'], { env });
  expect({ stdout, exitCode, requests: server.requests }).toEqual({ stdout: '', exitCode: 4, requests: [] });
  expect(stderr).toContain(`the key from '${program}' is too long to be a key`);
});

it.each([
  ['is not there', ['no-such-vault'], /'no-such-vault', .* cannot be run: there is no such program; /],
  ['is a folder', ['/'], /'\/', .* cannot be run: EACCES; /],
])('exits with 4 if the program of a key command %s', async (_, command, message) => {
  const keys = { default: { command, base_url: 'http://127.0.0.1:9' } };
  const { exitCode, stderr } = await cli(['keys', 'check'], {
    env: configFolder({ 'keys.json': { version: 1, keys } }).env,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 4, stderr: expect.stringMatching(message) });
});

const HANG = `sleep 600 & echo $! > "$0.pid"; echo '${KEY}'; trap '' TERM; wait; wait`;

it('gives up a key command that hangs after 30 s, even if it ignores SIGTERM', async () => {
  await using server = await serve();
  const { env, program } = vault(HANG, { for: server });
  const limits: number[] = [];
  const { exitCode, stderr } = await cli(['keys', 'check'], {
    env,
    runProgram: (words, options) => {
      limits.push(options.timeoutMs);
      return runProgram(words, { ...options, timeoutMs: 2_500 });
    },
  });
  expect({ exitCode, limits }).toEqual({ exitCode: 4, limits: [30_000] });
  expect(stderr).toContain(`'${program}', which should print the key, did not end within 30s; `);
  expectNoPart(stderr);
  expect(endLeftOver(`${program}.pid`)).toBe(true);
});

it('stops a key command that hangs when riskcli is stopped', async () => {
  await using server = await serve();
  const { env, program } = vault(HANG, { for: server });
  const controller = new AbortController();
  const { exitCode } = await cli(['keys', 'check'], {
    env,
    signal: controller.signal,
    runProgram: (words, options) => {
      const end = runProgram(words, options);
      const look = setInterval(() => {
        if (!existsSync(`${program}.pid`)) return;
        clearInterval(look);
        controller.abort(new SignalError('SIGINT'));
      }, 5);
      return end;
    },
  });
  expect(exitCode).toBe(130);
  expect(endLeftOver(`${program}.pid`)).toBe(true);
});

it.each([
  ['ended by', { exitCode: null, killedBy: 'SIGINT' as const }],
  ['failed for', { exitCode: 1, killedBy: null }],
])('ends by a signal that the key command got first and %s', async (_, end) => {
  const { env } = vault('exit 1');
  const controller = new AbortController();
  const { exitCode, stderr } = await cli(['keys', 'check'], {
    env,
    signal: controller.signal,
    runProgram: async () => ({ output: '', timedOut: false, ...end }),
    sleep: async () => {
      controller.abort(new SignalError('SIGINT'));
      controller.signal.throwIfAborted();
    },
  });
  expect(exitCode).toBe(130);
  expect(stderr).not.toContain('which should print the key');
});

const ENDS = [
  ['prints the key', `printf %s '${KEY}'`, 0, ''],
  ['is killed', 'kill -9 $$', 4, 'was ended by SIGKILL'],
  ['fails', 'exit 3', 4, 'failed with exit code 3'],
  ['prints nothing', 'exit 0', 4, "the key from '.*' is empty"],
] as const;
it.each(ENDS.slice(0, isSlow ? undefined : 2))(
  'does not wait for a process that a key command which %s leaves behind',
  async (_, script, exitCode, message) => {
    await using server = await serve();
    const { env, program } = vault(`sleep 600 & echo $! > "$0.pid"; ${script}`, { for: server });
    const outcome = await cli(['keys', 'check'], { env });
    expect(endLeftOver(`${program}.pid`)).toBe(true);
    expect(outcome).toMatchObject({ exitCode, stderr: expect.stringMatching(message) });
  },
);

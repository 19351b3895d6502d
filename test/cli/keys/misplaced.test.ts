/**
 * A key typed where something else belongs, in every command and option: nothing says it back, or
 * any part of it.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SignalError } from '../../../src/errors.ts';
import { flagsOfCommand, type NamedCommand, requiredArguments, runnableCommands } from '../../fixtures/cli/commands.ts';
import { cli, type RunOptions } from '../../fixtures/cli/here.ts';
import { configFolder } from '../../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { PROFILE } from '../../fixtures/service/client.ts';
import { startServer, type TestServer } from '../../fixtures/service/server.ts';

const RANDOM = 'q7Zt-Xk_2Lm9Rv4Bn8';
const KEY = `wrp_${RANDOM}`;

const needed = (line: NamedCommand) => requiredArguments(line, PROFILE.wallet_address);

let server: TestServer;
const home = process.cwd();
beforeAll(async () => {
  server = await startServer(() => ({ body: PROFILE }));
});
afterAll(async () => {
  process.chdir(home);
  await server.close();
});

/**
 * Where runs are: a new place for each option, since what one has written might be in the way of
 * the next.
 */
const newPlace = () => ({ folder: temporaryFolder(), settings: configFolder().env });
let place = newPlace();
beforeEach(() => {
  place = newPlace();
});

/** Runs `argv` there, with a key, an address and an end for what would run on. */
async function said(argv: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout, stderr } = await ended(argv, env);
  const written = readdirSync(place.folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(place.folder, name)).isFile())
    .map((name) => readFileSync(join(place.folder, name), 'latin1'));
  return [stdout, stderr, ...written].join('\n');
}

function ended(argv: readonly string[], env: Record<string, string>) {
  process.chdir(place.folder);
  const stopped = argv[0] === 'sandbox' ? { signal: AbortSignal.abort(new SignalError('SIGINT')) } : {};
  const options: RunOptions = {
    env: { ...place.settings, RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'wrp_other0000', ...env },
    stdin: 'wrp_other0000',
    tty: { stderr: true },
    ...stopped,
  };
  return cli(argv, options);
}

function expectNoPart(text: string, where: unknown): void {
  const parts = Array.from({ length: RANDOM.length - 5 }, (_, i) => RANDOM.slice(i, i + 6));
  const leak = parts.find((part) => text.includes(part));
  expect({ where, text, leak }).toEqual({ where, text, leak: undefined });
}

describe.each(runnableCommands)('riskcli $name', (line) => {
  it('does not repeat a key given as the value of an option', async () => {
    for (const { long, short, value } of flagsOfCommand(line)) {
      if (!value) continue;
      place = newPlace();
      const ways = [
        [`--${long}`, KEY],
        [`--${long}=${KEY}`],
        [`--${long}`, `${KEY} < 5`],
        [`--${long}`, `x/${KEY}.csv`],
      ];
      if (short) ways.push([`-${short}${KEY}`], [`-${short}`, KEY]);
      for (const way of ways) expectNoPart(await said([...line.words, ...needed(line), ...way]), way);
    }
  });

  it('does not repeat a key given as an argument or as an option', async () => {
    for (const typed of [[KEY], [KEY, KEY], [`--${KEY}`], [`--api-key=${KEY}`], [`-${KEY}`], [`--${KEY}=1`]]) {
      expectNoPart(await said([...line.words, ...typed]), typed);
      expectNoPart(await said([...line.words, ...needed(line), ...typed, '--debug']), typed);
    }
  });
});

it('does not repeat a key typed as a command or a subcommand', async () => {
  for (const argv of [
    [KEY],
    ['keys', KEY],
    ['config', KEY],
    ['help', KEY],
    ['config', 'set', KEY, '1'],
    ['config', 'get', KEY],
  ]) {
    expectNoPart(await said(argv), argv);
  }
});

it('does not repeat a key in the options of a monitoring check', async () => {
  const check = ['health', '--format', 'nagios'];
  for (const typed of [['-e', KEY], ['-w', KEY], ['--base-url', KEY], ['-o', `none/${KEY}`], [KEY]]) {
    expectNoPart(await said([...check, ...typed], { RISKCLI_BASE_URL: '' }), typed);
  }
});

it('does not repeat a key in a variable', async () => {
  const variables = ['ENV', 'BASE_URL', 'TIMEOUT', 'AUTH', 'MAX_WAIT', 'MONTHLY_REQUESTS', 'SCORE'];
  for (const name of variables) {
    for (const value of [KEY, `https://api.example.com/${KEY}`]) {
      const argv = ['profile', PROFILE.wallet_address, '--timeout', '50ms'];
      if (name === 'TIMEOUT') argv.splice(2);
      expectNoPart(await said(argv, { [`RISKCLI_${name}`]: value }), { name, value });
    }
  }
});

it.each([KEY, 'plainwordsonly'])(
  'refuses a key as an environment, and neither stores nor repeats it: %s',
  async (key) => {
    const env = configFolder({ 'config.json': { environments: { [key]: { timeout: '3s' } } } }).env;
    for (const [argv, variables] of [
      [['config', 'list', '-e', key], {}],
      [['config', 'list'], { RISKCLI_ENV: key }],
      [['config', 'set', 'timeout', '3s', '-e', key], {}],
      [['keys', 'set', '-e', key, '--base-url', 'https://api.example.com'], {}],
      [['keys', 'show', '-e', key], {}],
    ] as const) {
      const outcome = await ended(argv, { ...env, ...variables, RISKCLI_API_KEY: 'plainwordsonly' });
      expect({ argv, ...outcome }).toMatchObject({ exitCode: 2, stdout: '' });
      expect(outcome.stderr).toMatch(/a key\s+never\s+goes\s+on\s+the\s+command\s+line/);
      expect(outcome.stderr).not.toContain(key);
    }
  },
);

it('does not repeat the key in use whatever its shape', async () => {
  const key = 'plainwordsonly';
  for (const argv of [
    ['profile', PROFILE.wallet_address, '-e', 'x', '--base-url', key],
    ['profile', PROFILE.wallet_address, '--fields', key],
    [key],
  ]) {
    expect(await said(argv, { RISKCLI_API_KEY: key })).not.toContain(key);
  }
});

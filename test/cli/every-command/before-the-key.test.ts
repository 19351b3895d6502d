/**
 * A mistake is reported before a key command runs, a key file is read or a byte is sent: asked of
 * every flag of every command that uses the key or the network, so that a flag that is added is
 * asked, too.
 */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { takeLock } from '../../../src/files/lock.ts';
import {
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingUse,
} from '../../../src/settings/table.ts';
import { flagsOfCommand, type NamedCommand, runnableCommands } from '../../fixtures/cli/commands.ts';
import { cli, type RunOptions, testHost } from '../../fixtures/cli/here.ts';
import { configFolder } from '../../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { SETTING_VALUES } from '../../fixtures/place/setting-values.ts';
import { startServer, type TestServer } from '../../fixtures/service/server.ts';

const WALLET = `0x${'1'.repeat(40)}`;
/**
 * What was typed, set or listed is wrong; the file cannot be used; the list cannot; another run has
 * the journal.
 */
const MISTAKES = [2, 8, 9, 11];

let server: TestServer;
/** No answer comes from there: the server has no certificate. */
let BASE_URL: string;
beforeAll(async () => {
  server = await startServer(() => ({ status: 500 }));
  BASE_URL = `https://${server.url.host}`;
  return () => server.close();
});

/**
 * No run waits before it tries again: what is not refused is over at once, and the test of it fails
 * in seconds.
 */
const sleep = () => Promise.resolve();

/** A place to run in. `vault` is a program that prints a key, and leaves a mark when it is run. */
function stage() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const files = {
    vault: `#!/bin/sh\ntouch '${at('mark')}'\necho wrp_q7Zt-Xk_2Lm9Rv4Bn8\n`,
    'list.csv': `holder,note\n${WALLET},x\n`,
    'empty.csv': '',
    'no-wallets.csv': 'a,b\n1,2\n',
    'unlike.json': '[1, 2',
    'policy.json': '{"rules": [{"name": "a", "if": "nonsense"}]}',
    'unknown.json': '{"rules": [], "other": 1}',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  chmodSync(at('vault'), 0o700);
  mkdirSync(at('folder'));
  symlinkSync(at('list.csv'), at('link.csv'));
  const stored = { default: { command: [at('vault')], base_url: BASE_URL } };
  const settings = {
    vault: configFolder({ 'keys.json': { version: 1, keys: stored } }),
    file: configFolder(),
  };
  const inPlace = (word: string) => word.replaceAll('@/', `${folder}/`);
  /** Runs `words` with `@/` replaced by this folder and a key from `from`. */
  const mistake = async (words: readonly string[], { from, env, stdin, config = {} }: Mistake) => {
    for (const [name, content] of Object.entries(config)) {
      writeFileSync(settings[from].file(name), JSON.stringify(content), { mode: 0o600 });
    }
    const file: Record<string, string> = from === 'vault' ? {} : { RISKCLI_API_KEY_FILE: at('no-key-file') };
    const before = server.connections();
    const outcome = await cli(words.map(inPlace), {
      sleep,
      env: { ...settings[from].env, RISKCLI_BASE_URL: BASE_URL, ...file, ...env, PATH: '/usr/bin:/bin' },
      stdin,
    });
    const isKeyAsked = existsSync(at('mark')) || outcome.stderr.includes('RISKCLI_API_KEY_FILE names');
    return { ...outcome, isKeyAsked, connections: server.connections() - before };
  };
  return { at, mistake };
}

interface Mistake {
  readonly from: 'vault' | 'file';
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: RunOptions['stdin'];
  /** Files of the config folder, from then on. */
  readonly config?: Readonly<Record<string, unknown>>;
}

const BOTH = ['vault', 'file'] as const;

interface Circumstances extends Omit<Mistake, 'from'> {
  readonly sources?: readonly Mistake['from'][];
  /** One folder is enough for all cases: they leave nothing in it. */
  readonly place?: ReturnType<typeof stage>;
}

async function expectReport(
  words: readonly string[],
  { sources = BOTH, place = stage(), ...more }: Circumstances = {},
) {
  // doctor reports the source of the key.
  for (const from of words[0] === 'doctor' ? (['vault'] as const) : sources) {
    const { exitCode, stderr, isKeyAsked, connections } = await place.mistake(words, { ...more, from });
    const isRefused = MISTAKES.includes(exitCode) && stderr !== '';
    const seen = { words, from, stderr, isRefused, isKeyAsked, connections };
    expect(seen).toEqual({ words, from, stderr, isRefused: true, isKeyAsked: false, connections: 0 });
  }
}

const isOption = (name: SettingName) => (SETTINGS[name] as Setting).isOption;

/** Of each flag with a value: values that are wrong. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(SETTING_NAMES.filter(isOption).map((name) => [name, SETTING_VALUES[name].wrong])),
  accept: ['nonsense', 'no_score,nonsense'],
  'as-of': ['soon', '2999-01-01', '20'],
  keep: ['@/list.csv'],
  label: ['nonsense'],
  color: ['nonsense'],
  column: ['nonsense'],
  sheet: ['nonsense'],
  concurrency: ['0', 'x', '1.5'],
  critical: ['x'],
  env: ['../x', 'wrp_q7Zt-Xk_2Lm9Rv4Bn8'],
  'fail-if': ['nonsense', 'a..b < 1', '_meta.score <'],
  fields: ['a..b', 'a[', ''],
  file: ['@/absent.csv', '@/empty.csv', '@/no-wallets.csv', '@/folder', '@/unlike.json'],
  format: ['nonsense'],
  journal: ['@/absent/j', '@/folder', '@/list.csv', '@/link.csv'],
  'max-age': ['foo', '1x', ''],
  'max-requests': ['0', 'x'],
  output: ['@/absent/out.csv', '@/folder', '@/link.csv', 'json'],
  since: ['soon', '2999-01-01'],
  policy: ['@/absent.json', '@/policy.json', '@/unknown.json', '@/list.csv'],
  rate: ['0', 'x'],
  sort: ['a..b', ':desc'],
  top: ['0', 'x'],
  warning: ['x'],
  where: ['nonsense', 'a..b == 1'],
};
/** Its value is a program, which is not looked at before it is needed. */
const NEVER_WRONG = ['command'];

const VAULT = ['--command', '@/vault'];
const FORMS: Readonly<
  Record<string, readonly { readonly words: readonly string[]; readonly last?: readonly string[] }[]>
> = {
  profile: [
    { words: ['profile', WALLET] },
    { words: ['profile', WALLET, `0x${'2'.repeat(40)}`, '--csv'] },
    { words: ['profile', '-f', '@/list.csv', '-o', '@/out.csv'] },
  ],
  review: [{ words: ['review', '@/list.csv', '--fail-if', 'score < 1'] }],
  health: [{ words: ['health'] }],
  doctor: [{ words: ['doctor'] }],
  'keys set': [{ words: ['keys', 'set', '--check'], last: VAULT }],
  'keys show': [{ words: ['keys', 'show'] }],
  'keys check': [{ words: ['keys', 'check'] }],
};

const concerned = runnableCommands.filter(({ name }) => FORMS[name] !== undefined);
/** The first value of a first form is tried with both sources, and all others with the vault. */
const sourcesOf = (nth: number) => (nth === 0 ? BOTH : BOTH.slice(0, 1));
const formsOf = (name: string) => FORMS[name] ?? [];
const valuedFlags = (command: NamedCommand) => flagsOfCommand(command).filter(({ value }) => value);

it('tries each flag, and each command that uses the key or the network', () => {
  const connected = runnableCommands.filter((one) => flagsOfCommand(one).some(({ long }) => long === 'base-url'));
  for (const { name } of connected) expect(Object.keys(FORMS)).toContain(name);
  expect(Object.keys(VARIABLES_OF).sort()).toEqual(Object.keys(FORMS).sort());
  const flags = new Set(concerned.flatMap(valuedFlags).map(({ long }) => long));
  expect([...flags].sort()).toEqual([...Object.keys(WRONG), ...NEVER_WRONG].sort());
});

/** Where settings are and what is learned can be anywhere, and colours anything. */
const WRONG_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  RISKCLI_ENV: ['../x'],
  ...Object.fromEntries(SETTING_NAMES.map((name) => [SETTINGS[name].variable, SETTING_VALUES[name].wrong])),
};
const variablesFor = (...uses: readonly SettingUse[]) => [
  'RISKCLI_ENV',
  ...SETTING_NAMES.map((name) => SETTINGS[name]).flatMap(({ use, variable }) => (uses.includes(use) ? variable : [])),
];
/** The variables that a command reads: others may have any value. */
const VARIABLES_OF: Readonly<Record<string, readonly string[]>> = {
  profile: variablesFor('request', 'key', 'row'),
  review: variablesFor('request', 'key', 'row'),
  health: variablesFor('request'),
  doctor: variablesFor('request', 'key', 'row'),
  'keys set': variablesFor('request', 'key'),
  'keys show': ['RISKCLI_ENV', 'RISKCLI_BASE_URL'],
  'keys check': variablesFor('request', 'key'),
};

describe.each(concerned)('before the key is asked for, $name reports', (one) => {
  const { name } = one;
  it.each(valuedFlags(one).filter(({ long }) => WRONG[long]))(
    'reports a wrong --$long before it asks for the key',
    async ({ long }) => {
      const place = stage();
      for (const [i, value] of (WRONG[long] ?? []).entries()) {
        for (const [j, { words, last = [] }] of formsOf(name).entries()) {
          await expectReport([...words, `--${long}`, value, ...last], { sources: sourcesOf(i + j), place });
        }
      }
    },
  );

  it.each(VARIABLES_OF[name] ?? [])('reports a wrong %s before it asks for the key', async (variable) => {
    const place = stage();
    for (const [i, value] of (WRONG_VARIABLES[variable] ?? []).entries()) {
      const env = { [variable]: value };
      for (const [j, { words, last = [] }] of formsOf(name).entries()) {
        await expectReport([...words, ...last], { env, sources: sourcesOf(i + j), place });
      }
    }
  });
});

const LIST = ['profile', '-f', '@/list.csv'];

it.each([
  ['a journal that --max-age needs', [...LIST, '--csv', '--max-age', '1d']],
  ['a form for a name that says none', [...LIST, '-o', '@/unknown']],
  ['two formats', [...LIST, '--json', '--csv']],
  ['two formats of a check', ['keys', 'check', '--json', '--csv']],
  ['two formats of findings', ['doctor', '--json', '--csv']],
  ['the list as the output', [...LIST, '-o', '@/list.csv']],
  ['the journal as the output', [...LIST, '--journal', '@/j.csv', '-o', '@/j.csv']],
  ['two rules of one name', [...LIST, '--csv', '--fail-if', 'a: b < 1', '--fail-if', 'a: b < 2']],
  ['a wallet that is none', ['profile', '0x12']],
  ['a wallet that is none among others', ['profile', WALLET, '0x12', '--csv']],
  ['a wallet and a list', ['profile', WALLET, '-f', '@/list.csv']],
  ['an argument too many', ['keys', 'check', 'wrp_x']],
])('reports before it asks for the key %s', (_, words) => expectReport(words));

it.each([
  ['nothing', ''],
  ['no wallets', 'a,b\n1,2\n'],
  ['no list', Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1')],
])('reports a list on standard input that is %s before it asks for the key', (_, stdin) =>
  expectReport(['profile', '-', '--csv'], { stdin }),
);

const { 'base-url': _, ...stored } = SETTING_VALUES;
const oneEach = Object.entries(stored).map(([name, { wrong }]) => [name, wrong[0]] as const);
it.each([...oneEach, ['timeout', {}] as const])(
  'reports a stored %s that is %s before it asks for the key',
  async (name, value) => {
    const config = { 'config.json': { version: 1, environments: { default: { [name]: value } } } };
    await expectReport(['profile', WALLET], { config });
    await expectReport([...LIST, '--csv'], { config });
  },
);

it.each(['socks5://127.0.0.1:1', 'http://%'])('reports a proxy that cannot be used: %s', async (HTTPS_PROXY) => {
  const env = { HTTPS_PROXY, RISKCLI_BASE_URL: 'https://api.example.com' };
  const config = { 'keys.json': { version: 1, keys: {} } };
  for (const words of [['profile', WALLET], [...LIST, '--csv'], ['keys', 'check'], ['health']]) {
    const { exitCode, stderr } = await stage().mistake(words, { from: 'file', env, config });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('HTTPS_PROXY') });
  }
});

it.each(
  Object.values(FORMS)
    .flat()
    .filter(({ words }) => words[0] !== 'doctor'),
)('reports a config folder that cannot be one: $words', async ({ words, last = [] }) => {
  const env = { RISKCLI_CONFIG_DIR: 'relative' };
  const { exitCode, stderr, connections } = await stage().mistake([...words, ...last], { from: 'vault', env });
  const expected = { exitCode: 2, stderr: expect.stringContaining('RISKCLI_CONFIG_DIR is'), connections: 0 };
  expect({ exitCode, stderr, connections }).toEqual(expected);
});

it('reports a journal of another base URL, and one that another run holds, before it asks for the key', async () => {
  const { at, mistake } = stage();
  const words = [...LIST, '--csv', '--journal', '@/j'];
  const own = await cli(['profile', '-f', at('list.csv'), '--csv', '--journal', at('j'), '--sandbox']);
  expect(own.exitCode).toBe(0);
  for (const from of ['vault', 'file'] as const) {
    expect(await mistake(words, { from })).toMatchObject({ exitCode: 2, isKeyAsked: false });
  }
  const lock = await takeLock(at('k.lock'), testHost());
  for (const from of ['vault', 'file'] as const) {
    const held = await mistake([...words.slice(0, -1), '@/k'], { from });
    expect(held).toMatchObject({ exitCode: 11, isKeyAsked: false });
  }
  lock.release();
});

it('leaves no empty journal of its own when the key cannot be read', async () => {
  const { at, mistake } = stage();
  const { exitCode, isKeyAsked } = await mistake([...LIST, '-o', '@/out.csv'], { from: 'file' });
  expect({ exitCode, isKeyAsked }).toEqual({ exitCode: 4, isKeyAsked: true });
  expect(existsSync(at('out.csv.journal'))).toBe(false);
  expect((await mistake(['keys', 'check'], { from: 'vault' })).isKeyAsked).toBe(true);
});

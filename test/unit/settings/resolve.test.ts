import { chmodSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Host } from '../../../src/context.ts';
import { KeyError, UsageError } from '../../../src/errors.ts';
import { environmentNames } from '../../../src/settings/files.ts';
import { resolveSettings, type SettingFlags } from '../../../src/settings/resolve.ts';
import { configFolder, storedKeys, testContext } from '../../fixtures/place/config-folder.ts';

const STORED = {
  'config.json': {
    version: 1,
    environments: {
      default: { 'base-url': 'https://default.example', timeout: '7s', auth: 'bearer', 'max-wait': 90 },
      prod: { timeout: '9s', score: 'defi_score["a.b"]', 'monthly-requests': 100000 },
    },
  },
  'keys.json': storedKeys({
    default: { key: 'wrp_default', base_url: 'https://default.example/v2' },
    prod: { key: 'wrp_prod', base_url: 'https://prod.example' },
    odd: { key: 'wrp_odd', base_url: 'https://odd.example' },
  }),
};

function settings(flags: SettingFlags = {}, env: Record<string, string> = {}, files: object = STORED) {
  return resolveSettings(flags, testContext({ env: { ...configFolder({ ...files }).env, ...env } }));
}

it('takes a setting from the command line, else a variable, else what is stored, else the default', () => {
  const env = { RISKCLI_TIMEOUT: '8s' };
  expect(settings({ timeout: '6s' }, env).get('timeout')).toEqual({ value: 6_000, source: '--timeout' });
  expect(settings({}, env).get('timeout')).toEqual({ value: 8_000, source: 'RISKCLI_TIMEOUT' });
  expect(settings().get('timeout')).toEqual({ value: 7_000, source: 'config.json (default)' });
  expect(settings({}, {}, {}).get('timeout')).toEqual({ value: 30_000, source: 'default' });
});

it('takes a blank setting as unset everywhere', async () => {
  const blank = {
    RISKCLI_TIMEOUT: ' ',
    RISKCLI_ENV: '',
    RISKCLI_API_KEY: ' ',
    RISKCLI_API_KEY_FILE: '',
    RISKCLI_BASE_URL: '',
  };
  const all = settings({ timeout: '', 'base-url': ' ', env: '' }, blank);
  expect(all.environment).toEqual({ value: 'default', source: 'default' });
  expect(all.get('timeout').source).toBe('config.json (default)');
  expect(all.baseUrl().source).toBe('config.json (default)');
  expect(await all.describeKey()).toMatchObject({ value: 'wrp_default', source: 'keys.json (default)' });
});

it('applies a variable to an environment given by --env, except for settings of its key', () => {
  const prod = settings({ env: 'prod' }, { RISKCLI_TIMEOUT: '8s', RISKCLI_BASE_URL: 'https://variable.example' });
  expect([prod.get('timeout').source, prod.baseUrl().source]).toEqual(['RISKCLI_TIMEOUT', 'keys.json (prod)']);
});

it('reads numbers in the file of settings as text', () => {
  expect(settings().get('max-wait')).toEqual({ value: 90_000, source: 'config.json (default)' });
  expect(settings({ env: 'prod' }).get('monthly-requests').value).toBe(100_000);
});

it('refuses a wrong value, and names the option, variable or file that has it', () => {
  expect(() => settings({ timeout: 'soon' }).get('timeout')).toThrow(/^--timeout /);
  expect(() => settings({}, { RISKCLI_TIMEOUT: 'soon' }).get('timeout')).toThrow(/^RISKCLI_TIMEOUT /);
});

it('accepts a time limit from a millisecond to a day', () => {
  expect(settings({ timeout: '1ms' }).get('timeout').value).toBe(1);
  expect(settings({ timeout: '24h' }).get('timeout').value).toBe(86_400_000);
  expect(caught(() => settings({ timeout: '86400001ms' }).get('timeout'))).toMatchObject({
    message: "--timeout is not between 1ms and 24h: '86400001ms'",
    hint: 'write it like 30s',
  });
});

it('accepts as a number of requests an integer from 1 to the largest exact one', () => {
  const requests = (text: string) => settings({}, { RISKCLI_MONTHLY_REQUESTS: text }).get('monthly-requests').value;
  expect(['1', ' 20 ', '9007199254740991'].map(requests)).toEqual([1, 20, Number.MAX_SAFE_INTEGER]);
  for (const text of ['0', '-1', '1.5', '1e3', '1 000', 'x', '9007199254740992'])
    expect(caught(() => requests(text))).toMatchObject({
      message: `RISKCLI_MONTHLY_REQUESTS is not a number of requests: '${text}'`,
      hint: 'write it like 10000',
    });
});

it('reads words of settings in any case, and parses a path', () => {
  expect(settings({}, { RISKCLI_AUTH: ' Bearer ' }).get('auth').value).toBe('bearer');
  expect(settings({}, { RISKCLI_AUTH: 'X-API-Key' }).get('auth').value).toBe('x-api-key');
  expect(settings({}, { RISKCLI_SCORE: ' a["b.c"] ' }).get('score').value).toEqual(['a', 'b.c']);
  expect(caught(() => settings({}, { RISKCLI_SCORE: 'a[' }).get('score'))).toMatchObject({
    message: expect.stringMatching(/^RISKCLI_SCORE: /),
    hint: expect.anything(),
  });
});

it('takes null in a file as unset, and shows a text after validation', () => {
  const files = { 'config.json': { environments: { default: { timeout: null, auth: 'basic' } } } };
  const all = settings({}, {}, files);
  expect(all.get('timeout').source).toBe('default');
  expect(all.text('timeout')).toEqual({ value: '30s', source: 'default' });
  expect(() => all.text('auth')).toThrow(/^auth in config.json \(default\)/);
});

it('names the setting and the file of a wrong stored value', () => {
  const files = { 'config.json': { environments: { default: { timeout: ['1s'], auth: 'basic' } } } };
  expect(caught(() => settings({}, {}, files).get('timeout'))).toMatchObject({
    message: 'timeout in config.json (default) is neither text nor a number',
    hint: 'store it again with riskcli config set',
  });
  expect(() => settings({}, {}, files).get('auth')).toThrow(/^auth in config.json \(default\)/);
});

it('takes the environment from --env, else from RISKCLI_ENV', () => {
  expect(settings({ env: 'prod' }, { RISKCLI_ENV: 'odd' }).environment).toEqual({ value: 'prod', source: '--env' });
  expect(settings({}, { RISKCLI_ENV: 'odd' }).environment).toEqual({ value: 'odd', source: 'RISKCLI_ENV' });
});

it.each(['__proto__', '../x', 'a b', '-x', 'a/b', 'é', 'x'.repeat(65), '.'])(
  'refuses the name %j for an environment',
  (env) => {
    expect(caught(() => settings({ env }))).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('--env is not a valid environment name: '),
      hint: 'use up to 63 letters, digits, dots, dashes and underscores, starting with a letter or digit',
    });
  },
);

it.each(['constructor', 'toString', 'hasOwnProperty'])(
  'accepts the name %s for an environment, which is empty then',
  async (env) => {
    expect(settings({ env }).get('timeout').source).toBe('default');
    await expect(settings({ env, 'base-url': 'https://x.example' }).resolveKey()).rejects.toThrow(KeyError);
  },
);

it('uses the base URL and key of an environment given by --env, regardless of variables', async () => {
  const env = { RISKCLI_API_KEY: 'wrp_variable', RISKCLI_BASE_URL: 'https://variable.example' };
  const prod = settings({ env: 'prod' }, env);
  expect(await prod.describeKey()).toMatchObject({ value: 'wrp_prod', source: 'keys.json (prod)' });
  expect(prod.baseUrl().value.href).toBe('https://prod.example/');
  expect(() => settings({ env: 'none' }, env).baseUrl()).toThrow(/ignores RISKCLI_BASE_URL/);
  expect(await settings({ env: 'none' }, env).describeKey()).toEqual({ refusal: expect.any(KeyError) });
});

it('names the variable and keys set if there is no key', async () => {
  const all = settings({ 'base-url': 'https://v.example' }, {}, {});
  const { refusal } = await all.describeKey();
  expect(refusal).toBeInstanceOf(KeyError);
  for (const way of ['RISKCLI_API_KEY', 'riskcli keys set --base-url https://v.example,'])
    expect(refusal?.hint).toContain(way);
  expect((await settings({ env: 'x' }, {}, {}).describeKey()).refusal?.hint).toContain(
    'riskcli keys set --base-url URL -e x,',
  );
  await expect(all.resolveKey()).rejects.toThrow(refusal);
});

it('runs the command that prints the key on demand', async () => {
  const stored = { prod: { command: ['vault', 'risk'], base_url: 'https://prod.example' } };
  const folder = configFolder({ 'keys.json': { version: 1, keys: stored } });
  const ran: unknown[] = [];
  const runProgram: Host['runProgram'] = async (words) => {
    ran.push(words);
    return { output: 'wrp_printed\n', exitCode: 0, killedBy: null, timedOut: false };
  };
  const all = resolveSettings({ env: 'prod' }, testContext({ env: folder.env, runProgram }));
  const described = await all.describeKey();
  expect([described.value, described.source, ran]).toEqual([undefined, 'keys.json (prod): vault risk', []]);
  expect([await all.resolveKey(), ran]).toEqual(['wrp_printed', [['vault', 'risk']]]);
  expect((await all.describeKey()).value).toBe('wrp_printed');
});

it('refuses a key in a variable and in a file', async () => {
  const env = { RISKCLI_API_KEY: 'a', RISKCLI_API_KEY_FILE: '/b' };
  await expect(settings({}, env).describeKey()).rejects.toMatchObject({ exitCode: 2, hint: 'unset one of them' });
  await expect(settings({ 'base-url': 'https://v.example' }, env).resolveKey()).rejects.toThrow(UsageError);
  expect(await settings({ env: 'prod' }, env).resolveKey()).toBe('wrp_prod');
});

it.each([
  [{ 'base-url': 'https://other.example' }, {}],
  [{ 'base-url': 'https://default.example:444' }, {}],
  [{ env: 'prod', 'base-url': 'https://default.example' }, {}],
  [{}, { RISKCLI_BASE_URL: 'http://127.0.0.1:1' }],
])('never sends a stored key to another origin: %j %j', async (flags, env) => {
  const all = settings(flags as Record<string, string>, env as Record<string, string>);
  const hint = expect.stringContaining('riskcli keys set --base-url http');
  await expect(all.resolveKey()).rejects.toMatchObject({ code: 'other_origin', hint });
  expect(await all.describeKey()).toMatchObject({ refusal: { code: 'other_origin' }, stored: expect.anything() });
});

it('shows a key stored for an invalid base URL, and does not send it', async () => {
  const files = { 'keys.json': storedKeys({ default: { key: 'wrp_k', base_url: 'ftp://x' } }) };
  const all = settings({ 'base-url': 'https://v.example' }, {}, files);
  expect(await all.describeKey()).toMatchObject({ value: 'wrp_k', refusal: expect.any(UsageError) });
  await expect(all.resolveKey()).rejects.toThrow('base_url in keys.json is not an http or https URL');
});

it('uses a stored key for every path of its origin', async () => {
  expect(await settings({ 'base-url': 'https://default.example/other' }).resolveKey()).toBe('wrp_default');
});

const files = { 'config.json': '{"environments": {', 'keys.json': '[]' };
const given = { RISKCLI_API_KEY: 'wrp_v', RISKCLI_BASE_URL: 'https://v.example' };

it('reads no broken settings if nothing from them is needed', async () => {
  const all = settings({ timeout: '1s', 'max-wait': '1s', 'base-url': 'https://v.example' }, given, files);
  expect([
    all.baseUrl().value.host,
    await all.resolveKey(),
    all.get('timeout').value,
    all.get('max-wait').value,
  ]).toEqual(['v.example', 'wrp_v', 1_000, 1_000]);
});

it('loses only the values of broken settings if base URL and key are given otherwise, with one note', async () => {
  const context = testContext({ env: { ...configFolder(files).env, ...given } });
  const all = resolveSettings({}, context);
  expect([all.get('timeout').source, all.get('max-wait').source, await all.resolveKey()]).toEqual([
    'default',
    'default',
    'wrp_v',
  ]);
  expect(context.notes).toHaveLength(1);
  expect(context.notes[0]).toContain('config.json');
});

it('loses nothing else to broken settings if the base URL comes from an option, or is the sandbox', () => {
  const key = { RISKCLI_API_KEY: 'wrp_v' };
  expect(settings({ 'base-url': 'https://v.example' }, key, files).get('timeout').source).toBe('default');
  expect(settings({ sandbox: true }, {}, files).get('timeout').source).toBe('default');
});

it('reads no settings of a newer version', () => {
  const newer = { 'config.json': { version: 2, environments: {} } };
  expect(caught(() => settings({}, {}, newer).get('timeout'))).toMatchObject({
    message: expect.stringMatching(/config.json was written by a newer version of riskcli$/),
    hint: 'update riskcli',
  });
});

it('stops commands that need broken settings', async () => {
  const halves = Object.entries(given).map(([name, value]) => ({ [name]: value }));
  for (const env of [{}, ...halves])
    expect(() => settings({}, env, files).get('timeout')).toThrow(/config.json is damaged/);
  expect(() => settings({ env: 'prod' }, given, files).get('timeout')).toThrow(/config.json is damaged/);
  await expect(settings({ 'base-url': 'https://v.example' }, {}, files).describeKey()).rejects.toThrow(
    /keys.json is damaged/,
  );
});

it('reads settings that other programs wrote: a byte order mark, no version, unknown members', () => {
  const folder = configFolder();
  writeFileSync(folder.file('config.json'), '\ufeff{"$schema":"x","environments":{"default":{"timeout":"4s","x":1}}}');
  chmodSync(folder.file('config.json'), 0o644);
  expect(settings({}, folder.env, {}).get('timeout').value).toBe(4_000);
});

it('lists the environments that have settings or a key by name', () => {
  const files = {
    'config.json': { environments: { prod: {}, 'a b': {}, '$(x)': {} } },
    'keys.json': storedKeys({
      prod: { key: 'k', base_url: 'https://x.example' },
      Alpha: { key: 'k', base_url: 'https://x.example' },
    }),
  };
  expect(environmentNames(testContext({ env: configFolder(files).env }))).toEqual(['Alpha', 'prod']);
});

function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

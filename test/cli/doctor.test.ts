/** `riskcli doctor`: every finding that it can have, provoked. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SignalError } from '../../src/errors.ts';
import { cli, type RunOptions } from '../fixtures/cli/here.ts';
import { configFolder, storedKeys } from '../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { CLOSED_PORT, startServer } from '../fixtures/service/server.ts';

const URL_ = 'https://api.example.com';
const KEY = 'wrp_aB3dE5fG7hJ9kL1mN3';
const NOW = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;
const NO_KEY = { RISKCLI_API_KEY: '' };

const healthyAt = (at: number) => () => ({ body: { status: 'ok', timestamp: new Date(at).toISOString() } });

interface Found {
  readonly check: string;
  readonly status: string;
  readonly finding: string;
  readonly remedy: string | null;
}

/** What is not well on a machine, which knows the service at `url`. */
type Place = (url: string) => {
  readonly env?: Readonly<Record<string, string>>;
  readonly reply?: () => object;
};

/** Runs doctor on a machine on which all is well but for what `place` says. */
async function examine(place: Place) {
  let reply = healthyAt(NOW) as () => object;
  await using server = await startServer(() => reply());
  const { env, ...given } = place(server.url.href);
  reply = given.reply ?? reply;
  const well = { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY, XDG_STATE_HOME: temporaryFolder() };
  // The clock is stopped, so measured times are 0.
  const options: RunOptions = { now: () => NOW, monotonic: () => 0, env: { ...well, ...env } };
  const outcome = await cli(['doctor', '--json'], options);
  const findings: readonly Found[] = JSON.parse(outcome.stdout);
  const wrong = findings.filter(({ status }) => status !== 'ok');
  return { ...outcome, findings, wrong, requests: server.requests };
}

it('exits with 0 if every finding is ok, asks for the health without the key, and shows no key', async () => {
  const { stdout, stderr, exitCode, findings, wrong, requests } = await examine(() => ({
    env: { RISKCLI_TIMEOUT: '10s' },
  }));
  expect({ stderr, exitCode, wrong }).toEqual({ stderr: '', exitCode: 0, wrong: [] });
  const found = Object.fromEntries(findings.map(({ check, finding }) => [check, finding]));
  expect(found).toEqual({
    'config-folder': expect.any(String),
    'state-folder': expect.any(String),
    environment: 'default, from default',
    'base-url': expect.stringMatching(/, from RISKCLI_BASE_URL$/),
    auth: 'x-api-key, from default',
    timeout: '10s, from RISKCLI_TIMEOUT',
    'max-wait': '60s, from default',
    key: 'wrp_****1mN3, from RISKCLI_API_KEY',
    service: 'healthy, in 0 ms',
    clock: 'the clocks are 0 s apart',
  });
  expect(findings.every(({ remedy }) => remedy === null)).toBe(true);
  expect(stdout).not.toContain(KEY);
  expect(requests.map(({ path }) => path)).toEqual(['/health']);
  expect(JSON.stringify(requests)).not.toContain(KEY);
});

type Wrong = readonly [name: string, place: Place, found: readonly [check: string, finding: RegExp, remedy: RegExp]];

const stored = (more: { readonly stored_at?: string; readonly base_url?: string; readonly key?: string } = {}) =>
  configFolder({ 'keys.json': storedKeys({ default: { key: KEY, base_url: URL_, ...more } }) });

/** The variables of a key in a file of this mode. */
function keyFile(mode: number) {
  const file = join(temporaryFolder(), 'key');
  writeFileSync(file, KEY);
  chmodSync(file, mode);
  return { ...NO_KEY, RISKCLI_API_KEY_FILE: file };
}

/** What is no failure yet: exit 0. */
const WARNINGS: readonly Wrong[] = [
  [
    'a misspelt setting, of whatever environment',
    () => configFolder({ 'config.json': '{"environments":{"prod":{"timeut":"9s","timeout":"8s"}}}' }),
    [
      'config.json',
      /^timeut of prod is no setting$/,
      /^did you mean timeout\? Otherwise riskcli config unset timeut -e prod removes it$/,
    ],
  ],
  [
    'a misspelt member around the settings',
    () => configFolder({ 'config.json': '{"$schema":"x","enviroments":{"prod":{}}}' }),
    [
      'config.json',
      /^enviroments is no member that riskcli reads$/,
      /^did you mean environments\? Otherwise remove it$/,
    ],
  ],
  [
    'a misspelt variable',
    () => ({ env: { RISKCLI_TIMEUT: '9s' } }),
    ['variables', /^riskcli has no variable RISKCLI_TIMEUT$/, /^did you mean RISKCLI_TIMEOUT\? Otherwise unset it$/],
  ],
  [
    'a key file that others can read',
    () => ({ env: keyFile(0o644) }),
    [
      'key',
      /names is readable by others \(mode 0644\)$/,
      /^run chmod 600 on it; if others use this machine, replace the key$/,
    ],
  ],
  [
    'stored keys that others could read',
    () => {
      const place = configFolder({ 'keys.json': storedKeys({ other: { key: KEY, base_url: URL_ } }) });
      chmodSync(place.file('keys.json'), 0o644);
      return place;
    },
    ['keys.json', /was readable by others \(mode 0644\)$/, /^if others use this machine, replace the keys in it$/],
  ],
  [
    'a variable that hides the stored key',
    () => ({ env: stored({ key: 'wrp_0000000000000000zzzz' }).env }),
    ['key', /^RISKCLI_API_KEY hides the stored key$/, /^unset RISKCLI_API_KEY to use it$/],
  ],
  [
    'no home folder',
    () => ({ env: { RISKCLI_CONFIG_DIR: '' } }),
    ['config-folder', /^there is no home/, /^set HOME or/],
  ],
  [
    'no folder for what is learned',
    () => ({ env: { XDG_STATE_HOME: '' } }),
    ['state-folder', /forgotten after each run$/, /^set XDG_STATE_HOME/],
  ],
  [
    'a folder for what is learned that a group can write',
    () => {
      const state = temporaryFolder();
      mkdirSync(join(state, 'riskcli'));
      chmodSync(join(state, 'riskcli'), 0o770);
      return { env: { XDG_STATE_HOME: state } };
    },
    ['state-folder', /is writable by others \(mode 0770\): .* forgotten after each run$/, /set XDG_STATE_HOME/],
  ],
  [
    'a key that is old',
    (base_url) => ({
      env: { ...NO_KEY, ...stored({ base_url, stored_at: new Date(NOW - 91 * DAY).toISOString() }).env },
    }),
    ['key', /^stored 91 days ago/, /./],
  ],
  ['a clock that is wrong', () => ({ reply: healthyAt(NOW + 60_000) }), ['clock', /^the clocks are 60 s apart$/, /./]],
];

it.each(WARNINGS)('warns of %s, with its remedy', async (_, place, [check, finding, remedy]) => {
  const { wrong, exitCode } = await examine(place);
  expect(wrong).toEqual([
    { check, status: 'warn', finding: expect.stringMatching(finding), remedy: expect.stringMatching(remedy) },
  ]);
  expect(exitCode).toBe(0);
});

const FAILURES: readonly (readonly [...Wrong, exitCode: number])[] = [
  [
    'a month whose requests cannot be counted',
    () => ({ env: { XDG_STATE_HOME: '', RISKCLI_MONTHLY_REQUESTS: '100' } }),
    ['state-folder', /^there is no home folder$/, /^set XDG_STATE_HOME/],
    8,
  ],
  [
    'no base URL',
    () => ({ env: { RISKCLI_BASE_URL: '' } }),
    ['base-url', /^no service address/, /^store one with riskcli keys set --base-url URL$/],
    2,
  ],
  [
    'a setting that makes no sense',
    () => ({ env: { RISKCLI_MAX_WAIT: 'long' } }),
    ['max-wait', /^RISKCLI_MAX_WAIT is not a duration: 'long'$/, /^write it like /],
    2,
  ],
  [
    'no key',
    () => ({ env: NO_KEY }),
    ['key', /^there is no API key for the environment/, /^store one with riskcli keys set, or set/],
    4,
  ],
  [
    'a key that cannot be one',
    () => ({ env: { RISKCLI_API_KEY: `${KEY} ${KEY}` } }),
    ['key', /^the key from RISKCLI_API_KEY contains a space/, /^copy the whole key again/],
    4,
  ],
  [
    'a key for another service',
    () => ({ env: { ...NO_KEY, ...stored({ base_url: 'https://other.example.com' }).env } }),
    ['key', /^the stored key is for https:\/\/other\.example\.com, but RISKCLI_BASE_URL says /, /^leave that out/],
    2,
  ],
  ...[0o666, 0o620].map((mode): (typeof FAILURES)[number] => [
    `a key file of mode ${mode.toString(8)}`,
    () => ({ env: keyFile(mode) }),
    ['key', /^the file that RISKCLI_API_KEY_FILE names is writable by others \(mode 06/, /^run chmod 600 on it$/],
    4,
  ]),
  [
    'a config folder that others can write',
    () => {
      const folder = configFolder();
      chmodSync(folder.path, 0o777);
      return { env: folder.env };
    },
    ['config-folder', /is writable by others \(mode 0777\)$/, /chmod go-w/],
    8,
  ],
  [
    'settings that are damaged',
    () => ({ env: configFolder({ 'config.json': '{' }).env }),
    ['config-folder', /config\.json is damaged/, /^repair it/],
    8,
  ],
  [
    'a service that is down',
    () => ({ env: { RISKCLI_BASE_URL: `http://127.0.0.1:${CLOSED_PORT}` } }),
    ['service', /refuses connections/, /./],
    5,
  ],
];

it.each(FAILURES)('reports %s once, with its remedy and its exit code', async (_, place, found, code) => {
  const [check, finding, remedy] = found;
  const { findings, exitCode, stderr, stdout } = await examine(place);
  expect(findings.filter(({ status }) => status === 'fail')).toEqual([
    { check, status: 'fail', finding: expect.stringMatching(finding), remedy: expect.stringMatching(remedy) },
  ]);
  expect(exitCode).toBe(code);
  expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.message).toBe(`1 check failed: ${check}`);
  expect(stdout).not.toContain('aB3dE5fG7hJ9kL1mN3');
});

it('stops doctor on a signal, which is no finding', async () => {
  const controller = new AbortController();
  await using server = await startServer(() => {
    controller.abort(new SignalError('SIGTERM'));
    return healthyAt(NOW)();
  });
  const env = { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY };
  const { stdout, exitCode } = await cli(['doctor'], { env, signal: controller.signal });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 143 });
});

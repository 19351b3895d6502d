/** `riskcli doctor`: every finding that it can have, provoked. */
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SignalError } from '../../src/errors.ts';
import { cli, type RunOptions } from '../fixtures/cli/here.ts';
import { OTHER_USER } from '../fixtures/cli/users.ts';
import { configFolder, storedKeys } from '../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { createAuthority } from '../fixtures/service/certificates.ts';
import { startService } from '../fixtures/service/sandbox.ts';
import { type Reply, startServer } from '../fixtures/service/server.ts';

const URL_ = 'https://api.example.com';
const KEY = 'wrp_aB3dE5fG7hJ9kL1mN3';
const NOW = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;

interface Found {
  readonly check: string;
  readonly status: string;
  readonly finding: string;
  readonly remedy: string | null;
}

/** Runs doctor on a machine on which all is well but for what `options` say. */
async function examine(args: readonly string[] = [], { env, ...options }: RunOptions = {}) {
  const state = temporaryFolder();
  const well = { RISKCLI_BASE_URL: URL_, RISKCLI_API_KEY: KEY, XDG_STATE_HOME: state };
  const outcome = await cli(['doctor', '--json', ...args], { now: () => NOW, ...options, env: { ...well, ...env } });
  const findings: readonly Found[] = JSON.parse(outcome.stdout);
  return { ...outcome, findings, wrong: findings.filter(({ status }) => status !== 'ok') };
}

it('does not claim that a key file is private if its mode could not be changed', async () => {
  const elsewhere = join(temporaryFolder(), 'keys.json');
  writeFileSync(elsewhere, '{}');
  chmodSync(elsewhere, 0o644);
  const folder = configFolder();
  symlinkSync(elsewhere, folder.file('keys.json'));
  const { wrong } = await examine([], { env: folder.env });
  expect(wrong).toEqual([expect.objectContaining({ check: 'keys.json', status: 'fail' })]);
  expect(statSync(elsewhere).mode & 0o777).toBe(0o644);
});

describe('a correct set-up', () => {
  it('exits with 0 and every finding ok, sends nothing and shows no key', async () => {
    await using server = await startServer(() => ({ status: 500 }));
    const { stdout, stderr, exitCode, findings, wrong } = await examine([], {
      env: { RISKCLI_BASE_URL: server.url.href, RISKCLI_TIMEOUT: '10s' },
    });
    expect({ stderr, exitCode, wrong }).toEqual({ stderr: '', exitCode: 0, wrong: [] });
    expect(findings.map(({ check }) => check)).toEqual([
      'riskcli',
      'node',
      'config-folder',
      'state-folder',
      'environment',
      'base-url',
      'timeout',
      'key',
      'proxy',
      'ca',
    ]);
    expect(findings.find(({ check }) => check === 'timeout')?.finding).toBe('10s, from RISKCLI_TIMEOUT');
    expect(findings.find(({ check }) => check === 'key')?.finding).toBe('wrp_****1mN3, from RISKCLI_API_KEY');
    expect(findings.every(({ remedy }) => remedy === null)).toBe(true);
    expect(stdout).not.toContain(KEY);
    expect(server.connections()).toBe(0);
  });

  it('shows one line per finding on a terminal, with the remedy below a problem', async () => {
    const env = { RISKCLI_BASE_URL: URL_, RISKCLI_TIMEOUT: '\u009bsoon', NO_COLOR: '1' };
    const { stdout, stderr, exitCode } = await cli(['doctor'], { env, tty: { stdout: true } });
    expect(stdout).toMatch(/^STATUS {2}CHECK {10}FINDING\nok {6}riskcli {8}\S+\nok {6}node {11}\d/);
    expect(stdout).toMatch(
      /\nfail {4}timeout {8}RISKCLI_TIMEOUT is not a duration: '\\u009bsoon'\n +-> write it like /,
    );
    expect({ exitCode, stderr }).toEqual({
      exitCode: 4,
      stderr: 'riskcli: 2 checks failed (timeout, key); each finding names its remedy\n',
    });
  });

  it('wraps lines with an indent on a narrow terminal, but breaks no path', async () => {
    const { stdout } = await cli(['doctor'], {
      env: { RISKCLI_BASE_URL: URL_, NO_COLOR: '1' },
      tty: { stdout: true },
      columns: 60,
    });
    const tooWide = stdout.split('\n').filter((line) => line.length > 60);
    for (const line of tooWide) expect(line).toMatch(/\S{30}/);
    expect(stdout).toMatch(/\n {20,}-> \S+[^\n]*\n {23,}\S/);
  });

  it('marks failures and warnings on a terminal, and ends with one line', async () => {
    const tty = { stdout: true, stderr: true };
    const bad = await cli(['doctor'], { env: { RISKCLI_BASE_URL: URL_, RISKCLI_TIMEOUT: 'soon' }, tty });
    expect(bad.stdout).toContain('\u001b[1m\u001b[31mfail\u001b[39m\u001b[22m    timeout');
    expect(bad.stderr).toContain('2 checks failed (timeout, key); each finding names its remedy\n');
    const place = stored();
    const { stderr } = await cli(['doctor'], { env: { ...place.env, RISKCLI_TIMOUT: '3s' }, tty });
    expect(stderr).toMatch(/note:\S* no check failed; \d warnings?\n$/);
  });

  it('prints csv with --csv', async () => {
    const { stdout } = await cli(['doctor', '--csv'], { env: { RISKCLI_BASE_URL: URL_, RISKCLI_API_KEY: KEY } });
    expect(stdout).toMatch(/^check,status,finding,remedy\nriskcli,ok,/);
  });
});

interface Case {
  readonly args?: readonly string[];
  readonly options?: () => RunOptions;
  readonly check: string;
  readonly finding: RegExp;
  readonly remedy: RegExp;
}

const stored = (more: { readonly stored_at?: string; readonly base_url?: string; readonly key?: string } = {}) =>
  configFolder({ 'keys.json': storedKeys({ default: { key: KEY, base_url: URL_, ...more } }) });
const NO_KEY = { RISKCLI_API_KEY: '' };

/** What is no failure yet: exit 0. */
const WARNINGS: Readonly<Record<string, Case>> = {
  'a variable that is mistyped': {
    options: () => ({ env: { RISKCLI_TIMOUT: '3' } }),
    check: 'variables',
    finding: /'RISKCLI_TIMOUT' is set, but riskcli has no such variable/,
    remedy: /^did you mean RISKCLI_TIMEOUT\?$/,
  },
  'a variable that means nothing': {
    options: () => ({ env: { RISKCLI_SOMETHING_ELSE: 'x' } }),
    check: 'variables',
    finding: /'RISKCLI_SOMETHING_ELSE'/,
    remedy: /^unset it$/,
  },
  'a folder in a variable that is relative': {
    options: () => ({ env: { XDG_CONFIG_HOME: 'here' } }),
    check: 'variables',
    finding: /^XDG_CONFIG_HOME is not an absolute path, and is ignored$/,
    remedy: /^write the whole path/,
  },
  'variables that -e ignores': {
    args: ['-e', 'prod'],
    options: () => ({
      env: configFolder({ 'keys.json': storedKeys({ prod: { key: KEY, base_url: URL_ } }) }).env,
    }),
    check: 'variables',
    finding: /^-e prod ignores RISKCLI_BASE_URL, RISKCLI_API_KEY$/,
    remedy: /^unset them, or leave out -e$/,
  },
  'an environment of which nothing is stored': {
    options: () => ({ env: { RISKCLI_ENV: 'prdo', ...stored().env } }),
    check: 'environment',
    finding: /^nothing is stored for prdo$/,
    remedy: /^use one of default, or store its key with riskcli keys set -e prdo$/,
  },
  'a stored setting that is none': {
    options: () => ({ env: configFolder({ 'config.json': { environments: { default: { timeuot: '3s' } } } }).env }),
    check: 'config.json',
    finding: /^default has 'timeuot', which is not a setting$/,
    remedy: /^did you mean timeout\?$/,
  },
  'a variable that hides what is stored': {
    options: () => ({
      env: {
        RISKCLI_TIMEOUT: '10s',
        ...configFolder({ 'config.json': { environments: { default: { timeout: 20 } } } }).env,
      },
    }),
    check: 'timeout',
    finding: /^RISKCLI_TIMEOUT hides what is stored: '20'$/,
    remedy: /riskcli config unset timeout$/,
  },
  'a variable that hides the stored key': {
    options: () => ({ env: stored({ key: 'wrp_0000000000000000zzzz' }).env }),
    check: 'key',
    finding: /^RISKCLI_API_KEY hides the stored key wrp_\*{4}zzzz$/,
    remedy: /^unset RISKCLI_API_KEY/,
  },
  'a key that is old': {
    options: () => ({ env: { ...NO_KEY, ...stored({ stored_at: new Date(NOW - 91 * DAY).toISOString() }).env } }),
    check: 'key',
    finding: /^it was stored 91 days ago, and rotation is due after 90$/,
    remedy: /^create a new key, /,
  },
  'a key file that was open to others': {
    options() {
      const folder = stored();
      chmodSync(folder.file('keys.json'), 0o644);
      return { env: folder.env };
    },
    check: 'keys.json',
    finding: /keys\.json' was open to others \(mode 0644\)$/,
    remedy: /replace the keys in it$/,
  },
  'no home folder': {
    options: () => ({ env: { RISKCLI_CONFIG_DIR: '' } }),
    check: 'config-folder',
    finding: /^there is no home folder to store settings in$/,
    remedy: /^set HOME or RISKCLI_CONFIG_DIR$/,
  },
  'no folder for what is learned': {
    options: () => ({ env: { XDG_STATE_HOME: '' } }),
    check: 'state-folder',
    finding: /^there is no home folder, so the limit /,
    remedy: /^set HOME or XDG_STATE_HOME$/,
  },
  'a folder for what is learned that cannot be made': {
    options: () => ({ env: { XDG_STATE_HOME: '/dev/null' } }),
    check: 'state-folder',
    finding: /^'\/dev\/null\/riskcli' cannot be written, so /,
    remedy: /^make it writable, or set XDG_STATE_HOME$/,
  },
  'a folder for what is learned that a group can write': {
    options() {
      const state = temporaryFolder();
      mkdirSync(join(state, 'riskcli'));
      chmodSync(join(state, 'riskcli'), 0o770);
      return { env: { XDG_STATE_HOME: state } };
    },
    check: 'state-folder',
    finding: /is writable by others \(mode 0770\), so /,
    remedy: /^run chmod go-w on it$/,
  },
  'certificates that are not there': {
    options: () => ({ env: { NODE_EXTRA_CA_CERTS: '/nonexistent/ca.pem' } }),
    check: 'ca',
    finding: /^'\/nonexistent\/ca.pem' \(NODE_EXTRA_CA_CERTS\) cannot be read: no such file or directory$/,
    remedy: /^name a PEM file$/,
  },
  'a file without certificates': {
    options: () => ({ env: { NODE_EXTRA_CA_CERTS: '/dev/null' } }),
    check: 'ca',
    finding: /contains no certificate that node can read$/,
    remedy: /^name a PEM file$/,
  },
  'certificates that have expired': {
    options: () => ({ env: { NODE_EXTRA_CA_CERTS: createAuthority().file }, now: () => Date.now() + 9 * DAY }),
    check: 'ca',
    finding: /^all of them have expired$/,
    remedy: /newer one$/,
  },
};

describe('a warning', () => {
  it.each(Object.entries(WARNINGS))(
    'is %s, with its remedy',
    async (_, { args = [], options, check, finding, remedy }) => {
      const { wrong, exitCode } = await examine(args, options?.());
      expect(wrong).toEqual([
        { check, status: 'warn', finding: expect.stringMatching(finding), remedy: expect.stringMatching(remedy) },
      ]);
      expect(exitCode).toBe(0);
    },
  );
});

const FAILURES: Readonly<Record<string, Case & { readonly exitCode: number }>> = {
  'a node that is too old': {
    options: () => ({ nodeVersion: '20.18.3' }),
    check: 'node',
    finding: /^Node 20\.18\.3 is too old$/,
    remedy: /^install Node 20\.19 or newer$/,
    exitCode: 1,
  },
  'no base URL': {
    options: () => ({ env: { RISKCLI_BASE_URL: '' } }),
    check: 'base-url',
    finding: /^no service address is set/,
    remedy: /^give --base-url URL/,
    exitCode: 2,
  },
  'a setting that makes no sense': {
    options: () => ({ env: { RISKCLI_MAX_WAIT: 'long' } }),
    check: 'max-wait',
    finding: /^RISKCLI_MAX_WAIT is not a duration: 'long'$/,
    remedy: /^write it like /,
    exitCode: 2,
  },
  'no key': {
    options: () => ({ env: NO_KEY }),
    check: 'key',
    finding: /^there is no API key for the environment default$/,
    remedy: /^set RISKCLI_API_KEY/,
    exitCode: 4,
  },
  'a key that cannot be one': {
    options: () => ({ env: { RISKCLI_API_KEY: `${KEY} ${KEY}` } }),
    check: 'key',
    finding: /^the key from RISKCLI_API_KEY contains a space/,
    remedy: /^copy the whole key again/,
    exitCode: 4,
  },
  'two keys': {
    options: () => ({ env: { RISKCLI_API_KEY_FILE: '/dev/null' } }),
    check: 'key',
    finding: /^RISKCLI_API_KEY and RISKCLI_API_KEY_FILE are both set$/,
    remedy: /^unset one of them$/,
    exitCode: 2,
  },
  'a key for another service': {
    options: () => ({ env: { ...NO_KEY, ...stored({ base_url: 'https://other.example.com' }).env } }),
    check: 'key',
    finding: /^the stored key is for https:\/\/other\.example\.com, but RISKCLI_BASE_URL says /,
    remedy: /^leave that out/,
    exitCode: 2,
  },
  'a config folder that is relative': {
    options: () => ({ env: { RISKCLI_CONFIG_DIR: 'here' } }),
    check: 'config-folder',
    finding: /^RISKCLI_CONFIG_DIR is not an absolute path$/,
    remedy: /^write the whole path/,
    exitCode: 2,
  },
  'a config folder that others can write': {
    options() {
      const folder = configFolder();
      chmodSync(folder.path, 0o777);
      return { env: folder.env };
    },
    check: 'config-folder',
    finding: /is writable by others \(mode 0777\)$/,
    remedy: /chmod go-w/,
    exitCode: 8,
  },
  'settings that are damaged': {
    options: () => ({ env: configFolder({ 'config.json': '{' }).env }),
    check: 'config.json',
    finding: /config\.json is damaged/,
    remedy: /^repair it/,
    exitCode: 8,
  },
  'keys that are damaged': {
    options: () => ({ env: configFolder({ 'keys.json': '[]' }).env }),
    check: 'keys.json',
    finding: /keys\.json is damaged/,
    remedy: /^repair it/,
    exitCode: 8,
  },
  'a proxy that cannot be one': {
    options: () => ({ env: { HTTPS_PROXY: 'socks5://user:secret@host' } }),
    check: 'proxy',
    finding: /^HTTPS_PROXY names a SOCKS proxy/,
    remedy: /^set an HTTP proxy/,
    exitCode: 2,
  },
};

describe('a failure', () => {
  it.each(Object.entries(FAILURES))('%s: reported once, with its remedy and its exit code', async (_, failure) => {
    const { args = [], options, check, finding, remedy } = failure;
    const { findings, exitCode, stderr, stdout } = await examine(args, options?.());
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([
      { check, status: 'fail', finding: expect.stringMatching(finding), remedy: expect.stringMatching(remedy) },
    ]);
    expect(exitCode).toBe(failure.exitCode);
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.message).toBe(`1 check failed (${check})`);
    expect(stdout).not.toMatch(/secret|aB3dE5fG7hJ9kL1mN3/);
  });
});

describe('--online', () => {
  const PROFILE = { wallet_address: `0x${'0'.repeat(40)}`, total_collateral_usd: 0, defi_score: {} };
  const health = (at = NOW) => ({ body: { status: 'ok', timestamp: new Date(at).toISOString() } });

  async function online(reply: (path: string) => Reply, env: Record<string, string> = {}) {
    await using server = await startServer(({ path }) => reply(path));
    // The clock is stopped, so measured times are 0.
    const outcome = await examine(['--online'], {
      env: { RISKCLI_BASE_URL: server.url.href, ...env },
      monotonic: () => 0,
    });
    return { ...outcome, asked: server.requests.map(({ path }) => path), headers: server.requests[0]?.headers };
  }
  const isHealth = (path: string) => path === '/health';

  it('requests the health without the key, and one profile', async () => {
    const { env, requests } = await startService();
    const { wrong, findings, exitCode } = await examine(['--online'], { env, now: Date.now });
    expect({ wrong, exitCode }).toEqual({ wrong: [], exitCode: 0 });
    expect(findings.slice(-3)).toMatchObject([
      { check: 'health', finding: expect.stringMatching(/^ok in \d+ ms$/) },
      { check: 'clock', finding: expect.stringMatching(/^[01]\.\d s apart$/) },
      { check: 'key-accepted', finding: expect.stringMatching(/this cost one request$/) },
    ]);
    // A health request is free.
    expect(requests()).toBe(2);
  });

  it.each([
    ['a service that is down', { health: { status: 503 }, profile: {} }, 'health', 5, ['/health']],
    ['a key that is rejected', { health: health(), profile: { status: 401 } }, 'key-accepted', 4, undefined],
  ] as const)('%s fails, and nothing is asked behind it', async (_, replies, check, code, asked) => {
    const outcome = await online((path) => (isHealth(path) ? replies.health : replies.profile));
    expect(outcome.wrong).toMatchObject([{ check, status: 'fail' }]);
    expect(outcome.exitCode).toBe(code);
    if (asked) expect(outcome.asked).toEqual(asked);
    expect(outcome.headers).not.toHaveProperty('x-api-key');
  });

  it('warns if the clock is wrong', async () => {
    const reply = (path: string) => (isHealth(path) ? health(NOW + 60_000) : { body: PROFILE });
    const { wrong, exitCode } = await online(reply);
    expect(wrong).toMatchObject([
      { check: 'clock', status: 'warn', finding: "the service's clock is 60.0 s ahead of this machine's" },
    ]);
    expect(exitCode).toBe(0);
  });

  it('checks everything else if there is no key', async () => {
    const { wrong, findings, exitCode, asked } = await online(() => health(), NO_KEY);
    expect(wrong).toMatchObject([{ check: 'key' }]);
    expect(findings.at(-1)).toMatchObject({ check: 'clock', status: 'ok' });
    expect({ exitCode, asked }).toEqual({ exitCode: 4, asked: ['/health'] });
  });

  it('reports a missing base URL once', async () => {
    const { wrong, exitCode } = await examine(['--online'], { env: { RISKCLI_BASE_URL: '' } });
    expect(wrong).toMatchObject([{ check: 'base-url', status: 'fail' }]);
    expect(exitCode).toBe(2);
  });

  it('fails for an unknown host name', async () => {
    const nowhere = await examine(['--online'], { env: { RISKCLI_BASE_URL: 'https://nothing-here.invalid' } });
    expect(nowhere.wrong).toMatchObject([
      { check: 'health', status: 'fail', finding: expect.stringContaining('resolved') },
    ]);
    expect(nowhere.exitCode).toBe(5);
  });

  it('stops on a signal, which is not a finding', async () => {
    const controller = new AbortController();
    await using server = await startServer(() => {
      controller.abort(new SignalError('SIGTERM'));
      return health();
    });
    const env = { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY };
    const { stdout, exitCode } = await cli(['doctor', '--online'], { env, signal: controller.signal });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 143 });
  });
});

it('names a proxy by its host, without its password', async () => {
  const { findings } = await examine([], { env: { HTTPS_PROXY: 'http://user:secret@proxy.test:3128' } });
  expect(findings.find(({ check }) => check === 'proxy')?.finding).toBe('proxy.test:3128, from HTTPS_PROXY');
});

it.skipIf(process.getuid?.() !== 0)("a folder for what is learned that is another user's is a warning", async () => {
  const state = temporaryFolder();
  mkdirSync(join(state, 'riskcli'));
  chownSync(join(state, 'riskcli'), OTHER_USER.uid, OTHER_USER.gid);
  const { wrong, exitCode } = await examine([], { env: { XDG_STATE_HOME: state }, uid: 0 });
  expect(wrong).toMatchObject([{ check: 'state-folder', finding: expect.stringContaining('belongs to another user') }]);
  expect(exitCode).toBe(0);
});

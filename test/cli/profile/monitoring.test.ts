/** --metrics and --summary: they tell how a list ended, however it ended, and nothing of the run depends on them. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { monitorRun } from '../../../src/commands/shared/list/monitoring/monitored-run.ts';
import { SignalError } from '../../../src/errors.ts';
import { identityOfProcess } from '../../../src/files/process-identity.ts';
import { cli, type RunOptions, testHost } from '../../fixtures/cli/here.ts';
import { storedKeys, testContext } from '../../fixtures/place/config-folder.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { type Reply, startServer } from '../../fixtures/service/server.ts';

const KEY = 'test_key_0123456789';
const WALLETS = addresses(3);
const NOW = Date.UTC(2026, 10, 21, 2, 15);

/** A folder with a list of three, and a service that gives `reply` for each of them. */
async function stage(reply: (count: number) => Reply | undefined = () => undefined) {
  const server = await startServer(({ path }, count) => {
    const wallet_address = path.slice(path.lastIndexOf('/') + 1);
    const body = { wallet_address, total_collateral_usd: 5, defi_score: { defi_score: 700 } };
    return reply(count) ?? { body };
  });
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  writeFileSync(path('list.txt'), `${WALLETS.join('\n')}\n`);
  const env = { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY };
  return {
    server,
    path,
    env,
    names: () => readdirSync(folder).sort(),
    read: (name: string) => readFileSync(path(name), 'utf8'),
    /** `profile` with both reports, at a time that is known. */
    report: (args: readonly string[], options: RunOptions = {}) =>
      cli(['profile', '--metrics', path('m.prom'), '--summary', path('s.json'), ...args], {
        now: () => NOW,
        ...options,
        env: { ...env, ...options.env },
      }),
    /** A value of the metrics; undefined for a missing series. */
    metric(name: string, file = 'm.prom') {
      const found = readFileSync(path(file), 'utf8').match(new RegExp(`^riskcli_list_${name} (\\S+)$`, 'm'));
      return found ? Number(found[1]) : undefined;
    },
    summary: () => JSON.parse(readFileSync(path('s.json'), 'utf8')),
    [Symbol.asyncDispose]: server.close,
  };
}

const LABELS = '{environment="default",list="m"}';
const SUCCESS = `last_success_timestamp_seconds${LABELS}`;
const EXIT_CODE = `last_run_exit_code${LABELS}`;

describe('a list that succeeds', () => {
  it('reports success in both files, and its output is unchanged', async () => {
    await using place = await stage();
    const args = ['-f', place.path('list.txt'), '--csv', '--fields', '_meta.status'];
    const plain = await cli(['profile', ...args], { env: place.env });
    expect(await place.report([...args, '--fail-if', '_meta.score < 600'])).toEqual({ ...plain, exitCode: 0 });
    expect(place.metric(SUCCESS)).toBe(NOW / 1000);
    expect(place.metric('rows{environment="default",list="m",status="scored"}')).toBe(3);
    expect(place.metric('matched_rows{environment="default",list="m",rule="_meta.score < 600"}')).toBe(0);
    expect(place.metric(`requests${LABELS}`)).toBe(3);
    expect(place.summary()).toMatchObject({
      exit_code: 0,
      error_code: null,
      base_url: place.env.RISKCLI_BASE_URL.replace(/\/$/, ''),
      ended_at: new Date(NOW).toISOString(),
      rows: { scored: 3 },
      matched: [{ rule: '_meta.score < 600', rows: 0 }],
      requests: 3,
    });
    expect(`${place.read('m.prom')}${place.read('s.json')}`).not.toContain(KEY);
    expect(statSync(place.path('m.prom')).mode & 0o777).toBe(0o644);
  });

  it('reports refusals, the requests left this month, and the age of the stored key', async () => {
    await using place = await stage((count) =>
      count === 1
        ? { status: 429, headers: { 'retry-after': '1' }, body: { error: 'rate limit exceeded' } }
        : undefined,
    );
    const stored_at = new Date(NOW - 5 * 86_400_000).toISOString();
    const keys = storedKeys({ default: { key: KEY, base_url: place.env.RISKCLI_BASE_URL, stored_at } });
    mkdirSync(place.path('config'), { mode: 0o700 });
    writeFileSync(place.path('config/keys.json'), JSON.stringify(keys), { mode: 0o600 });
    const env = {
      RISKCLI_API_KEY: '',
      RISKCLI_CONFIG_DIR: place.path('config'),
      XDG_STATE_HOME: place.path('state'),
      RISKCLI_MONTHLY_REQUESTS: '100',
    };
    expect(await place.report(['-f', place.path('list.txt')], { env })).toMatchObject({ exitCode: 0 });
    expect(place.summary()).toMatchObject({
      requests: 4,
      rate_limited_requests: 1,
      monthly_requests_left: 96,
      key_age_seconds: 5 * 86_400,
    });
    // If the count of requests cannot be stored, the rest is unknown.
    await place.report(['-f', place.path('list.txt')], { env: { ...env, XDG_STATE_HOME: '/dev/null' } });
    expect(place.summary()).toMatchObject({ requests: 3, monthly_requests_left: null });
  });

  it('writes nothing on a dry run', async () => {
    await using place = await stage();
    expect(await place.report(['-f', place.path('list.txt'), '--dry-run'])).toMatchObject({ exitCode: 0 });
    expect(await place.report(['-f', place.path('none.txt'), '--dry-run'])).toMatchObject({ exitCode: 9 });
    expect(await place.report(['-f', place.path('list.txt'), '--dry-run', '--bogus'])).toMatchObject({ exitCode: 2 });
    expect(place.names()).toEqual(['list.txt']);
  });
});

interface Failure {
  readonly args: readonly string[];
  readonly exitCode: number;
  readonly code: string;
  readonly env?: Record<string, string>;
  readonly reply?: Reply;
  /** Scored and pending rows; undefined if the run did not reach its rows. */
  readonly rows?: readonly [scored: number, pending: number];
}

const LIST = ['-f', 'list.txt'];
const FAILURES: Readonly<Record<string, Failure>> = {
  'an option that there is not': { args: [...LIST, '--bogus'], exitCode: 2, code: 'usage' },
  'an option without its value': { args: [...LIST, '--rate'], exitCode: 2, code: 'usage' },
  'an option with a wrong value': { args: [...LIST, '--rate', '0'], exitCode: 2, code: 'usage' },
  'an environment that cannot be one': { args: [...LIST, '-e', '-'], exitCode: 2, code: 'usage' },
  'no wallet': { args: [], exitCode: 2, code: 'usage' },
  'one wallet, which is no list': { args: [WALLETS[0] ?? ''], exitCode: 2, code: 'usage' },
  'no base URL': { args: LIST, env: { RISKCLI_BASE_URL: '' }, exitCode: 2, code: 'no_base_url' },
  'no key': { args: LIST, env: { RISKCLI_API_KEY: '' }, exitCode: 4, code: 'key_missing' },
  'a key that is rejected': { args: LIST, reply: { status: 401 }, exitCode: 4, code: 'key_rejected', rows: [0, 3] },
  'a list that is not there': { args: ['-f', 'none.txt'], exitCode: 9, code: 'list' },
  'an empty list': { args: ['-f', '/dev/null'], exitCode: 9, code: 'list', rows: [0, 0] },
  'an output that cannot be written': { args: [...LIST, '-o', 'no/x.csv'], exitCode: 8, code: 'io' },
  'rows without an answer': { args: LIST, reply: { status: 503 }, exitCode: 5, code: 'temporary', rows: [0, 0] },
  'a budget': { args: [...LIST, '--max-requests', '2'], exitCode: 7, code: 'max_requests', rows: [2, 1] },
  'another run that holds the journal': { args: [...LIST, '--journal', 'held.txt'], exitCode: 11, code: 'locked' },
  'a rule that matched': {
    args: [...LIST, '--fail-if', '_meta.score > 1'],
    exitCode: 10,
    code: 'fail_if',
    rows: [3, 0],
  },
};

describe('a list that fails', () => {
  it.each(Object.entries(FAILURES))('by %s is reported, and the last success is kept', async (_, failure) => {
    const { args, exitCode, code, env = {}, reply, rows } = failure;
    let isWell = true;
    await using place = await stage(() => (isWell ? undefined : reply));
    const typed = args.map((arg) => (/\.(txt|csv)$/.test(arg) ? place.path(arg) : arg));
    const before = NOW - 86_400_000;
    await place.report(['-f', place.path('list.txt')], { now: () => before });
    const { host, space } = identityOfProcess(testHost());
    writeFileSync(place.path('held.txt.lock'), `${process.pid} - ${host} ${space} 0123456789ab`);
    isWell = false;
    const outcome = await place.report(typed, { env });
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stderr).toMatch(/^riskcli: [^\n]+\n$/);
    expect(place.summary()).toMatchObject({ exit_code: exitCode, error_code: code });
    expect(place.summary().rows).toEqual(rows ? expect.objectContaining({ scored: rows[0], pending: rows[1] }) : null);
    if (args.includes('-e')) {
      expect(place.metric('last_run_exit_code{list="m"}')).toBe(exitCode);
      expect(place.metric('last_success_timestamp_seconds{list="m"}')).toBe(0);
      return;
    }
    expect(place.metric(EXIT_CODE)).toBe(exitCode);
    expect(place.metric(SUCCESS)).toBe(before / 1000);
    expect(place.summary().last_success_at).toBe(new Date(before).toISOString());
  });

  it('by a signal is reported, with the counts so far', async () => {
    const controller = new AbortController();
    await using place = await stage((count) => {
      if (count === 2) controller.abort(new SignalError('SIGTERM'));
      return undefined;
    });
    const args = ['-f', place.path('list.txt'), '--concurrency', '1'];
    expect(await place.report(args, { signal: controller.signal })).toMatchObject({ exitCode: 143 });
    expect(place.metric(EXIT_CODE)).toBe(143);
    expect(place.summary()).toMatchObject({ exit_code: 143, rows: { failed: 0 } });
  });

  it('by a signal before the list has been read is reported', async () => {
    const controller = new AbortController();
    await using place = await stage();
    const stdin = new Readable({ read: () => controller.abort(new SignalError('SIGINT')) });
    expect(await place.report(['-'], { stdin, signal: controller.signal })).toMatchObject({ exitCode: 130 });
    expect(place.metric(EXIT_CODE)).toBe(130);
    expect(place.server.requests).toHaveLength(0);
  });
});

describe('a list that is ended at once', () => {
  it('by a signal while it waits for something that does not stop: the files report the signal early', async () => {
    const controller = new AbortController();
    const path = join(temporaryFolder(), 'm.prom');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const context = testContext({ signal: controller.signal });
    const running = monitorRun({ flags: { metrics: path }, context }, () => held);
    controller.abort(new SignalError('SIGTERM'));
    await appears(path);
    expect(readFileSync(path, 'utf8')).toContain('riskcli_list_last_run_exit_code{list="m"} 143\n');
    release();
    await running;
    expect(readFileSync(path, 'utf8')).toContain('riskcli_list_last_run_exit_code{list="m"} 0\n');
  });
});

/** Resolves when something is at `path`: it is put there whole. */
async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await setImmediate();
}

describe('a path that is refused', () => {
  const REFUSED: Readonly<Record<string, { readonly args: readonly string[]; readonly says: string }>> = {
    'another spelling of the extension': {
      args: ['--metrics', 'm.PROM'],
      says: "needs the name of a .prom file, not '",
    },
    'another extension': { args: ['--metrics', 'm.txt'], says: "needs the name of a .prom file, not '" },
    'standard output': { args: ['--metrics', '-'], says: "needs the name of a .prom file, not '-'" },
    'a bare format name': { args: ['--summary', 'json'], says: "needs the name of a .json file, not 'json'" },
    'an extension alone': { args: ['--summary', '.json'], says: 'needs the name of a .json file' },
    'a directory': { args: ['--metrics', 'dir.prom'], says: 'is a directory' },
    'a symbolic link': { args: ['--metrics', 'link.prom'], says: 'is a symbolic link' },
    'a FIFO': { args: ['--metrics', 'fifo.prom'], says: 'is not a regular file' },
    'the list': { args: ['--metrics', 'list.prom'], says: 'is also the list' },
    'another name of the list': { args: ['--metrics', 'hard.prom'], says: 'is a file that this run reads' },
    'the output': { args: ['-o', 'x.json', '--summary', 'x.json'], says: 'is also the output file' },
    'the output by another way': {
      args: ['-o', 'x.json', '--summary', 'dir.prom/../x.json'],
      says: 'is also the output',
    },
    'the policy': { args: ['--policy', 'p.json', '--summary', 'p.json'], says: 'is also the policy' },
    'the journal': { args: ['--journal', 'j.prom', '--metrics', 'j.prom'], says: 'is also the journal' },
  };

  async function refusingStage() {
    const place = await stage();
    writeFileSync(place.path('list.prom'), `${WALLETS.join('\n')}\n`);
    linkSync(place.path('list.prom'), place.path('hard.prom'));
    mkdirSync(place.path('dir.prom'));
    symlinkSync(place.path('none.prom'), place.path('link.prom'));
    makeFifo(place.path('fifo.prom'));
    const inFolder = (arg: string) =>
      /^[\w./]+\.(prom|json|txt)$/.test(arg) && arg !== '.json' ? place.path(arg) : arg;
    return {
      ...place,
      typed: (args: readonly string[]) => args.map(inFolder),
      [Symbol.asyncDispose]: place.server.close,
    };
  }

  it.each(['darwin', 'win32'] as const)(
    'on %s, emulated: two spellings of a name that is not there yet',
    async (platform) => {
      await using place = await refusingStage();
      const args = ['--csv', '-o', place.path('Käse.json'), '--summary', place.path('ka\u0308SE.json')];
      const refused = await cli(['profile', '-f', place.path('list.prom'), ...args], { env: place.env, platform });
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is also the output file') });
      expect(place.server.requests).toHaveLength(0);
    },
  );

  it.each(Object.entries(REFUSED))('%s: exit 2, nothing sent, nothing changed', async (_, { args, says }) => {
    await using place = await refusingStage();
    const before = place.names();
    const typed = ['profile', '-f', place.path('list.prom'), ...place.typed(args)];
    const { exitCode, stderr } = await cli([...typed, '--csv'], { env: place.env });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(says) });
    expect(stderr).toMatch(/^riskcli: [^\n]+; [^\n]+\n$/);
    expect(place.names()).toEqual(before);
    expect(place.read('list.prom')).toBe(`${WALLETS.join('\n')}\n`);
    expect(place.server.requests).toHaveLength(0);
  });

  it('is reported in the other file', async () => {
    await using place = await stage();
    const list = ['-f', place.path('list.txt')];
    await cli(['profile', ...list, '--metrics', '-', '--summary', place.path('s.json')], { env: place.env });
    expect(place.summary()).toMatchObject({ exit_code: 2, error_code: 'usage' });
    const twice = ['--metrics', place.path('m.prom'), '--summary', place.path('m.prom')];
    expect(await cli(['profile', ...list, ...twice], { env: place.env })).toMatchObject({ exitCode: 2 });
    expect(place.metric(EXIT_CODE)).toBe(2);
  });

  it('exits with 8 before anything is sent if the system refuses it', async () => {
    await using place = await stage();
    const args = ['profile', '-f', place.path('list.txt'), '--metrics', place.path('no/m.prom')];
    const { exitCode, stderr } = await cli(args, { env: place.env });
    expect(exitCode).toBe(8);
    expect(stderr).toMatch(/m\.prom' cannot be written: its folder does not exist; /);
    expect(place.server.requests).toHaveLength(0);
  });

  it.each(['list.prom', 'list.json'])(
    '%s is not replaced when the option that names the list is not read',
    async (name) => {
      await using place = await stage();
      writeFileSync(place.path(name), WALLETS.join('\n'));
      const flag = name.endsWith('.prom') ? '--metrics' : '--summary';
      const args = ['profile', flag, place.path(name), '--csv', '-f'];
      expect(await cli(args, { env: place.env })).toMatchObject({ exitCode: 2 });
      expect(place.read(name)).toBe(WALLETS.join('\n'));
    },
  );
});

describe('a report that cannot be written at the end', () => {
  it.each([
    ['metrics', 'm.prom', 's.json'],
    ['summary', 's.json', 'm.prom'],
  ])('%s: exit 8, and the rows, the journal and the other file have what there is', async (_, broken, other) => {
    await using place = await stage((count) => {
      // Something else is at the path when the list is done.
      if (count === 3) mkdirSync(place.path(broken));
      return undefined;
    });
    const args = ['-f', place.path('list.txt'), '-o', place.path('out.csv'), '--journal', place.path('j')];
    const { exitCode, stderr } = await place.report(args);
    expect(exitCode).toBe(8);
    expect(stderr).toMatch(new RegExp(`^riskcli: '[^']*${broken}' is a directory; [^\\n]+\\n$`));
    expect(place.read('out.csv').split('\n')).toHaveLength(5);
    expect(other === 'm.prom' ? place.metric(EXIT_CODE) : place.summary().exit_code).toBe(8);
    rmSync(place.path(broken), { recursive: true });
    expect(await place.report(args)).toMatchObject({ exitCode: 0 });
    expect(place.server.requests).toHaveLength(3);
    expect(place.summary()).toMatchObject({ exit_code: 0, requests: 0, rows: { scored: 3 } });
  });

  it('does not hide another error: the more severe one decides the exit code, and both are reported', async () => {
    await using place = await stage((count) => {
      if (count === 3) mkdirSync(place.path('m.prom'));
      return undefined;
    });
    const args = ['-f', place.path('list.txt'), '--csv', '--fail-if', '_meta.score > 1'];
    const { exitCode, stderr } = await place.report(args);
    expect(exitCode).toBe(8);
    expect(stderr).toMatch(
      /^riskcli: --fail-if [^\n]* matched 3 rows[^\n]*\nriskcli: [^\n]*m\.prom' is a directory; [^\n]*\n$/,
    );
  });
});

describe('the file of an earlier run', () => {
  it.each([
    ['is not text', Buffer.from([0xff, 0xfe, 0, 1])],
    ['is too large', 'x'.repeat(2 ** 20 + 1)],
    ['is of somebody else', 'node_load1 0.5\n'],
  ])('is replaced when it %s', async (_, content) => {
    await using place = await stage((count) => (count > 3 ? { status: 404, body: {} } : undefined));
    const args = ['-f', place.path('list.txt'), '--csv'];
    writeFileSync(place.path('m.prom'), content);
    writeFileSync(place.path('s.json'), content);
    expect(await place.report([...args, '--max-requests', '1'])).toMatchObject({ exitCode: 7 });
    expect(place.metric(SUCCESS)).toBe(0);
    expect(place.summary().last_success_at).toBeNull();
  });
});

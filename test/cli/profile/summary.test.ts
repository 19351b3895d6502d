/** --summary: it tells how a list ended, however it ended, and nothing of the run depends on it. */
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { SignalError } from '../../../src/errors.ts';
import { holderPlace } from '../../../src/files/lock-holder.ts';
import { cli, type RunOptions, testHost } from '../../fixtures/cli/here.ts';
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
    read: (name: string) => readFileSync(path(name), 'utf8'),
    run: (args: readonly string[], options: RunOptions = {}) =>
      cli(['profile', '--summary', path('s.json'), ...args], {
        now: () => NOW,
        ...options,
        env: { ...env, ...options.env },
      }),
    summary: () => JSON.parse(readFileSync(path('s.json'), 'utf8')),
    [Symbol.asyncDispose]: server.close,
  };
}

it('a list that succeeds is told with its counts, and its output is unchanged', async () => {
  await using place = await stage((count) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '1' }, body: { error: 'rate limit exceeded' } } : undefined,
  );
  const secret = 'ab'.repeat(32);
  const rule = `wallet_address == ${secret}`;
  const args = ['-f', place.path('list.txt'), '--csv', '--fields', 'status', '--fail-if', rule, '-q'];
  expect(await place.run(args)).toMatchObject({ exitCode: 0, stdout: 'status\nscored\nscored\nscored\n' });
  const [time, rows] = [new Date(NOW).toISOString(), { scored: 3, no_score: 0, invalid: 0, failed: 0, pending: 0 }];
  expect(place.summary()).toEqual({
    exit_code: 0,
    error_code: null,
    started_at: time,
    ended_at: time,
    duration_seconds: expect.any(Number),
    rows,
    list_notes: [],
    matched: [{ rule: expect.not.stringContaining('abab'), rows: 0, unjudged: 0 }],
    requests: 4,
    rate_limited_requests: 1,
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
  'no base URL': { args: LIST, env: { RISKCLI_BASE_URL: '' }, exitCode: 2, code: 'no_base_url' },
  'a key that is rejected': { args: LIST, reply: { status: 401 }, exitCode: 4, code: 'key_rejected', rows: [0, 3] },
  'an empty list': { args: ['-f', '/dev/null'], exitCode: 9, code: 'list' },
  'an output that cannot be written': { args: [...LIST, '-o', 'no/x.csv'], exitCode: 8, code: 'io' },
  'an outage': { args: LIST, reply: { status: 503 }, exitCode: 5, code: 'unavailable', rows: [0, 0] },
  'a budget': { args: [...LIST, '--max-requests', '2'], exitCode: 7, code: 'max_requests', rows: [2, 1] },
  'another run that holds the journal': { args: [...LIST, '--journal', 'held.txt'], exitCode: 11, code: 'locked' },
  'a rule that matched': { args: [...LIST, '--fail-if', 'score > 1'], exitCode: 10, code: 'fail_if', rows: [3, 0] },
};

describe('a list that fails', () => {
  it.each(Object.entries(FAILURES))('by %s is told', async (_, { args, exitCode, code, env = {}, reply, rows }) => {
    await using place = await stage(() => reply);
    writeFileSync(place.path('held.txt.lock'), `${process.pid} - ${holderPlace(testHost())} 0123456789ab`);
    const typed = args.map((arg) => (/\.(txt|csv)$/.test(arg) ? place.path(arg) : arg));
    expect(await place.run(typed, { env })).toMatchObject({ exitCode });
    expect(place.summary()).toMatchObject({
      exit_code: exitCode,
      error_code: code,
      rows: rows ? { scored: rows[0], pending: rows[1] } : null,
    });
  });

  it('by a signal before it has been read is told', async () => {
    const controller = new AbortController();
    await using place = await stage();
    const stdin = new Readable({ read: () => controller.abort(new SignalError('SIGINT')) });
    expect(await place.run(['-'], { stdin, signal: controller.signal })).toMatchObject({ exitCode: 130 });
    expect(place.summary()).toMatchObject({ exit_code: 130, error_code: 'sigint' });
    expect(place.server.requests).toHaveLength(0);
  });
});

describe('a path that is refused', () => {
  const REFUSED: readonly (readonly [what: string, args: readonly string[], says: string])[] = [
    ['another extension', ['--summary', 's.txt'], "needs the name of a .json file, not '"],
    ['a bare format name', ['--summary', 'json'], "needs the name of a .json file, not 'json'"],
    ['a directory', ['--summary', 'dir.json'], 'is a directory'],
    ['a symbolic link', ['--summary', 'link.json'], 'is a symbolic link'],
    ['the list', ['--summary', 'list.json'], 'is also the list'],
    ['another name of the list', ['--summary', 'hard.json'], 'is a file that this run reads'],
    ['the output, by another way', ['-o', 'x.json', '--summary', 'dir.json/../x.json'], 'is also the output file'],
    ['the policy', ['--policy', 'p.json', '--summary', 'p.json'], 'is also the policy'],
    ['the journal', ['--journal', 'j.json', '--summary', 'j.json'], 'is also the journal'],
  ];

  it.each(REFUSED)('%s: exit 2, nothing sent, nothing changed', async (_, args, says) => {
    await using place = await stage();
    writeFileSync(place.path('list.json'), JSON.stringify(WALLETS));
    linkSync(place.path('list.json'), place.path('hard.json'));
    mkdirSync(place.path('dir.json'));
    symlinkSync(place.path('none.json'), place.path('link.json'));
    const typed = args.map((arg) => (/\w\.(json|txt)$/.test(arg) ? place.path(arg) : arg));
    const { exitCode, stderr } = await cli(['profile', '-f', place.path('list.json'), ...typed], { env: place.env });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(says) });
    expect(place.read('list.json')).toBe(JSON.stringify(WALLETS));
    expect(place.server.requests).toHaveLength(0);
  });
});

it('a summary that cannot be written at the end is exit 8, and the graver error is told besides', async () => {
  await using place = await stage((count) => {
    if (count === 3) mkdirSync(place.path('s.json'));
    return undefined;
  });
  const args = ['-f', place.path('list.txt'), '-o', place.path('out.csv'), '--fail-if', 'score > 1'];
  const { exitCode, stderr } = await place.run(args);
  expect(exitCode).toBe(8);
  expect(stderr).toMatch(/^riskcli: --fail-if [^\n]* matched 3, [^\n]*\nriskcli: [^\n]*s\.json' is a directory; /);
  expect(place.read('out.csv').split('\n')).toHaveLength(5);
});

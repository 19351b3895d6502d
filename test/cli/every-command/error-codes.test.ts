/** The one table of error codes: each is produced here, with an exit code that the table says. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  ERROR_CODES,
  type ErrorCode,
  type ErrorKind,
  WALLET_CODES,
  type WalletErrorCode,
} from '../../../src/error-codes.ts';
import { SignalError, type StopSignal } from '../../../src/errors.ts';
import { takeLock } from '../../../src/files/lock.ts';
import type { TransportOptions } from '../../../src/service/http/transport.ts';
import { cli, type Outcome, type RunOptions, testHost } from '../../fixtures/cli/here.ts';
import { configFolder, storedKeys } from '../../fixtures/place/config-folder.ts';
import { ABSENT, temporaryFolder } from '../../fixtures/place/folder.ts';
import { holdToSchema } from '../../fixtures/schemas.ts';
import { KEY, openClient, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { startProxy } from '../../fixtures/service/proxy.ts';
import { CLOSED_PORT, type Responder, startRawServer, startServer } from '../../fixtures/service/server.ts';

const ONE = ['profile', WALLET, '--json', '--timeout', '5s'];
const LIST = ['profile', '-', '--jsonl', '--timeout', '5s'];
const NO_HOST = 'http://127.0.0.1:1';
const known = (url: string, env: Record<string, string> = {}) => ({
  RISKCLI_BASE_URL: url,
  RISKCLI_API_KEY: KEY,
  ...env,
});
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => `0x${String(i + 1).padStart(40, '0')}\n`).join('');

/** Runs riskcli against a service that does what `respond` says. */
async function ask(
  respond: Responder,
  args: readonly string[],
  { env, ...options }: RunOptions = {},
): Promise<Outcome> {
  await using server = await startServer(respond);
  return await cli(args, { env: known(server.url.href, env), ...options });
}
const status =
  (code: number): Responder =>
  () => ({ status: code, body: { error: 'no' } });
const profile: Responder = ({ path }) => ({ body: profileOf(path) });
/** A profile for the first wallet of a list. */
const firstOnly =
  (others: Responder): Responder =>
  (request, count) =>
    (request.path.endsWith('01') ? profile : others)(request, count);
const healthAt =
  (timestamp: string, state = 'ok'): Responder =>
  () => ({ body: { status: state, timestamp } });
const now = () => new Date().toISOString();

async function raw(answer: string): Promise<Outcome> {
  await using server = await startRawServer((socket) => socket.end(answer));
  return await cli(ONE, { env: known(server.url.href) });
}

function stop(signal: StopSignal): Promise<Outcome> {
  return cli(LIST, { env: known(NO_HOST), stdin: many(1), signal: AbortSignal.abort(new SignalError(signal)) });
}

const inFolder = (name: string, text: string): string => {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
};

async function withJournal(change: (path: string) => unknown) {
  const journal = join(temporaryFolder(), 'j');
  await using server = await startServer(profile);
  const again = () => cli([...LIST, '--journal', journal], { env: known(server.url.href), stdin: many(1) });
  await again();
  await change(journal);
  return await again();
}

const WAYS: Readonly<Record<Exclude<ErrorCode, WalletErrorCode | 'pipe' | 'not_loopback'>, () => Promise<Outcome>>> = {
  fault: () =>
    cli(['keys', 'show', '--json'], {
      env: known(NO_HOST),
      now: () => {
        throw new TypeError('a mistake of ours');
      },
    }),
  usage: () => cli(['keys', 'list', '--json', '--format', 'csv']),
  no_base_url: () => cli(ONE, { env: { RISKCLI_API_KEY: KEY } }),
  other_origin: () => {
    const stored = storedKeys({ default: { key: KEY, base_url: 'https://one.example' } });
    return cli([...ONE, '--base-url', 'https://two.example'], { env: configFolder({ 'keys.json': stored }).env });
  },
  invalid_wallet: () => cli(['profile', 'nonsense', '--json'], { env: known(NO_HOST) }),
  missing_field: () => ask(profile, [...ONE, '--fields', 'nonsense']),
  policy: () => cli([...LIST, '--policy', inFolder('policy.json', '{}')], { env: known(NO_HOST) }),
  refused: () => ask(status(404), ONE),
  rows: () => ask(profile, LIST, { stdin: `nonsense\n${many(1)}` }),
  key: () => cli(ONE, { env: { RISKCLI_BASE_URL: NO_HOST, RISKCLI_API_KEY_FILE: `${ABSENT}/key` } }),
  key_missing: () => cli(ONE, { env: { RISKCLI_BASE_URL: NO_HOST } }),
  key_malformed: () => cli(ONE, { env: known(NO_HOST, { RISKCLI_API_KEY: 'a\nb' }) }),
  key_command: () => {
    const stored = { version: 1, keys: { default: { command: [`${ABSENT}/vault`], base_url: NO_HOST } } };
    return cli(ONE, { env: configFolder({ 'keys.json': stored }).env });
  },
  key_rejected: () => ask(status(401), ONE),
  key_refused: () => ask(status(403), LIST, { stdin: many(25) }),
  temporary: () => ask(firstOnly(status(503)), LIST, { stdin: many(2) }),
  network: async () => cli(ONE, { env: known(`http://127.0.0.1:${CLOSED_PORT}`) }),
  timeout: () => ask(() => ({ afterMs: 5_000 }), ['profile', WALLET, '--json', '--timeout', '100ms']),
  unavailable: () => ask(status(503), ONE),
  unhealthy: () => ask(healthAt(now(), 'bad'), ['health', '--json']),
  slow: () =>
    ask(
      () => ({ ...healthAt(now()), body: { status: 'ok', timestamp: now() }, afterMs: 20 }),
      ['health', '--json', '-c', '5ms'],
    ),
  proxy: async () => {
    await using proxy = await startProxy({ instead: 'HTTP/1.1 403 Forbidden\r\n\r\n' });
    return await cli(ONE, { env: known('https://service.test', { HTTPS_PROXY: `http://${proxy.host}` }) });
  },
  untrusted: () =>
    ask(
      firstOnly(() => ({ body: 'nonsense' })),
      LIST,
      { stdin: many(2) },
    ),
  tls: async () => {
    await using server = await startServer(profile);
    return await cli(ONE, { env: known(`https://${server.url.host}`) });
  },
  redirect: () => ask(() => ({ status: 302, headers: { location: 'https://elsewhere.test' } }), ONE),
  contract: () => ask(() => ({ body: '[]' }), ONE),
  encoding: () => ask(() => ({ headers: { 'content-encoding': 'gzip' }, body: 'x' }), ONE),
  too_long: () => raw('HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n{'),
  not_http: () => raw('nonsense\r\n\r\n'),
  rate_limit: () => ask(() => ({ status: 429, headers: { 'retry-after': '7200' } }), ONE),
  max_requests: () => ask(profile, [...LIST, '--max-requests', '1'], { stdin: many(2) }),
  monthly_requests: () =>
    ask(profile, LIST, {
      stdin: many(2),
      env: { RISKCLI_MONTHLY_REQUESTS: '1', XDG_STATE_HOME: temporaryFolder() },
    }),
  io: () => cli([...LIST, '-o', `${ABSENT}/x.jsonl`], { env: known(NO_HOST), stdin: many(1) }),
  journal_damaged: () => withJournal((path) => writeFileSync(path, '{"riskcli_journal":"x"}\n')),
  journal_base_url: async () => {
    const journal = join(temporaryFolder(), 'j');
    const list = [...LIST, '--journal', journal];
    await ask(profile, list, { stdin: many(1) });
    return cli(list, { env: known(NO_HOST), stdin: many(1) });
  },
  list: () => cli(LIST, { env: known(NO_HOST) }),
  no_review: () => cli(['review', '--keep', join(temporaryFolder(), 'none'), '--as-of', '2026-01-01', '--json']),
  fail_if: () => ask(profile, [...LIST, '--fail-if', '_meta.score > 0'], { stdin: many(1) }),
  locked: () => withJournal((path) => takeLock(`${path}.lock`, testHost())),
  doctor: () => cli(['doctor', '--json'], { env: { RISKCLI_BASE_URL: NO_HOST } }),
  sighup: () => stop('SIGHUP'),
  sigint: () => stop('SIGINT'),
  sigterm: () => stop('SIGTERM'),
};

const lastError = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;

it.each(Object.entries(WAYS))('reports the code %s with an exit code of the table', async (code, provoke) => {
  const { stderr, exitCode } = await provoke();
  const error = lastError(stderr);
  expect(error).toMatchObject({ code, exit_code: exitCode });
  expect(ERROR_CODES[code as ErrorCode].exits).toContain(exitCode);
  holdToSchema('error', { error });
});

const INPUTS: Readonly<Record<WalletErrorCode, string>> = {
  empty: '',
  checksum: '0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  no_prefix: 'd8da6bf26964af9d7eed9e03e53415d37aa96045',
  length: '0xd8da',
  not_hex: '0xzz',
  not_address: 'nonsense',
  ambiguous: `0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 ${WALLET}`,
  ens: 'vitalik.eth',
  icap: `XE73${'0'.repeat(30)}`,
  secret: `0x${'ab'.repeat(32)}`,
};

it('reports not_loopback if plain http would leave the machine', async () => {
  const lookup: TransportOptions['lookup'] = (_, __, done) => done(null, [{ address: '192.0.2.1', family: 4 }]);
  await using bench = openClient('http://localhost:1', { transportOptions: { lookup } });
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ code: 'not_loopback', exitCode: 6 });
});

it('reports in the code of a row why an input is not a wallet', async () => {
  const stdin = JSON.stringify(Object.values(INPUTS));
  const { stdout } = await cli(['profile', '-', '--json'], { env: known(NO_HOST), stdin });
  const codes = JSON.parse(stdout).map((row: { _meta: { error: { code: string } } }) => row._meta.error?.code);
  expect(codes).toEqual(Object.keys(INPUTS));
  expect(Object.keys(INPUTS).sort()).toEqual(Object.keys(WALLET_CODES).sort());
});

it('suggests commands to run next that cost nothing and run unchanged', async () => {
  const paid: string[] = [];
  await using server = await startServer((request, count) => {
    if (request.path !== '/health') paid.push(request.path);
    return request.path === '/health' ? healthAt(now())(request, count) : profile(request, count);
  });
  const env = known(server.url.href);
  const kinds: readonly ErrorKind[] = Object.values(ERROR_CODES);
  const commands = new Set(kinds.flatMap(({ run }) => run ?? []));
  expect(commands.size).toBeGreaterThan(3);
  for (const command of commands) {
    const [program, ...words] = command.split(' ');
    expect(program).toBe('riskcli');
    expect(await cli(words, { env }), command).toMatchObject({ exitCode: 0, stderr: '' });
  }
  expect(paid).toEqual([]);
});

it('names the environment in the commands to run next', async () => {
  const nextIn = async (environment: string) =>
    lastError((await cli([...ONE, '-e', environment], { env: {} })).stderr).next;
  expect(await nextIn('prod')).toEqual(['riskcli config list --json -e prod']);
  expect(await nextIn('default')).toEqual(['riskcli config list --json']);
});

it.each([
  ['whole', 'abc-123', 'abc-123'],
  ['cut and escaped', `\u009b${'x'.repeat(500)}`, `\\u009b${'x'.repeat(127)}`],
])('reports the identifier of the request, %s, also with -v', async (_, id, shown) => {
  const answer: Responder = () => ({ status: 404, headers: { 'x-request-id': id }, body: { error: 'no' } });
  const { stderr } = await ask(answer, [...ONE, '-v']);
  const error = lastError(stderr);
  holdToSchema('error', { error });
  expect(error).toMatchObject({ code: 'refused', request_id: shown });
  expect(stderr).toContain(`request ${shown.replaceAll('\\', '\\\\')}`);
});

it.each([503, 429, 401, 404, 405])('reports the identifier of a request that failed with %i', async (code) => {
  const answer: Responder = () => ({ status: code, headers: { 'x-request-id': 'r1' } });
  const { stderr } = await ask(answer, [...ONE, '--max-wait', '1ms'], { sleep: async () => {} });
  expect(lastError(stderr).request_id).toBe('r1');
});

it('reports status, time to resume, counts, environment and base URL of a stopped list', async () => {
  const two: Responder = (request, count) =>
    count === 1 ? profile(request, 1) : { status: 429, headers: { 'retry-after': '7200' } };
  const at = Date.UTC(2026, 0, 31, 23, 0, 0);
  const { stderr } = await ask(two, [...LIST, '--concurrency', '1'], {
    stdin: many(2),
    env: { RISKCLI_ENV: 'prod' },
    now: () => at,
  });
  expect(lastError(stderr)).toMatchObject({
    exit_code: 7,
    code: 'rate_limit',
    http_status: 429,
    retry_at: '2026-02-01T01:00:00.000Z',
    counts: { scored: 1, no_score: 0, invalid: 0, failed: 0, pending: 1 },
    environment: 'prod',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
});

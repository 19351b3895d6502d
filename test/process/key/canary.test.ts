/**
 * One key through everything that riskcli does and everything that goes wrong: whatever was
 * written, to a stream, a file or another host, is then searched for it and for any six characters
 * of its random part.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AsProcess, Here } from '../../fixtures/cli/cli.ts';
import { start } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { type Workplace, workplace } from '../../fixtures/place/workplace.ts';
import { PROFILE, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { type Reply, startServer, type TestServer } from '../../fixtures/service/server.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const RANDOM = 'Qk3v9_xT7-mZ2pL8wBn4-Rd6_Hs';
const KEY = `cnry_${RANDOM}`;
const PIECE = 6;

/**
 * `text` in base64 as it looks inside longer texts, at each of the three places it can have there.
 */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + text).toString('base64');
    const whole = Math.floor(((before + text.length) * 8) / 6);
    return encoded.slice(Math.ceil((before * 8) / 6), whole);
  });
}

const percent = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&');

/** Everything that would give six characters of the key away. */
const TRACES = Array.from({ length: RANDOM.length - PIECE + 1 }, (_, i) => RANDOM.slice(i, i + PIECE)).flatMap(
  (piece) => {
    const base64 = inBase64(piece);
    const hex = Buffer.from(piece).toString('hex');
    const escaped = [percent(piece), encodeURIComponent(piece), hex, hex.replace(/..(?!$)/g, '$& ')].flatMap((text) => [
      text,
      text.toUpperCase(),
    ]);
    return [piece, ...escaped, ...base64, ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
  },
);

/** The first trace of the key in `text`. */
const traceIn = (text: string) => TRACES.find((trace) => text.includes(trace));

/** Every file below `folder`. */
function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}

/** All files that a run left behind but the one that is there to hold the key. */
function expectNoFileWithKey(place: Pick<Workplace, 'folder'>): void {
  for (const path of filesIn(place.folder).filter((path) => !path.endsWith('/riskcli/keys.json'))) {
    expect({ path, trace: traceIn(path) ?? traceIn(readFileSync(path, 'latin1')) }).toEqual({ path, trace: undefined });
  }
}

/** Does something else to each wallet, and says the key back wherever a service could. */
function startEcho(other: TestServer): Promise<TestServer> {
  const said = { error: `key ${KEY} and its part ${RANDOM.slice(3, 15)} (${RANDOM.slice(-8)}) are no good` };
  const elsewhere = `https://${RANDOM.replace(/[-_]/g, '').slice(0, 12)}.test/${KEY}`;
  const replies: Readonly<Record<string, Reply>> = {
    1: { status: 404, body: said },
    2: { status: 302, headers: { location: `${other.url.href}?k=${KEY}` } },
    3: { status: 302, headers: { location: elsewhere } },
    4: { status: 503, body: said },
    5: { status: 429, headers: { 'retry-after': '9999' }, body: said },
    6: { status: 401, body: said },
    8: { body: `<html>${KEY}` },
    9: { headers: { 'content-encoding': `x-${KEY}` }, body: said },
  };
  return startServer(({ path }) => {
    if (path.endsWith('/health')) return { body: { status: 'ok', timestamp: new Date().toISOString() } };
    const [, digit = ''] = /abcdef(\d)$/.exec(path) ?? [];
    return replies[digit] ?? { body: profileOf(path) };
  });
}

/** The `wallet` whose number ends in `digit`. */
const echoing = (digit: number) => address(0xabcdef0 + digit);

const GOOD = [address(0xa), address(0xb)];
const MANY = [...GOOD, echoing(1), echoing(2), echoing(3), echoing(8), echoing(9)];

/** What people do, and what they do by mistake; each with the key in the environment or stored. */
const USES: readonly (readonly string[])[] = [
  ['keys', 'show'],
  ['keys', 'show', '--json'],
  ['keys', 'list', '--csv'],
  ['keys', 'check', '-v', '--debug'],
  ['config', 'list'],
  ['config', 'set', 'timeout', '5s'],
  ['completion', 'bash'],
  ['doctor', '-v', '--debug'],
  ['health', '-v'],
  ['health', '--format', 'prometheus', '-o', 'health.prom'],
  ['health', '--sandbox', '-v'],
  ['profile', WALLET, '-v', '--json'],
  ['profile', WALLET, '--sandbox', '-v'],
  ...[1, 2, 3, 4, 5, 6, 8, 9].map((digit) => ['profile', echoing(digit), '-v', '--debug']),
  ['profile', echoing(1), '--json', '--debug'],
  ['profile', ...MANY, '--jsonl', '-v', '--debug'],
  ['profile', ...MANY, '--csv', '--journal', 'kept.journal'],
  ['profile', ...MANY, echoing(6), '-o', 'out.json', '--concurrency', '1'],
  ['profile', ...GOOD, echoing(5), '-o', 'stopped.csv', '--concurrency', '1'],
  ['profile', ...GOOD, '--dry-run'],
  ['profile', ...GOOD, '--csv', '--fail-if', `a == ${KEY}`],
];

describe('the key', () => {
  let other: TestServer;
  let server: TestServer;
  beforeAll(async () => {
    other = await startServer(() => ({ body: PROFILE }));
    server = await startEcho(other);
    return async () => {
      await server.close();
      await other.close();
    };
  });

  async function expectSilent(
    { folder, cli }: Pick<Workplace, 'folder' | 'cli'>,
    uses: readonly (readonly string[])[],
    options: Here | AsProcess,
  ) {
    const leaks: string[] = [];
    for (const args of uses) {
      const given = { ...options, stdin: `${KEY}\n` };
      const { stdout, stderr } = given.via === 'process' ? await cli(args, given) : await cli(args, given);
      const trace = traceIn(stdout) ?? traceIn(stderr);
      if (trace) leaks.push(`${args.join(' ')}: ${trace} in ${stderr}`);
    }
    expect(leaks).toEqual([]);
    expectNoFileWithKey({ folder });
    expect(other.connections()).toBe(0);
  }

  it('sends the key from a variable to the service and nowhere else', async () => {
    const env = { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY };
    const before = server.requests.length;
    const place = workplace();
    await expectSilent(place, USES, { env });
    const asked = server.requests.slice(before).filter(({ path }) => !path.endsWith('/health'));
    expect(asked.length).toBeGreaterThan(20);
    for (const { headers } of asked) {
      expect(headers['x-api-key'] ?? headers.authorization?.replace('Bearer ', '')).toBe(KEY);
    }
    for (const { path, headers } of server.requests) {
      expect(traceIn(path)).toBeUndefined();
      if (path.endsWith('/health')) expect(traceIn(JSON.stringify(headers))).toBeUndefined();
    }
  });

  it('prints no part of the key in messages, even with NODE_DEBUG', async () => {
    const env = { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY, NODE_DEBUG: '*' };
    const uses = [
      ['profile', ...MANY, '--jsonl', '-v', '--debug'],
      ['doctor', '-v', '--debug'],
      ['profile', WALLET],
      ['keys', 'show'],
    ];
    // The first covers node's part; test/slow has the others, too.
    await expectSilent(workplace(), uses.slice(0, isSlow ? undefined : 1), { via: 'process', env });
  });

  it('keeps a stored key in its file only', async () => {
    const place = workplace();
    const stored = await place.cli(['keys', 'set', '--base-url', server.url.href], { stdin: `${KEY}\n` });
    expect(stored).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    const uses = [...USES.slice(0, 17), ['keys', 'set'], ['keys', 'remove'], ['keys', 'list']];
    await expectSilent(place, uses, {});
  });

  it.each([
    ['on a signal', '--report-on-signal'],
    ['of an uncaught exception', '--report-uncaught-exception --require=./throw.cjs'],
  ])('puts no part of the key in a crash report %s', async (_, options) => {
    const place = workplace();
    place.write('throw.cjs', "process.on('beforeExit', () => { throw new Error('provoked'); });");
    await using silent = await startServer(() => ({ afterMs: options.includes('signal') ? 60_000 : 0, body: PROFILE }));
    const env = {
      ...place.env,
      RISKCLI_BASE_URL: silent.url.href,
      RISKCLI_API_KEY: KEY,
      NODE_OPTIONS: `${options} --report-directory=${place.folder} --report-filename=report.json`,
    };
    const { child, done, collected } = start(['profile', PROFILE.wallet_address], { cwd: place.folder, env });
    if (options.includes('signal')) {
      await expect.poll(() => silent.requests.length, { timeout: 30_000 }).toBe(1);
      child.kill('SIGUSR2');
      await expect.poll(() => collected.stderr, { timeout: 30_000 }).toContain('report completed');
      child.kill('SIGKILL');
    }
    await done;
    const report = JSON.parse(place.read('report.json'));
    expect(report.header.commandLine).toContain('profile');
    expect(traceIn(JSON.stringify(report))).toBeUndefined();
  });
});

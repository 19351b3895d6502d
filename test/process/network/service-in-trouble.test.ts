/** Whole runs against a service that fails, stalls, refuses, lies or floods: counted where it hurts. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { address, addresses } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { KEY, PROFILE, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { type Responder, startRawServer, startServer, type TestServer } from '../../fixtures/service/server.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const numberOf = (path: string) => Number.parseInt(path.slice(path.lastIndexOf('/') + 1), 16);

/** A key of this rate need not be probed for it. */
const RATE = { 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '400' };
const good = (path: string) => ({ headers: RATE, body: profileOf(path) });

/** A place whose riskcli talks to `server`. */
const facing = (server: TestServer) => workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY });

/** How often each wallet was asked for, in their order. */
const counts = ({ requests }: TestServer, wallets: number) =>
  addresses(wallets).map((wallet) => requests.filter(({ path }) => path.endsWith(wallet)).length);

interface ListRow {
  readonly wallet_address: string;
  readonly _meta: { readonly status: string; readonly error?: { readonly code: string; readonly message: string } };
}

const rowsOf = (jsonl: string): ListRow[] =>
  jsonl
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const list = (count: number) => ({ stdin: addresses(count).join('\n') });

/** Answers with `statuses` by the wallet's number, then well. */
const byNumber =
  (statuses: readonly number[]): Responder =>
  ({ path }) => {
    const status = statuses[numberOf(path)] ?? 200;
    return { status, body: status === 200 ? profileOf(path) : { error: 'no' } };
  };

describe.concurrent('a list whose wallets', () => {
  it('[26] fail with server errors: four attempts each, exit 5', async () => {
    const statuses = [408, 500, 502, 503, 504];
    await using server = await startServer(byNumber(statuses));
    const { stdout, stderr, exitCode } = await facing(server).cli(['profile', '-', '--jsonl'], list(7));
    expect({ exitCode, counts: counts(server, 7) }).toEqual({ exitCode: 5, counts: [4, 4, 4, 4, 4, 1, 1] });
    expect(stderr).toMatch(ONE_LINE);
    expect(rowsOf(stdout).map(({ _meta }) => _meta.status)).toEqual([...Array(5).fill('failed'), 'scored', 'scored']);
  });

  it('[26] are refused: one request each, exit 3', async () => {
    await using server = await startServer(byNumber([400, 404, 422, 403, 410]));
    const { stdout, stderr, exitCode } = await facing(server).cli(['profile', '-', '--jsonl'], list(7));
    expect({ exitCode, counts: counts(server, 7) }).toEqual({ exitCode: 3, counts: Array(7).fill(1) });
    expect(stderr).toMatch(ONE_LINE);
    expect(rowsOf(stdout).filter(({ _meta }) => _meta.error?.code === 'refused')).toHaveLength(5);
  });

  it('[28] are redirected: not followed, the other host sees nothing, exit 6', async () => {
    await using other = await startServer(() => ({ body: PROFILE }));
    const statuses = [301, 302, 303, 307, 308];
    await using server = await startServer(({ path }) => {
      const status = statuses[numberOf(path)] ?? 302;
      return { status, headers: { location: new URL(path, other.url).href } };
    });
    const place = facing(server);
    const { stderr, exitCode } = await place.cli(['profile', '-', '--jsonl'], list(5));
    expect({ exitCode, counts: counts(server, 5) }).toEqual({ exitCode: 6, counts: Array(5).fill(1) });
    expect(stderr).toMatch(ONE_LINE);
    for (const args of [['health'], ['keys', 'check'], ['profile', WALLET]]) {
      expect(await place.cli(args)).toMatchObject({ exitCode: 6, stdout: '' });
    }
    expect(other.connections()).toBe(0);
  });

  it('[27] meet an outage: stops after 20 wallets, exit 5, the rest is not marked failed', async () => {
    let isWell = false;
    await using server = await startServer(({ path }) =>
      numberOf(path) < 30 || isWell ? good(path) : { status: 503, headers: RATE, body: '<html>' },
    );
    const place = facing(server);
    const file = place.write('list.txt', addresses(80).join('\n'));
    const command = ['profile', '-f', file, '-o', place.path('out.csv'), '--concurrency', '20'];
    const { stderr, exitCode } = await place.cli(command);
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(ONE_LINE);
    const asked = counts(server, 80);
    const [, failed = 0, pending = 0] = /30 scored, (\d+) failed, (\d+) pending/.exec(stderr)?.map(Number) ?? [];
    expect(failed).toBeGreaterThanOrEqual(20);
    expect(pending).toBeGreaterThanOrEqual(asked.filter((count) => count === 0).length);
    isWell = true;
    expect(await place.cli(command)).toMatchObject({ exitCode: 0 });
    expect(counts(server, 30)).toEqual(Array(30).fill(1));
  });
});

describe.concurrent('429', () => {
  const later = (seconds: number) => new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toUTCString();
  /** What a wallet's first answer says, and the least that must then pass, milliseconds. */
  const forms: readonly { readonly reply: () => ReturnType<Responder>; readonly waitMs: number }[] = [
    { reply: () => ({ headers: { 'retry-after': '2' } }), waitMs: 2000 },
    { reply: () => ({ headers: { 'retry-after': later(2) } }), waitMs: 1900 },
    { reply: () => ({ headers: { 'retry-after': later(-5) } }), waitMs: 1000 },
    { reply: () => ({ headers: { 'retry-after': '-5' } }), waitMs: 1000 },
    { reply: () => ({ headers: { 'retry-after': 'soon' } }), waitMs: 1000 },
    { reply: () => ({ body: { error: 'rate limit exceeded', retry_after: 2 } }), waitMs: 2000 },
    { reply: () => ({ headers: { 'retry-after': '1' }, body: { retry_after: 2 } }), waitMs: 2000 },
    { reply: () => ({ headers: { 'retry-after': '2' }, body: { retry_after: 1 } }), waitMs: 2000 },
    { reply: () => ({ body: '<html>slow down' }), waitMs: 1000 },
  ];

  it('[24] in all its forms: never retried earlier than it says', async () => {
    const refusedAt = new Map<string, number>();
    const waited: number[] = [];
    await using server = await startServer(({ path }) => {
      const before = refusedAt.get(path);
      const form = forms[numberOf(path)];
      if (!form) return good(path);
      if (before !== undefined) {
        waited[numberOf(path)] = performance.now() - before;
        return good(path);
      }
      refusedAt.set(path, performance.now());
      const reply = form.reply();
      return { status: 429, ...reply, headers: { ...RATE, ...reply.headers } };
    });
    const outcome = await facing(server).cli(['profile', '-', '--csv'], list(forms.length));
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(counts(server, forms.length)).toEqual(forms.map(() => 2));
    // Both clocks are monotonic: only sending too early could break this.
    for (const [i, { waitMs }] of forms.entries()) expect(waited[i]).toBeGreaterThanOrEqual(waitMs - 1);
  });

  it('[24] with a wait longer than --max-wait: names the time, exits with 7, and can be resumed', async () => {
    let isSpent = true;
    await using server = await startServer(({ path }) =>
      isSpent && numberOf(path) === 5
        ? { status: 429, headers: { 'retry-after': '1000000000' } }
        : { body: profileOf(path) },
    );
    const place = facing(server);
    const file = place.write('list.txt', addresses(30).join('\n'));
    const command = ['profile', '-f', file, '-o', place.path('out.csv'), '--concurrency', '1'];
    const { stderr, exitCode } = await place.cli(command);
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 7, requests: 6 });
    expect(stderr).toMatch(/ after \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
    expect(stderr).toMatch(ONE_LINE);
    isSpent = false;
    expect(await place.cli(command)).toMatchObject({ exitCode: 0 });
    expect(server.requests).toHaveLength(31);
  });

  it.each([
    ['one wallet', ['profile', WALLET]],
    ['a list', ['profile', ...addresses(8), '--csv']],
  ])('[25] for ever: %s stops when the waits pass --max-wait, exit 7', async (_, args) => {
    await using server = await startServer(() => ({ status: 429, headers: { 'retry-after': '1' } }));
    const { stderr, exitCode } = await facing(server).cli([...args, '--max-wait', '2s']);
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(ONE_LINE);
    expect(server.requests.length).toBeLessThanOrEqual(3 * 8);
  });
});

describe.concurrent('a body that is', () => {
  const half = JSON.stringify(PROFILE).slice(0, 40);
  it.each<[string, (socket: Socket) => void]>([
    [
      'reset half way',
      (socket) => socket.write(`${OK}content-length: 999\r\n\r\n${half}`, () => socket.resetAndDestroy()),
    ],
    ['shorter than it says', (socket) => socket.end(`${OK}content-length: 999\r\n\r\n${half}`)],
    ['broken in a chunk', (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nabcde\r\nzz\r\n`)],
    ['cut by a close', (socket) => socket.end(`${OK}\r\n${half}`)],
  ])('[21] %s: asked again, no partial row', async (_, cut) => {
    await using server = await startRawServer((socket, count) => {
      if (count === 1) cut(socket);
      else socket.end(`${OK}connection: close\r\n\r\n${JSON.stringify(PROFILE)}`);
    });
    const { stdout, stderr, exitCode } = await facing(server).cli(['profile', WALLET, WALLET, '--jsonl']);
    expect({ exitCode, stderr, requests: server.requests.length }).toEqual({ exitCode: 0, stderr: '', requests: 2 });
    expect(rowsOf(stdout)).toMatchObject([PROFILE, PROFILE]);
  });

  it('[20] too slow: the time limit of the whole request ends it, exit 5', async () => {
    await using server = await startRawServer((socket) => {
      socket.write(`${OK}content-length: 1000\r\n\r\n`);
      const drip = setInterval(() => socket.write(' '), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const place = facing(server);
    for (const command of [
      ['profile', WALLET],
      ['profile', WALLET, address(1), '--csv'],
      ['keys', 'check'],
      ['health'],
    ]) {
      const { stderr, exitCode } = await place.cli([...command, '--timeout', '300ms']);
      expect({ command, exitCode }).toEqual({ command, exitCode: 5 });
      expect(stderr).toMatch(ONE_LINE);
    }
  });

  /** Most memory that the process held, kB: it writes them down as it ends. */
  const MEMORY = `process.on('exit', () => require('fs').writeFileSync(process.env.MEMORY, String(process.resourceUsage().maxRSS)))`;
  const bomb = Buffer.concat(Array<Buffer>(200).fill(gzipSync(Buffer.alloc(1_000_000))));
  const FLOODS: readonly ((socket: Socket) => void)[] = [
    // 10 GB long, without end, a gzip bomb.
    (socket) => pour(socket, `${OK}content-length: 10000000000\r\n\r\n`),
    (socket) => pour(socket, `${OK}\r\n`),
    (socket) => {
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    },
  ];

  it.each([
    [
      '10 GB long, without end, or a gzip bomb',
      ['profile', WALLET, address(1), address(2), '--csv', '--concurrency', '1'],
    ],
    ['without end', ['profile', WALLET]],
    ['without end', ['health']],
  ])('[22] %s: stopped, exit 6, in little memory: %j', async (what, command) => {
    const floods = what === 'without end' ? FLOODS.slice(1, 2) : FLOODS;
    await using server = await startRawServer((socket, count) => floods[count - 1]?.(socket));
    const place = facing(server);
    place.write('memory.cjs', MEMORY);
    const env = { NODE_OPTIONS: `--require=${place.path('memory.cjs')}`, MEMORY: place.path('memory') };
    const { stderr, exitCode } = await place.cli(command, { via: 'process', env });
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 6, requests: floods.length });
    expect(stderr).toMatch(ONE_LINE);
    expect(Number(place.read('memory'))).toBeLessThan(200_000);
  });

  it.each([
    ['10 GB long', FLOODS[0]],
    ['a gzip bomb', FLOODS[2]],
  ])('[22] %s: exit 6 for one wallet and for health, too', async (_, flood) => {
    await using server = await startRawServer((socket) => flood?.(socket));
    for (const command of [['profile', WALLET], ['health']]) {
      const { stderr, exitCode } = await facing(server).cli(command);
      expect({ command, exitCode }).toEqual({ command, exitCode: 6 });
      expect(stderr).toMatch(ONE_LINE);
    }
  });

  it.each<[string, string]>([
    ['behind a flood of headers', `${OK}${`x-flood: ${'a'.repeat(60)}\r\n`.repeat(4000)}\r\n{}`],
    ['given two lengths', `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ])('[23] %s: exit 6, asked once', async (_, bytes) => {
    await using server = await startRawServer((socket) => socket.end(bytes));
    const place = facing(server);
    for (const command of [['profile', WALLET], ['health'], ['profile', WALLET, WALLET, '--csv']]) {
      const { stderr, exitCode } = await place.cli(command);
      expect({ command, exitCode }).toEqual({ command, exitCode: 6 });
      expect(stderr).toMatch(ONE_LINE);
    }
    expect(server.requests).toHaveLength(3);
  });
});

/** `head`, then spaces for as long as anybody takes them. */
function pour(socket: Socket, head: string): void {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  const pump = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.write(head);
  socket.on('drain', pump);
  pump();
}

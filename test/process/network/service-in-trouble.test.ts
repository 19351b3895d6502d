/** Whole runs against a service that redirects, stalls or floods: counted where it hurts. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { address, addresses } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { KEY, PROFILE, WALLET } from '../../fixtures/service/client.ts';
import { startRawServer, startServer, type TestServer } from '../../fixtures/service/server.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const numberOf = (path: string) => Number.parseInt(path.slice(path.lastIndexOf('/') + 1), 16);

/** A place whose riskcli talks to `server`. */
const facing = (server: TestServer) => workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY });

/** How often each wallet was asked for, in their order. */
const counts = ({ requests }: TestServer, wallets: number) =>
  addresses(wallets).map((wallet) => requests.filter(({ path }) => path.endsWith(wallet)).length);

const list = (count: number) => ({ stdin: addresses(count).join('\n') });

describe.concurrent('wallets that', () => {
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
});

describe.concurrent('a body that is', () => {
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

/** Whole runs on machines, networks and clocks that are in trouble, as processes of their own. */
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { address, addresses } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { canUnshare } from '../../fixtures/process/namespaces.ts';
import { createAuthority } from '../../fixtures/service/certificates.ts';
import { KEY, PROFILE, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { type Reply, startRawServer, startServer } from '../../fixtures/service/server.ts';
import { startTinyproxy } from '../../fixtures/service/tinyproxy.ts';

const answer = (path: string): Reply => ({
  headers: { 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '400' },
  body: path.endsWith('/health') ? { status: 'ok', timestamp: new Date().toISOString() } : profileOf(path),
});

/** A place whose riskcli asks `url`. */
const facing = (url: URL | string, env: Record<string, string> = {}) =>
  workplace({ RISKCLI_BASE_URL: String(url), RISKCLI_API_KEY: KEY, ...env });

it.skipIf(!canUnshare()).each([
  ['names', 'https://service.test', 'no name server answers'],
  ['addresses', 'https://203.0.113.1', 'the network of'],
])('reports an unknown status, not an outage, without a network for %s', async (_, baseUrl, why) => {
  const { exitCode, stdout } = await facing(baseUrl).sh(`exec unshare --net ${RISKCLI_WORDS} health --json`);
  const { status, error_code, error } = JSON.parse(stdout);
  expect({ exitCode, status, error_code }).toEqual({ exitCode: 5, status: 'unknown', error_code: 'network' });
  expect(error).toContain(why);
});

it.skipIf(!canUnshare())('waits for a silent name server no longer than --timeout', async () => {
  const place = facing('https://service.test');
  // The system itself would take longer than a test may.
  place.write('resolv.conf', 'nameserver 127.0.0.1\noptions timeout:30 attempts:5\n');
  const server = `require('dgram').createSocket('udp4').bind(53, '127.0.0.1', () => console.log('ready'))`;
  place.write(
    'script',
    `ip link set lo up && mount --bind resolv.conf /etc/resolv.conf || exit 99
        coproc "${process.execPath}" -e "${server}"
        trap 'kill $COPROC_PID' EXIT
        read -r <&"\${COPROC[0]}"
        ${RISKCLI_WORDS} health --timeout 300ms`,
  );
  const { exitCode, stderr } = await place.sh('unshare --mount --net bash ./script');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('within 300ms') });
});

it.skipIf(process.platform !== 'linux')('has no more requests of a list in flight than it may open files', async () => {
  await using server = await startServer(({ path }) => ({ ...answer(path), afterMs: 200 }));
  const place = facing(server.url);
  place.write('list.txt', addresses(30).join('\n'));
  const { exitCode, stdout, stderr } = await place.sh('ulimit -n 40; r profile -f list.txt --csv');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n')).toHaveLength(31);
  expect(server.connections()).toBeGreaterThan(1);
  expect(server.connections()).toBeLessThanOrEqual(12);
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

it('stops a body of 10 GB, an endless one and a gzip bomb in little memory', async () => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const bomb = Buffer.concat(Array<Buffer>(200).fill(gzipSync(Buffer.alloc(1_000_000))));
  const floods: readonly ((socket: Socket) => void)[] = [
    (socket) => pour(socket, `${ok}content-length: 10000000000\r\n\r\n`),
    (socket) => pour(socket, `${ok}\r\n`),
    (socket) => {
      socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    },
  ];
  await using server = await startRawServer((socket, count) => floods[count - 1]?.(socket));
  const place = facing(server.url);
  // The most memory that the process held, kB: it writes that down as it ends.
  place.write(
    'memory.cjs',
    `process.on('exit', () => require('fs').writeFileSync('memory', String(process.resourceUsage().maxRSS)))`,
  );
  const list = ['profile', WALLET, address(1), address(2), '--csv', '--concurrency', '1'];
  const { stderr, exitCode } = await place.cli(list, {
    via: 'process',
    env: { NODE_OPTIONS: `--require=${place.path('memory.cjs')}` },
  });
  expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 6, requests: 3 });
  expect(stderr).toMatch(ONE_LINE);
  expect(Number(place.read('memory'))).toBeLessThan(200_000);
});

it("trusts no answer that only node's lenient parser accepts", async () => {
  const body = JSON.stringify(PROFILE);
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  await using server = await startRawServer((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${chunks.length}\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`),
  );
  const lenient = { via: 'process', env: { NODE_OPTIONS: '--insecure-http-parser' } } as const;
  const outcome = await facing(server.url).cli(['profile', WALLET, '--json'], lenient);
  expect(outcome).toMatchObject({ exitCode: 6, stdout: '' });
});

it.skipIf(!installed('tinyproxy'))('sends a list through tinyproxy, and bypasses it for NO_PROXY', async () => {
  const authority = createAuthority();
  await using server = await startServer(({ path }) => answer(path), { tls: authority.issue('0.0.0.0') });
  using proxy = await startTinyproxy('BasicAuth user s3cret-p4ss\n');
  // An address that is not loopback, but that the system connects to this machine.
  const place = facing(`https://0.0.0.0:${server.url.port}`, {
    HTTPS_PROXY: `http://user:s3cret%2Dp4ss@127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: authority.file,
  });
  const list = ['profile', WALLET, address(1), address(2), '--csv', '-v'];
  const { stdout, stderr, exitCode } = await place.cli(list, { via: 'process' });
  expect({ exitCode, rows: stdout.split('\n').length }).toEqual({ exitCode: 0, rows: 5 });
  expect(stderr).not.toMatch(/s3cret|p4ss/);
  const connects = () => proxy.log().split(`CONNECT 0.0.0.0:${server.url.port}`).length - 1;
  const before = connects();
  expect(before).toBeGreaterThan(0);
  const around = await place.cli(['health'], { via: 'process', env: { NO_PROXY: '0.0.0.0' } });
  expect(around).toMatchObject({ exitCode: 0 });
  expect(connects()).toBe(before);
});

const FAKETIME = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib']
  .map((folder) => `${folder}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));

describe.skipIf(!FAKETIME)('a clock that is wrong', { concurrent: true }, () => {
  const faked = (env: Record<string, string>) => ({ LD_PRELOAD: FAKETIME ?? '', DONT_FAKE_MONOTONIC: '1', ...env });

  /** Refuses each wallet once, by `refusal` to the request of that number. */
  async function startRefuser(refusal: (count: number) => Record<string, string>) {
    const refusedAt = new Map<string, number>();
    const waits: number[] = [];
    const server = await startServer(({ path }, count) => {
      const before = refusedAt.get(path);
      if (before !== undefined) {
        waits.push(performance.now() - before);
        return answer(path);
      }
      refusedAt.set(path, performance.now());
      return { status: 429, headers: refusal(count) };
    });
    return Object.assign(server, { waits });
  }

  it('waits until Reset by the clock of the service if its own is ten years off', async () => {
    const inTwoSeconds = () => String(Math.ceil(Date.now() / 1000) + 2);
    await using server = await startRefuser(() => ({
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': inTwoSeconds(),
    }));
    const place = facing(server.url, faked({ FAKETIME: '-10y' }));
    const outcome = await place.cli(['profile', WALLET, address(1), '--csv'], { via: 'process' });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(server.waits).toHaveLength(2);
    for (const wait of server.waits) expect(wait).toBeGreaterThanOrEqual(1900);
  });

  it('neither hangs nor retries early when its clock is set during a run', async () => {
    const clock = workplace();
    const step = (offset: string) => clock.write('clock', offset);
    step('+0');
    await using server = await startRefuser((count) => {
      if (count === 4) step('-10y');
      if (count === 8) step('+10y');
      return { 'retry-after': '1' };
    });
    const env = faked({ FAKETIME_TIMESTAMP_FILE: clock.path('clock'), FAKETIME_NO_CACHE: '1' });
    const list = ['profile', ...addresses(8), '--csv', '--timeout', '10s'];
    const outcome = await facing(server.url, env).cli(list, { via: 'process' });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout.split('\n')).toHaveLength(10);
    expect(server.waits).toHaveLength(8);
    for (const wait of server.waits) expect(wait).toBeGreaterThanOrEqual(999);
  });
});

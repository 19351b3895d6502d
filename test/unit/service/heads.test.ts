/** What comes before an answer, what follows it, and statuses that HTTP does not have: on raw sockets. */
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../../src/service/client.ts';
import { openUndiciPool } from '../../../src/service/http/undici-pool.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { HTTP_CLIENTS, KEY, openClient, PROFILE, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { startRawServer } from '../../fixtures/service/server.ts';

const GOOD = JSON.stringify(PROFILE);
const lengthOf = (body: string) => `content-length: ${body.length}\r\n\r\n${body}`;
const ok = (body = GOOD) => `HTTP/1.1 200 OK\r\n${lengthOf(body)}`;
const chunked = (trailers: string, body = GOOD) =>
  `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailers}`;

describe.each(HTTP_CLIENTS)('over %s,', (_, openHttpClient) => {
  /** Asks twice over what `reply` writes, the second time on the same connection where that is kept. */
  async function askTwice(reply: (socket: Socket) => void, options: Partial<ClientOptions> = {}) {
    await using server = await startRawServer(reply);
    await using bench = openClient(server.url, { ...options, transportOptions: { openHttpClient } });
    const ask = () =>
      bench.client.profile(WALLET).then(
        ({ text }) => text,
        ({ exitCode, code, message }) => ({ exitCode, code, message: message.replace(server.url.host, 'HOST') }),
      );
    return { answers: [await ask(), await ask()], requests: server.requests.length, connections: server.connections() };
  }

  /** A byte at a time, but for what stands behind the first `count` characters. */
  function writeSlowly(socket: Socket, text: string, count = text.length): void {
    const next = (at: number) => {
      if (at >= text.length || socket.destroyed) return;
      const end = at < count ? at + 1 : text.length;
      socket.write(text.slice(at, end), 'latin1', () => setImmediate(next, end));
    };
    socket.setNoDelay(true);
    next(0);
  }

  describe('[84] an answer after', () => {
    it.each([
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 100\r\n\r\n',
      'HTTP/1.0 100 Continue\r\n\r\n',
      'HTTP/1.1 100 Continue\r\nconnection: close\r\ncontent-length: 5\r\n\r\n',
      'HTTP/1.1 102 Processing\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\nconnection: close\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\ntransfer-encoding: chunked\r\n\r\n',
      'HTTP/1.1 199 What\r\n\r\n',
      '\r\nHTTP/1.1 100 Continue\n\n',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    ])('%j is taken, and a connection that is kept stays open', async (interim) => {
      const connections = openHttpClient === openUndiciPool ? 1 : 2;
      const expected = { answers: [GOOD, GOOD], requests: 2, connections };
      expect(await askTwice((socket) => socket.write(interim + ok()))).toEqual(expected);
      expect(await askTwice((socket) => socket.write(interim + chunked('\r\n')))).toEqual(expected);
      expect(await askTwice((socket) => writeSlowly(socket, interim + ok(), interim.length + 20))).toEqual(expected);
      expect(
        await askTwice((socket) => void socket.write(interim, () => setImmediate(() => socket.write(ok())))),
      ).toEqual(expected);
    });
  });

  it('[84] an answer after a long interim one that comes byte by byte is taken', async () => {
    const interim = `HTTP/1.1 103 Early Hints\r\nlink: <${'a'.repeat(400)}>\r\n\r\n`;
    const { answers } = await askTwice((socket) => writeSlowly(socket, interim + ok(), interim.length));
    expect(answers).toEqual([GOOD, GOOD]);
  });

  describe('[84] a status that', () => {
    it.each(['000', '001', '042', '099', '600', '742', '999'])(
      'is %s is untrusted after one request',
      async (status) => {
        const outcome = await askTwice((socket) =>
          socket.end(`HTTP/1.1 ${status} Odd\r\nconnection: close\r\n${lengthOf('{}')}`),
        );
        const error = {
          exitCode: 6,
          code: 'contract',
          message: `HOST answered with status ${status}, which the API does not define`,
        };
        expect(outcome).toMatchObject({ answers: [error, error], requests: 2 });
      },
    );

    it.each(['', 'upgrade: websocket\r\nconnection: upgrade\r\n'])(
      'is 101, which nobody asked for, is untrusted after one request (%j)',
      async (headers) => {
        const outcome = await askTwice((socket) =>
          socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n${ok()}`),
        );
        const error = {
          exitCode: 6,
          code: 'contract',
          message: 'HOST answered with status 101, which the API does not define',
        };
        expect(outcome).toMatchObject({ answers: [error, error], requests: 2 });
      },
    );
  });

  describe('[84] an answer whose trailers are', () => {
    it.each([
      ['one', 'x-checksum: 1\r\n\r\n'],
      ['several', 'x-checksum: 1\r\nx-more: a, b\r\n\r\n'],
      ['empty', 'x-empty:\r\n\r\n'],
      ['about the connection', 'connection: close\r\nkeep-alive: timeout=1\r\n\r\n'],
      ['a length', 'content-length: 3\r\n\r\n'],
      ['a second encoding', 'transfer-encoding: chunked\r\n\r\n'],
      ['no headers', 'no header at all\r\n\r\n'],
      ['a bad name', 'x y: 1\r\n\r\n'],
      ['a control character', 'x: \u0001\r\n\r\n'],
      ['too many', `${'x-flood: a\r\n'.repeat(5000)}\r\n`],
    ])('%s is taken', async (_, trailers) => {
      expect(await askTwice((socket) => socket.write(chunked(trailers)))).toMatchObject({
        answers: [GOOD, GOOD],
        requests: 2,
      });
    });

    it.each([
      ['cut short', 'x-checks'],
      ['missing', ''],
    ])('%s is taken, for its document is whole', async (_, trailers) => {
      expect(await askTwice((socket) => socket.end(chunked(trailers)))).toMatchObject({
        answers: [GOOD, GOOD],
        requests: 2,
      });
    });
  });

  it('[84] an interim answer alone, or endless ones, time out like others', async () => {
    const alone = await askTwice((socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), { timeoutMs: 50 });
    expect(alone).toMatchObject({ answers: [{ code: 'timeout' }, { code: 'timeout' }] });
    const closed = await askTwice((socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'));
    expect(closed).toMatchObject({ answers: [{ code: 'network' }, { code: 'network' }], requests: 8 });
    const flood = await askTwice((socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\n${'x-flood: a\r\n'.repeat(4000)}`),
    );
    expect(flood).toMatchObject({ answers: [{ code: 'not_http' }, { code: 'not_http' }], requests: 2 });
  });
});

it('[84] a list continues after each of them', async () => {
  const wallets = addresses(6);
  const odd = [
    'HTTP/1.1 042 Odd\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n',
  ];
  await using server = await startRawServer((socket, _, path) => {
    const nth = wallets.findIndex((wallet) => path.endsWith(wallet));
    const good = JSON.stringify(profileOf(path));
    socket.write(odd[nth] ?? `HTTP/1.1 100 Continue\r\n\r\n${chunked('connection: close\r\n\r\n', good)}`);
  });
  const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: String(server.url) };
  const { exitCode, stdout } = await cli(['profile', '-', '--jsonl', '--concurrency', '1'], {
    env,
    stdin: wallets.join('\n'),
  });
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line)._meta);
  expect(rows.map(({ status, error }) => error?.code ?? status)).toEqual([
    ...['contract', 'contract', 'contract'],
    ...['scored', 'scored', 'scored'],
  ]);
  expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 6, requests: 6 });
});

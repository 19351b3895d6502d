/** What comes before an answer, what follows it, and statuses that HTTP does not have: on raw sockets. */
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../../src/service/client.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { KEY, openClient, PROFILE, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { startRawServer } from '../../fixtures/service/server.ts';

const GOOD = JSON.stringify(PROFILE);
const lengthOf = (body: string) => `content-length: ${body.length}\r\n\r\n${body}`;
const ok = (body = GOOD) => `HTTP/1.1 200 OK\r\n${lengthOf(body)}`;
const chunked = (trailers: string, body = GOOD) =>
  `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailers}`;

/** Asks twice over what `reply` writes, the second time on the same connection where that is kept. */
async function askTwice(reply: (socket: Socket) => void, options: Partial<ClientOptions> = {}) {
  await using server = await startRawServer(reply);
  await using bench = openClient(server.url, options);
  const ask = () =>
    bench.client.profile(WALLET).then(
      ({ text }) => text,
      ({ exitCode, code, message }) => ({ exitCode, code, message: message.replace(server.url.host, 'HOST') }),
    );
  return { answers: [await ask(), await ask()], requests: server.requests.length, connections: server.connections() };
}

it.each([
  'HTTP/1.1 102 Processing\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 199 What\r\n\r\n',
])('[84] an answer after %j is taken', async (interim) => {
  const expected = { answers: [GOOD, GOOD], requests: 2, connections: 1 };
  expect(await askTwice((socket) => socket.write(interim + ok()))).toEqual(expected);
  expect(await askTwice((socket) => void socket.write(interim, () => setImmediate(() => socket.write(ok()))))).toEqual(
    expected,
  );
});

it.each(['100 Continue\r\n', '101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n'])(
  '[84] an answer after %j, which nobody asked for, is a failure of its wallet',
  async (interim) => {
    const { answers } = await askTwice((socket) => socket.write(`HTTP/1.1 ${interim}\r\n${ok()}`));
    expect(answers).toMatchObject([{ exitCode: 5 }, { exitCode: 5 }]);
  },
);

describe('[84] a status that HTTP does not have', () => {
  it.each(['600', '742', '999'])('is untrusted after one request: %s', async (status) => {
    const outcome = await askTwice((socket) => socket.end(`HTTP/1.1 ${status} Odd\r\n${lengthOf('{}')}`));
    const error = {
      exitCode: 6,
      code: 'contract',
      message: `HOST answered with status ${status}, which the API does not define`,
    };
    expect(outcome).toMatchObject({ answers: [error, error], requests: 2 });
  });

  it.each(['000', '042', '099'])('is no HTTP: %s', async (status) => {
    const { answers } = await askTwice((socket) => socket.end(`HTTP/1.1 ${status} Odd\r\n${lengthOf('{}')}`));
    expect(answers).toMatchObject([{ exitCode: 6 }, { exitCode: 6 }]);
  });
});

it.each(['x-checksum: 1\r\n\r\n', 'x-empty:\r\n\r\n'])('an answer with the trailers %j is taken', async (trailers) => {
  const expected = { answers: [GOOD, GOOD], requests: 2 };
  expect(await askTwice((socket) => socket.write(chunked(trailers)))).toMatchObject(expected);
});

it('[84] an interim answer alone, or endless ones, are no answer', async () => {
  const alone = await askTwice((socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), { timeoutMs: 50 });
  expect(alone).toMatchObject({ answers: [{ code: 'timeout' }, { code: 'timeout' }] });
  const closed = await askTwice((socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'));
  expect(closed).toMatchObject({ answers: [{ code: 'network' }, { code: 'network' }], requests: 8 });
  const flood = await askTwice((socket) =>
    socket.write(`HTTP/1.1 103 Early Hints\r\n${'x-flood: a\r\n'.repeat(6000)}`),
  );
  expect(flood).toMatchObject({ answers: [{ code: 'not_http' }, { code: 'not_http' }], requests: 2 });
});

it('[84] a list continues after each of them', async () => {
  const wallets = addresses(5);
  const odd = [
    'HTTP/1.1 042 Odd\r\n\r\n',
    'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n',
    chunked('connection: close\r\n\r\n', JSON.stringify(profileOf(wallets[2] ?? ''))),
  ];
  await using server = await startRawServer((socket, _, path) => {
    const nth = wallets.findIndex((wallet) => path.endsWith(wallet));
    socket.write(odd[nth] ?? ok(JSON.stringify(profileOf(path))));
  });
  const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: String(server.url) };
  const { exitCode, stdout } = await cli(['profile', '-', '--jsonl', '--concurrency', '1'], {
    env,
    stdin: wallets.join('\n'),
  });
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line)._meta.status);
  // The fourth comes over the connection that the trailers before said would be closed.
  expect(rows).toEqual(['failed', 'failed', 'scored', 'failed', 'scored']);
  expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 6, requests: 5 });
});

/** What a service, or what stands in its place, may do on the wire: on raw sockets. */
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { ClientOptions } from '../../../src/service/client.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { KEY, openClient, PROFILE, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { CLOSED_PORT, startRawServer } from '../../fixtures/service/server.ts';

const GOOD = JSON.stringify(PROFILE);
const HALF = GOOD.slice(0, GOOD.length / 2);
const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\n';
const withLength = (body: string) => `content-length: ${body.length}\r\n\r\n${body}`;
const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`;
const chunked = (trailers: string, body = GOOD) =>
  `${OK}transfer-encoding: chunked\r\n\r\n${chunk(body)}0\r\n${trailers}\r\n`;
const good = (body = GOOD) => `${OK}${withLength(body)}`;

/**
 * Asks twice over what `reply` writes, the second time on the same connection where that is kept.
 */
async function askTwice(reply: (socket: Socket, count: number) => void, options: Partial<ClientOptions> = {}) {
  await using server = await startRawServer(reply);
  await using bench = openClient(server.url, options);
  const ask = () =>
    bench.client.profile(WALLET).then(
      ({ text }) => text,
      ({ exitCode, code, message }) => ({ exitCode, code, message: message.replace(server.url.host, 'HOST') }),
    );
  const answers = [await ask(), await ask()];
  return { answers, requests: server.requests.length, connections: server.connections(), attempts: bench.attempts };
}

it.each([
  ['HTTP/1.1 102 Processing\r\n\r\n', good()],
  [`${EARLY_HINTS}link: </a.css>; rel=preload\r\n\r\n`, good()],
  [`${EARLY_HINTS}\r\nHTTP/1.1 199 What\r\n\r\n`, good()],
  ['', chunked('x-checksum: 1\r\n')],
  ['', chunked('x-empty:\r\n')],
])('reads an answer after %j, in one piece or in two: %j', async (before, answer) => {
  const expected = { answers: [GOOD, GOOD], requests: 2, connections: 1 };
  expect(await askTwice((socket) => socket.write(before + answer))).toMatchObject(expected);
  const inTwo = (socket: Socket) => void socket.write(before, () => setImmediate(() => socket.write(answer)));
  expect(await askTwice(inTwo)).toMatchObject(expected);
});

it.each<[string, (socket: Socket) => void]>([
  ['before the head', (socket) => socket.destroy()],
  ['in the head', (socket) => socket.end(OK)],
  [
    'by a reset in mid-body',
    (socket) => {
      socket.write(`${OK}content-length: ${GOOD.length}\r\n\r\n${HALF}`, () => socket.resetAndDestroy());
    },
  ],
  ['by a close before its length', (socket) => socket.end(`${OK}content-length: ${GOOD.length}\r\n\r\n${HALF}`)],
  ['by a broken chunk', (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n${chunk(HALF)}zz\r\n`)],
  ['by a close between chunks', (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n${chunk(HALF)}`)],
  ['by a close where only a close ends the body', (socket) => socket.end(`${OK}\r\n${HALF}`)],
  [
    'by a close in the middle of a character',
    (socket) => socket.end(Buffer.concat([Buffer.from(`${OK}\r\n{"a":"`), Buffer.from([0xe2, 0x82])])),
  ],
])('requests again an answer that is cut short %s', async (_, cut) => {
  const { answers, attempts } = await askTwice((socket, count) => {
    if (count === 1) cut(socket);
    else socket.end(`${OK}connection: close\r\n\r\n${GOOD}`);
  });
  expect(answers).toEqual([GOOD, GOOD]);
  expect(attempts).toMatchObject([{ code: 'network', waitMs: 250 }, { status: 200 }, { status: 200 }]);
});

const odd = (status: string) => `HTTP/1.1 ${status} Odd\r\n${withLength('{}')}`;
const undefinedStatus = (status: number) => ({
  exitCode: 6,
  code: 'contract',
  message: `HOST answered with status ${status}, which the API does not define`,
});
const notHttp = (what: string) => ({ exitCode: 6, code: 'not_http', message: `HOST ${what}` });
const closed = { code: 'network', message: 'HOST closed the connection without an answer after 4 attempts' };

it.each<[string, object]>([
  [odd('600'), undefinedStatus(600)],
  [odd('999'), undefinedStatus(999)],
  [odd('000'), { exitCode: 6 }],
  ['SSH-2.0-OpenSSH_9.2\r\n', notHttp('did not answer in HTTP')],
  [`${OK}x: ${'a'.repeat(40_000)}\r\n\r\n`, notHttp('sent more headers than any answer needs')],
  [`${EARLY_HINTS}${'x-flood: a\r\n'.repeat(6000)}`, notHttp('sent more headers than any answer needs')],
  [
    `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    notHttp('gave contradictory lengths for its answer'),
  ],
])(
  'does not request again after an answer that is no valid HTTP or has an unknown status: %j',
  async (bytes, error) => {
    expect(await askTwice((socket) => socket.end(bytes))).toMatchObject({ answers: [error, error], requests: 2 });
  },
);

it.each<[string, object]>([
  ['', closed],
  [`${EARLY_HINTS}\r\n`, closed],
  [`HTTP/1.1 100 Continue\r\n\r\n${good()}`, { exitCode: 5 }],
  [`HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n${good()}`, { exitCode: 5 }],
])('requests again when no answer comes, and at last fails temporarily: %j', async (bytes, error) => {
  expect(await askTwice((socket) => socket.end(bytes))).toMatchObject({ answers: [error, error], requests: 8 });
});

it.each([
  ['a length over 4 MB, before it arrives', `${OK}content-length: 4194305\r\n\r\n{`, 'too_long'],
  ['the time limit', `${EARLY_HINTS}\r\n`, 'timeout'],
])('ends an answer at %s', async (_, bytes, code) => {
  const { answers } = await askTwice((socket) => socket.write(bytes), { timeoutMs: code === 'timeout' ? 50 : 5_000 });
  expect(answers).toMatchObject([{ code }, { code }]);
});

it('continues a list after each odd answer', async () => {
  const wallets = addresses(5);
  const odd = [
    'HTTP/1.1 042 Odd\r\n\r\n',
    'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n',
    chunked('connection: close\r\n', JSON.stringify(profileOf(wallets[2] ?? ''))),
  ];
  await using server = await startRawServer((socket, _, path) => {
    const nth = wallets.findIndex((wallet) => path.endsWith(wallet));
    socket.write(odd[nth] ?? good(JSON.stringify(profileOf(path))));
  });
  const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: String(server.url) };
  const { exitCode, stdout } = await cli(['profile', '-', '--jsonl', '--concurrency', '1'], {
    env,
    stdin: wallets.join('\n'),
  });
  const lines = stdout.trimEnd().split('\n');
  // The fourth comes over the connection that the trailers before said would be closed.
  expect(lines.map((line) => JSON.parse(line)._meta.status)).toEqual([
    'failed',
    'failed',
    'scored',
    'failed',
    'scored',
  ]);
  expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 6, requests: 5 });
});

it('tries a refused connection four times, with growing jitter', async () => {
  await using bench = openClient(`http://127.0.0.1:${CLOSED_PORT}`);
  const message = expect.stringMatching(/refuses connections after 4 attempts$/);
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ exitCode: 5, code: 'network', message });
  expect(bench.waits).toEqual([250, 500, 1000]);
  expect(bench.gate.entered).toEqual(['first', 'retry', 'retry', 'retry']);
  expect(bench.gate.observed).toHaveLength(4);
});

it('ends the request of a stopped run at once, and sends no other', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  await using server = await startRawServer(() => stop.abort(reason));
  await using bench = openClient(server.url);
  for (let i = 0; i < 2; i++) {
    await expect(bench.client.profile(WALLET, { signal: stop.signal })).rejects.toBe(reason);
  }
  expect(server.requests).toHaveLength(1);
  expect(bench.gate.observed).toHaveLength(1);
});

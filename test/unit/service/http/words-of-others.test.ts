/** What failure.ts reads of the errors of undici, and of node, which asks proxies: names, codes and words that another version may have changed. */
import { get } from 'node:http';
import type { Socket } from 'node:net';
import { Agent } from 'undici';
import { expect, it } from 'vitest';
import { describeFailure } from '../../../../src/service/http/failure.ts';
import { startRawServer } from '../../../fixtures/service/server.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n';

it.each<[string, (socket: Socket) => void, { name: string; code: unknown; message: unknown }, RegExp]>([
  [
    'bytes that are no HTTP',
    (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
    { name: 'HTTPParserError', code: undefined, message: expect.not.stringContaining('Invalid EOF state') },
    /did not answer in HTTP$/,
  ],
  [
    'chunks that break off',
    (socket) => socket.end(`${HEAD}connection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab`),
    { name: 'HTTPParserError', code: undefined, message: expect.stringContaining('Invalid EOF state') },
    /closed the connection without an answer$/,
  ],
  [
    'a connection that is closed',
    (socket) => socket.end(),
    { name: 'SocketError', code: 'UND_ERR_SOCKET', message: expect.any(String) },
    /closed the connection without an answer$/,
  ],
  [
    'a head that is too long',
    (socket) => socket.end(`${HEAD}a: ${'x'.repeat(2_000)}\r\n\r\n`),
    { name: 'HeadersOverflowError', code: 'UND_ERR_HEADERS_OVERFLOW', message: expect.any(String) },
    /sent more headers than any answer needs$/,
  ],
  [
    'a length and chunks',
    (socket) => socket.end(`${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    {
      name: 'ResponseContentLengthMismatchError',
      code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
      message: expect.any(String),
    },
    /gave contradictory lengths for its answer$/,
  ],
])('undici says of %s what is read of it', async (_, reply, said, told) => {
  await using server = await startRawServer(reply);
  const agent = new Agent({ maxHeaderSize: 1_024 });
  const error = await agent
    .request({ origin: server.url.origin, path: '/', method: 'GET' })
    .then(({ body }) => body.text())
    .catch((failure: unknown) => failure);
  await agent.destroy();
  const { name, message, code } = error as NodeJS.ErrnoException;
  expect({ name, message, code }).toEqual(said);
  expect(String(describeFailure(error, { peer: 'HOST', setting: 'the base URL' }))).toMatch(told);
});

it.each<[string, string, string, RegExp]>([
  ['bytes that are no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'HPE_INVALID_CONSTANT', /did not answer in HTTP$/],
  ['a connection that is closed', '', 'ECONNRESET', /closed the connection without an answer$/],
  [
    'a head that is too long',
    `${HEAD}a: ${'x'.repeat(2_000)}\r\n\r\n`,
    'HPE_HEADER_OVERFLOW',
    /sent more headers than any/,
  ],
])("node says of a proxy's answer what is read of it: %s", async (_, bytes, said, told) => {
  await using server = await startRawServer((socket) => socket.end(bytes));
  const error = await new Promise((_resolve, reject) => {
    get(server.url, { agent: false, maxHeaderSize: 1_024 }).on('error', reject);
  }).catch((failure: NodeJS.ErrnoException) => failure);
  expect(error).toMatchObject({ code: said });
  expect(String(describeFailure(error, { peer: 'HOST', setting: 'the base URL' }))).toMatch(told);
});

/** Answers that do not come in one piece: too long to be read all at once, in crumbs, after a hint. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createTransport } from '../../../src/service/http/transport.ts';
import { openUndiciPool } from '../../../src/service/http/undici-pool.ts';
import { openClient, PROFILE, stillClock, WALLET } from '../../fixtures/service/client.ts';
import { startRawServer } from '../../fixtures/service/server.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const TEXT = JSON.stringify(PROFILE);

it('[71] waiting for memory does not count against the time limit of an answer', async () => {
  const body = Buffer.alloc(9 * 1024 * 1024, ' ');
  const sent = new EventTarget();
  const server = createServer(({ url }, response) => {
    response.setHeader('content-length', body.length);
    if (url === '/late') return response.end(body);
    response.write(body.subarray(1), () => sent.dispatchEvent(new Event('most')));
    setTimeout(() => response.end(body.subarray(0, 1)), 5_000);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { origin } = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const transport = createTransport({ origin, clock: stillClock(), openHttpClient: openUndiciPool, connections: 2 });
  const order: string[] = [];
  const ask = async (path: string, timeoutMs: number) => {
    const answer = await transport.send({ url: new URL(path, origin), headers: {}, timeoutMs });
    order.push(path);
    return answer.body.length;
  };
  const first = ask('/first', 20_000);
  await once(sent, 'most');
  expect(await Promise.all([first, ask('/late', 4_000)])).toEqual([body.length, body.length]);
  expect(order).toEqual(['/first', '/late']);
  await transport.close();
});

it.each([
  ['in one packet', (parts: string[]) => [parts.join('')]],
  ['in many', (parts: string[]) => parts],
])('[69] chunks of one byte %s make an answer', async (_, pack) => {
  const text = JSON.stringify({ ...PROFILE, padding: 'x'.repeat(2_000) });
  const parts = [
    `${OK}transfer-encoding: chunked\r\n\r\n`,
    ...[...text].map((byte) => `1\r\n${byte}\r\n`),
    '0\r\n\r\n',
  ];
  await using server = await startRawServer((socket) => {
    socket.setNoDelay();
    for (const packet of pack(parts)) socket.write(packet);
  });
  await using bench = openClient(server.url);
  expect(await bench.client.profile(WALLET)).toMatchObject({ text });
  expect(bench.attempts).toHaveLength(1);
});

it.each(['103 Early Hints', '102 Processing'])('[80] a %s before the answer is ignored', async (hint) => {
  await using server = await startRawServer((socket) => {
    socket.write(`HTTP/1.1 ${hint}\r\nlink: </a>; rel=preload\r\n\r\n`);
    socket.write(`${OK}content-length: ${TEXT.length}\r\n\r\n${TEXT}`);
  });
  await using bench = openClient(server.url);
  expect(await bench.client.profile(WALLET)).toMatchObject({ text: TEXT });
  expect(bench.attempts).toHaveLength(1);
});

it('[22] a body in growing chunks is read whole', async () => {
  const text = JSON.stringify({ ...PROFILE, padding: 'é'.repeat(700_000) });
  const bytes = Buffer.from(text);
  await using server = await startRawServer((socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
    for (let at = 0, size = 1; at < bytes.length; at += size, size *= 3) {
      const chunk = bytes.subarray(at, at + size);
      socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
    }
    socket.write('0\r\n\r\n');
  });
  await using bench = openClient(server.url);
  expect((await bench.client.profile(WALLET)).text).toBe(text);
});

it('[22] an announced length over the limit is refused at once', async () => {
  await using server = await startRawServer((socket) => socket.write(`${OK}content-length: 99999999\r\n\r\n{`));
  await using bench = openClient(server.url);
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ exitCode: 6, code: 'too_long' });
});

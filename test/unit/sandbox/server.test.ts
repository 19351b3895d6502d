import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/server.ts';
import { testHost } from '../../fixtures/cli/here.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function start(options: Partial<SandboxOptions> = {}) {
  sandbox = await startSandbox({ clock: testHost(), ...options });
}

/** Writes `text` on a bare connection; resolves with the answer when the server has closed it. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    received += piece;
  });
  socket.on('error', () => {});
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

it('resets a connection on demand, without an answer', async () => {
  await start({ failing: { share: 1, kinds: ['reset'] } });
  await expect(fetch(`${sandbox.baseUrl}/health`)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
});

it('cuts an answer on demand in the middle of its body', async () => {
  await start({ failing: { share: 1, kinds: ['cut'] } });
  const [head = '', body = ''] = (await raw('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(body).toHaveLength(Math.floor(Number(/content-length: (\d+)/i.exec(head)?.[1]) / 2));
});

it.each([
  ['408 when headers do not arrive', '\r\nX-Slow: ', 408],
  ['408 when a body does not arrive', '\r\nContent-Length: 1000\r\n\r\nabc', 408],
  ['413 to a request with a body', '\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc', 413],
  ['431 to endless headers', `\r\nX-Long: ${'a'.repeat(100_000)}`, 431],
])('answers with %s', async (_, rest, status) => {
  await start({ requestMs: 100 });
  expect(await raw(`GET /health HTTP/1.1\r\nHost: localhost${rest}`)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

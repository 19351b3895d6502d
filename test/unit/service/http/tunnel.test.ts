import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { Connector } from '../../../../src/service/http/connector.ts';
import { askForTunnel } from '../../../../src/service/http/tunnel.ts';

const proxy = { url: new URL('http://user:p%40ss@proxy.corp:3128'), variable: 'HTTPS_PROXY' };

/** A socket that keeps what it was sent. */
function fakeSocket() {
  const sent: string[] = [];
  const socket = new Duplex({
    read() {},
    write(chunk, _, done) {
      sent.push(String(chunk));
      done();
    },
  });
  return { socket: socket as Socket, sent };
}

/** What becomes of a proxy that answers so, a piece after the other, and what it was sent. */
async function ask(...pieces: readonly string[]) {
  const { socket, sent } = fakeSocket();
  const tunnel = askForTunnel(socket, 'api.example:443', proxy);
  const left = [...pieces];
  const next = () => {
    const piece = left.shift();
    if (piece === undefined) return;
    socket.push(piece, 'latin1');
    setImmediate(next);
  };
  next();
  const told = await tunnel.then(
    () => 'granted',
    (error: Error) => error.message,
  );
  return { told, sent: sent.join(''), isOpen: !socket.destroyed, left: left.length };
}

const GRANTED = 'HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n';

it('[80] a tunnel is requested with the user name and password of the proxy', async () => {
  expect(await ask(GRANTED)).toEqual({
    told: 'granted',
    sent: 'CONNECT api.example:443 HTTP/1.1\r\nHost: api.example:443\r\nProxy-Authorization: Basic dXNlcjpwQHNz\r\n\r\n',
    isOpen: true,
    left: 0,
  });
});

it.each([
  ['in one piece', [GRANTED]],
  ['by HTTP/1.0', ['HTTP/1.0 200\r\n\r\n']],
  ['byte by byte', [...GRANTED]],
  ['after a 103', ['HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n', GRANTED]],
  ['after a 100, in one piece', [`HTTP/1.1 100 Continue\r\n\r\n${GRANTED}`]],
  ['with as many headers as are taken', [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(32_748)}`, '\r\n\r\n']],
])('[80] a tunnel is granted %s', async (_, pieces) => {
  expect(await ask(...pieces)).toMatchObject({ told: 'granted', isOpen: true });
});

it.each<[string, readonly string[], RegExp]>([
  ['a refusal', ['HTTP/1.1 403 Forbidden\r\n\r\n'], /refused the connection \(403\)/],
  ['a login', ['HTTP/1.1 407 Login\r\n\r\n'], /proxy\.corp:3128.*407/],
  ['a page of its own', [`${GRANTED}<html>`], /answered in place of the service/],
  ['a status of none', ['HTTP/1.1 600 What\r\n\r\n'], /status 600/],
  ['a change of protocols', ['HTTP/1.1 101 Switching\r\n\r\n'], /status 101/],
  ['a status that is not at its beginning', ['HTTP/1.x HTTP/1.1 200 OK\r\n\r\n'], /proxy\.corp:3128/],
  ['a status of two digits', ['HTTP/1.1 20\r\n\r\n'], /proxy\.corp:3128/],
  ['another protocol, at its first byte', ['S', 'SH-2.0\r\n\r\n'], /proxy\.corp:3128/],
  ['another protocol after a 103', ['HTTP/1.1 103 x\r\n\r\n', 'G', 'ARBAGE'], /proxy\.corp:3128/],
  ['headers without an end', [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(32_749)}`, '\r\n\r\n'], /proxy\.corp:3128/],
])('[80] a proxy is refused for %s', async (_, pieces, told) => {
  const found = await ask(...pieces);
  expect(found.told).toMatch(told);
  expect(found.told).not.toContain('p@ss');
  expect([found.isOpen, found.left]).toEqual([
    false,
    Math.max(0, pieces.length - (pieces[0]?.includes('103') ? 2 : 1)),
  ]);
});

it.each(['https://evil.example', 'http://api.example', 'https://api.example:444', 'https://api.example.evil'])(
  '[60] nothing is connected to but the origin that was judged: %s',
  async (other) => {
    const never = () => expect.unreachable();
    const names = { addresses: never } as never;
    const connector = new Connector({ origin: 'https://api.example', open: never, names });
    const error = await new Promise((resolve) => {
      connector.connect(other, (...[failure]) => resolve(failure));
    });
    expect(String(error)).toContain(`a request for https://api.example was about to leave for ${other}`);
  },
);

it.each([
  ['https://api.example', 'api.example:443'],
  ['https://api.example:8443', 'api.example:8443'],
  ['https://[2001:db8::1]', '[2001:db8::1]:443'],
  ['https://[2001:db8::1]:8443', '[2001:db8::1]:8443'],
])('[80] a tunnel for %s is one to %s, and no connection is made where it is refused', async (origin, authority) => {
  const { socket, sent } = fakeSocket();
  const opened: unknown[] = [];
  const names = { addresses: async () => ['192.0.2.1'], reached() {}, missed() {} } as never;
  const connector = new Connector({
    origin,
    proxy,
    names,
    open({ hostname, port }, done) {
      opened.push([hostname, port]);
      setImmediate(() => {
        done(null, socket);
        setImmediate(() => socket.push('HTTP/1.1 403 Forbidden\r\n\r\n'));
      });
      return socket;
    },
  });
  const error = await new Promise((resolve) => {
    connector.connect(origin, (...[failure]) => resolve(failure));
  });
  expect(String(error)).toContain('refused the connection (403)');
  expect(sent.join('')).toContain(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n`);
  expect(opened).toEqual([['192.0.2.1', '3128']]);
});

it('a socket opened after closing is destroyed', async () => {
  const { socket } = fakeSocket();
  let found = (_: string[]) => {};
  const addresses = () =>
    new Promise<string[]>((resolve) => {
      found = resolve;
    });
  const names = { addresses, reached() {}, missed() {} } as never;
  const origin = 'https://api.example';
  const connector = new Connector({ origin, names, open: () => socket });
  connector.connect(origin, () => {});
  connector.close();
  found(['192.0.2.1']);
  await expect.poll(() => socket.destroyed).toBe(true);
});

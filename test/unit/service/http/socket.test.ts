/** The time that a socket has to connect; TLS itself is tried with real certificates in test/process/network. */
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSocketOpener } from '../../../../src/service/http/socket.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('a handshake that is not answered ends after 10 s, and only once', async () => {
  const silent = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const ends: unknown[] = [];
  const open = createSocketOpener();
  const peer = {
    protocol: 'https:',
    host: 'api.example',
    hostname: 'api.example',
    port: '',
    servername: 'api.example',
  };
  const socket = open({ ...peer, httpSocket: silent as never }, (...[error]) => void ends.push(error?.message));
  vi.advanceTimersByTime(9_999);
  await new Promise(setImmediate);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(1);
  await expect.poll(() => ends).toEqual(['connecting timed out']);
  expect(socket.destroyed).toBe(true);
});

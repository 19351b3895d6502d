import { expect, it } from 'vitest';
import { proxyFor } from '../../../../src/service/http/proxy.ts';
import { type SystemLookup, Transport } from '../../../../src/service/http/transport.ts';
import { stillClock } from '../../../fixtures/service/client.ts';
import { startProxy } from '../../../fixtures/service/proxy.ts';
import { startServer } from '../../../fixtures/service/server.ts';

const failed = (sent: Promise<unknown>) =>
  sent.then(
    () => expect.fail('it was answered'),
    (error: unknown) => error,
  );

/**
 * A transport to this machine by a name, of which `answer` says what the `nth` look-up (from 1)
 * finds.
 */
async function named(answer: (nth: number) => readonly string[] | Error) {
  const clock = stillClock();
  let asked = 0;
  const lookup: SystemLookup = (_, __, callback) => {
    asked += 1;
    const found = answer(asked);
    setImmediate(() => {
      if (found instanceof Error) callback(found, []);
      else
        callback(
          null,
          found.map((address) => ({ address, family: 4 })),
        );
    });
  };
  const server = await startServer(() => ({ body: {}, headers: { connection: 'close' } }));
  const origin = `http://localhost:${server.url.port}`;
  const transport = new Transport({ origin, clock, lookup, connections: 20 });
  return {
    send: () => transport.send({ path: '/', headers: {}, timeoutMs: 5_000 }),
    asked: () => asked,
    connections: server.connections,
    clock,
    async [Symbol.asyncDispose]() {
      await transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

it('looks up a name once for concurrent requests, and again after half a minute', async () => {
  await using service = await named(() => ['127.0.0.1']);
  await Promise.all(Array.from({ length: 20 }, service.send));
  service.clock.advance(29_999);
  await service.send();
  expect(service.asked()).toBe(1);
  service.clock.advance(1);
  await service.send();
  expect(service.asked()).toBe(2);
});

it('looks up again a name that was not found, once for all that wait for it', async () => {
  const noAnswer = Object.assign(new Error('EAI_AGAIN'), { code: 'EAI_AGAIN' });
  await using service = await named((nth) => (nth === 1 ? noAnswer : ['127.0.0.1']));
  const errors = await Promise.all(Array.from({ length: 20 }, () => failed(service.send())));
  expect(new Set(errors.map(String)).size).toBe(1);
  expect(errors[0]).toMatchObject({ code: 'network', message: expect.stringContaining('no name server answers') });
  expect(service.asked()).toBe(1);
  expect(await service.send()).toMatchObject({ status: 200 });
});

it('connects to another address of a name when one is dead', async () => {
  await using service = await named(() => ['127.0.0.99', '127.0.0.1']);
  expect(await service.send()).toMatchObject({ status: 200 });
});

it('sends no key over plain http to a name that leads elsewhere', async () => {
  await using service = await named(() => ['127.0.0.1', '192.0.2.1']);
  expect(await failed(service.send())).toMatchObject({ exitCode: 6, code: 'not_loopback' });
  expect(service.connections()).toBe(0);
});

it.each([
  ['https://api.example', 'api.example:443'],
  ['https://api.example:8443', 'api.example:8443'],
  ['https://[2001:db8::1]', '[2001:db8::1]:443'],
  ['https://[2001:db8::1]:8443', '[2001:db8::1]:8443'],
])('opens a tunnel for %s to %s', async (origin, authority) => {
  await using proxy = await startProxy({ instead: 'HTTP/1.1 403 Forbidden\r\n\r\n' });
  const transport = new Transport({
    origin,
    clock: stillClock(),
    proxy: proxyFor(new URL(origin), { https_proxy: proxy.host }),
  });
  const error = await failed(transport.send({ path: '/', headers: {}, timeoutMs: 5_000 }));
  expect(String(error)).toContain('refused the connection (403)');
  expect(proxy.asked).toMatchObject([{ url: authority, headers: { host: authority } }]);
  await transport.close();
});

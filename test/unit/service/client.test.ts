import { expect, it, vi } from 'vitest';
import { LimitError } from '../../../src/errors.ts';
import { keyHeader } from '../../../src/service/headers.ts';
import { Transport } from '../../../src/service/http/transport.ts';
import { KEY, openClient, PROFILE, stillClock, WALLET } from '../../fixtures/service/client.ts';
import { startRawServer, startServer } from '../../fixtures/service/server.ts';

const now = Date.UTC(2025, 0, 1);

it('sends one request and returns the document unchanged', async () => {
  const body = `{"wallet_address":"${WALLET}", "total_collateral_usd":1e400,"1":-0,"defi_score":null}`;
  await using server = await startServer(() => ({ body, headers: { 'x-ratelimit-limit': '50' } }));
  await using bench = openClient(server.url);
  const answer = await bench.client.profile(WALLET);
  expect(answer).toMatchObject({ text: body, answeredAt: now });
  const keys = answer.document.members.map(([key]) => key);
  expect(keys).toEqual(['wallet_address', 'total_collateral_usd', '1', 'defi_score']);
  const path = `/v1/risk-profile/${WALLET}`;
  expect(server.requests).toMatchObject([
    { method: 'GET', path, headers: { 'x-api-key': KEY, 'accept-encoding': 'identity' } },
  ]);
  expect(bench.attempts).toMatchObject([{ path, status: 200, rateLimit: { limit: 50 } }]);
  expect(JSON.stringify(bench.attempts)).not.toContain(KEY);
  expect(bench.gate.observed).toMatchObject([{ status: 200, rateLimit: { limit: 50 } }]);
});

it('sends the headers it is given, under the path of the base URL', async () => {
  await using server = await startServer(() => ({ body: PROFILE }));
  const headers = { health: {}, profile: keyHeader('bearer', KEY) };
  await using bench = openClient(new URL('/a/b/', server.url), { headers });
  await bench.client.profile(WALLET);
  const sent = server.requests[0]!;
  expect(sent.path).toBe(`/a/b/v1/risk-profile/${WALLET}`);
  expect(sent.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(sent.headers).not.toHaveProperty('x-api-key');
});

it('uses the permit it is given, and returns it if the budget forbids the request', async () => {
  await using server = await startServer(() => ({ body: PROFILE }));
  const spent = new LimitError('--max-requests is spent');
  await using bench = openClient(server.url, {
    beforeSend: () => {
      throw spent;
    },
  });
  let cancelled = 0;
  const unused = () => expect.fail('it was sent');
  const permit = { cancel: () => cancelled++, sent: unused, answered: unused };
  await expect(bench.client.profile(WALLET, { permit })).rejects.toBe(spent);
  expect(cancelled).toBe(1);
  await expect(bench.client.profile(WALLET)).rejects.toBe(spent);
  expect(bench.gate).toMatchObject({ entered: ['first'], cancelled: 1, observed: [] });
  expect(server.connections()).toBe(0);
});

it('checks the budget before each retry', async () => {
  await using server = await startServer(() => ({ status: 500 }));
  let left = 2;
  await using bench = openClient(server.url, {
    beforeSend: () => {
      if (left-- === 0) throw new LimitError('--max-requests is spent');
    },
  });
  await expect(bench.client.profile(WALLET)).rejects.toBeInstanceOf(LimitError);
  expect(server.requests).toHaveLength(2);
});

it('counts waits between attempts against the time for the wallet', async () => {
  await using server = await startServer(() => ({ status: 503, headers: { 'retry-after': '10' } }));
  await using bench = openClient(server.url, { timeoutMs: 25_000 });
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ exitCode: 5 });
  expect([server.requests.length, bench.waits]).toEqual([3, [10_000, 10_000]]);
});

it('gives each attempt what is left of the time for the wallet', async () => {
  const clock = stillClock();
  await using server = await startServer(() => {
    clock.advance(9_000);
    return { status: 503 };
  });
  const transport = new Transport({ origin: server.url.origin, clock });
  const send = vi.spyOn(transport, 'send');
  await using bench = openClient(server.url, { clock, transport });
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ exitCode: 5 });
  expect(send.mock.calls.map(([{ timeoutMs }]) => timeoutMs)).toEqual([30_000, 20_750, 11_250, 1_250]);
});

it('reports the request ID of a failed request on one line', async () => {
  const replies = [{ status: 404 }, { body: PROFILE }];
  const headers = { 'x-request-id': 'r'.repeat(200) };
  await using server = await startServer(() => ({ ...replies.shift(), headers }));
  await using bench = openClient(server.url);
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ requestId: 'r'.repeat(128) });
  expect(await bench.client.profile(WALLET)).not.toHaveProperty('requestId');
});

it('names the proxy in front of a host that does not answer', async () => {
  await using proxy = await startRawServer((socket) => {
    socket.once('data', () => socket.destroy()).write('HTTP/1.1 200 OK\r\n\r\n');
  });
  const transportOptions = { proxy: { url: proxy.url, variable: 'HTTPS_PROXY' } };
  await using bench = openClient('https://api.example.com', { transportOptions });
  await expect(bench.client.health()).rejects.toMatchObject({
    message: `api.example.com (through the proxy ${proxy.url.host}) closed the connection without an answer`,
  });
});

it('stops waiting at once when the run is stopped', async () => {
  const stop = new AbortController();
  await using server = await startServer(() => ({ status: 503 }));
  await using bench = openClient(server.url, { onAttempt: () => stop.abort(new Error('stopped')) });
  await expect(bench.client.profile(WALLET, { signal: stop.signal })).rejects.toThrow('stopped');
  expect(server.requests).toHaveLength(1);
});

it('limits the retries of a list in an outage', async () => {
  await using server = await startServer(() => ({ status: 503 }));
  await using bench = openClient(server.url, { isList: true });
  for (let wallet = 0; wallet < 100; wallet++) {
    await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ exitCode: 5 });
  }
  // 100 first requests, 50 retries in reserve, a tenth of what was sent.
  expect(server.requests.length).toBeGreaterThan(150);
  expect(server.requests.length).toBeLessThan(170);
});

it('requests /health without the key and without the gate, and compares clocks', async () => {
  const timestamp = '2025-01-01T00:00:02.500Z';
  await using server = await startServer(() => ({ body: { status: 'ok', timestamp, version: 3 } }));
  await using bench = openClient(server.url);
  const answer = await bench.client.health();
  expect(answer).toEqual({ timestamp, latencyMs: 0, clockOffsetMs: 2500 });
  expect(server.requests).toMatchObject([{ path: '/health' }]);
  expect(JSON.stringify(server.requests)).not.toContain(KEY);
  expect(bench.gate.entered).toEqual([]);
  expect(bench.attempts).toMatchObject([{ path: '/health', status: 200 }]);
});

it('counts half the latency as the travel time of the answer', async () => {
  const clock = stillClock();
  await using server = await startServer(() => {
    clock.advance(400);
    return { body: { status: 'ok', timestamp: '2025-01-01T00:00:00Z' } };
  });
  await using bench = openClient(server.url, { clock });
  expect(await bench.client.health()).toMatchObject({ latencyMs: 400, clockOffsetMs: -200 });
});

it('reports a timeout of /health with the time waited and a hint', async () => {
  await using server = await startRawServer(() => {});
  await using bench = openClient(server.url);
  await expect(bench.client.health({ timeoutMs: 20 })).rejects.toMatchObject({
    code: 'timeout',
    message: `${server.url.host} did not answer within 20ms`,
    hint: 'check the base URL and the network',
  });
});

it.each([
  ['2025-01-01T02:00:01+0200', 1000],
  ['2025-01-01t00:00:01.123456', 1123],
  ['20250101T000001Z', 1000],
])('reads the time %s of /health', async (timestamp, clockOffsetMs) => {
  await using server = await startServer(() => ({ body: { status: 'ok', timestamp } }));
  await using bench = openClient(server.url);
  expect(await bench.client.health()).toMatchObject({ timestamp, clockOffsetMs });
});

const NO_TIME = expect.stringContaining('timestamp is not an ISO 8601 time');
const UNDEFINED = expect.stringContaining(' answered with status 404, which the API does not define');
it.each<[string, number, unknown, object]>([
  [
    'another status',
    200,
    { status: 'degraded', timestamp: '2025-01-01T00:00:00Z' },
    { exitCode: 5, code: 'unhealthy', hint: 'run the same command again later', isResumable: true },
  ],
  ['a 503', 503, '', { exitCode: 5, message: expect.stringMatching(/^127\.0\.0\.1:\d+ failed \(503\)$/) }],
  ['a 429', 429, '', { exitCode: 5 }],
  ['a 404', 404, '', { exitCode: 6, message: UNDEFINED }],
  ['a redirect', 302, '', { exitCode: 6, code: 'redirect' }],
  ['a page', 200, '<html>', { exitCode: 6, code: 'contract' }],
  ['no time', 200, { status: 'ok' }, { exitCode: 6, message: NO_TIME }],
  ['no such day', 200, { status: 'ok', timestamp: '2025-13-01T00:00:00Z' }, { exitCode: 6 }],
  ['a day', 200, { status: 'ok', timestamp: '2025-01-01' }, { exitCode: 6 }],
  ['epoch seconds', 200, { status: 'ok', timestamp: '1735689600' }, { exitCode: 6 }],
  ['no status', 200, { timestamp: '2025-01-01T00:00:00Z' }, { exitCode: 6 }],
])('requests /health once, and fails on %s', async (_, status, body, expected) => {
  await using server = await startServer(() => ({ status, body }));
  await using bench = openClient(server.url);
  await expect(bench.client.health()).rejects.toMatchObject(expected);
  expect(server.requests).toHaveLength(1);
});

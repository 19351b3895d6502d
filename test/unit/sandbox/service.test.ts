import { expect, it } from 'vitest';
import { SANDBOX_KEY } from '../../../src/sandbox/keys.ts';
import { PLANS } from '../../../src/sandbox/limiter.ts';
import { profileOf } from '../../../src/sandbox/profile.ts';
import { createService, type ServiceOptions } from '../../../src/sandbox/service.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const PATH = `/v1/risk-profile/${WALLET}`;
/** One minute before February. */
const STARTED_AT = Date.UTC(2026, 0, 31, 23, 59, 0);

/** A service whose time only the test moves. */
function open(options: Partial<ServiceOptions> = {}) {
  const time = { ms: 0 };
  const answer = createService({
    clock: { ...manualClock(), now: () => STARTED_AT + time.ms, monotonic: () => time.ms },
    limits: PLANS.developer,
    latencyMs: [0, 0],
    failing: { share: 0, kinds: [] },
    profile: (wallet) => profileOf(wallet),
    ...options,
  });
  const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    answer({ method, url, headers: { host: '127.0.0.1:8080', ...headers } });
  return { time, get, profile: () => get(PATH, { 'x-api-key': SANDBOX_KEY }) };
}

it('answers /health without a key, and without rate limit headers', () => {
  const { status, body, headers } = open().get('/health');
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({ status: 'ok', timestamp: '2026-01-31T23:59:00.000Z' });
  expect(Object.keys(headers)).toEqual(['Content-Type']);
});

it.each([
  ['X-API-Key', PATH, { 'x-api-key': SANDBOX_KEY }],
  ['a Bearer token', PATH, { authorization: `bearer ${SANDBOX_KEY}` }],
  ['the query', `${PATH}?a=b&api-key=${SANDBOX_KEY}`, {}],
])('takes the key from %s', (_, url, headers) => expect(open().get(url, headers).status).toBe(200));

it.each([
  ['no key', {}],
  ['unknown key', { 'x-api-key': SANDBOX_KEY.slice(0, -1) }],
])('answers 401 to %s, with the reason only for the log, and charges nothing', (reason, headers) => {
  const { get, profile } = open();
  const answer = get(PATH, headers);
  expect(answer).toMatchObject({ status: 401, body: '{"error":"missing or invalid API key"}', reason });
  expect(answer.headers['X-RateLimit-Limit']).toBe(10);
  expect(profile().headers['X-RateLimit-Remaining']).toBe(19);
});

it('allows a burst, then answers 429 with the time of a retry', () => {
  const { profile, time } = open();
  const remaining = Array.from({ length: 20 }, () => profile().headers['X-RateLimit-Remaining']);
  expect(remaining).toEqual(Array.from({ length: 20 }, (_, i) => 19 - i));
  const refused = profile();
  expect(refused).toMatchObject({ status: 429, body: '{"error":"rate limit exceeded","retry_after":1}' });
  expect(refused.headers).toMatchObject({ 'X-RateLimit-Remaining': 0, 'X-RateLimit-Reset': STARTED_AT / 1000 + 2 });
  time.ms = 100;
  expect([profile().status, profile().status]).toEqual([200, 429]);
});

it('answers 429 until the next month when the quota is used up', () => {
  const { profile, time } = open({ limits: { ...PLANS.developer, quota: 1 } });
  expect(profile().status).toBe(200);
  expect(profile()).toMatchObject({
    status: 429,
    body: '{"error":"rate limit exceeded","retry_after":60}',
    headers: { 'X-RateLimit-Remaining': 0, 'X-RateLimit-Reset': Date.UTC(2026, 1, 1) / 1000 },
    reason: 'monthly quota',
  });
  time.ms = 60_000;
  expect(profile().status).toBe(200);
});

it.each([
  ['a path of another version', `/v2/risk-profile/${WALLET}`, 'GET', {}, 404],
  ['a path below a wallet', `${PATH}/more`, 'GET', {}, 404],
  ['a wallet that is not hexadecimal', '/v1/risk-profile/vitalik.eth', 'GET', {}, 400],
  ['another method', '/health', 'POST', {}, 405],
  ['a host name that resolves to loopback', '/health', 'GET', { host: 'rebound.example:8080' }, 403],
  ['a host name that begins like loopback', '/health', 'GET', { host: '127.0.0.1.example' }, 403],
  ['a request of a web page', '/health', 'GET', { origin: 'null' }, 403],
])('refuses in the sandbox %s', (_, url, method, headers, status) => {
  expect(open().get(url, { 'x-api-key': SANDBOX_KEY, ...headers }, method).status).toBe(status);
});

it('answers 404 for a wallet without a profile', () => {
  expect(open({ profile: () => undefined }).profile()).toMatchObject({
    status: 404,
    body: '{"error":"wallet not found"}',
  });
});

it.each([
  ['500', '{"error":"internal server error"}'],
  ['502', '<html><body><h1>502 Bad Gateway</h1></body></html>\n'],
  ['429', '{"error":"rate limit exceeded","retry_after":1}'],
] as const)('fails an answer with %s on demand', (kind, body) => {
  const answer = open({ failing: { share: 1, kinds: [kind] } }).profile();
  expect(answer).toMatchObject({ status: Number(kind), body, reason: 'injected fault' });
});

it('fails the given share of answers, with each kind as often', () => {
  const { profile } = open({ limits: PLANS.enterprise, failing: { share: 0.2, kinds: ['500', 'reset'] } });
  const outcomes = Array.from({ length: 2000 }, () => profile()).map(({ status, breaks }) => breaks ?? status);
  const share = (outcome: number | string) => outcomes.filter((one) => one === outcome).length / outcomes.length;
  expect(share(500)).toBeCloseTo(0.1, 1);
  expect(share('reset')).toBeCloseTo(0.1, 1);
});

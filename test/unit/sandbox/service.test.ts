import { describe, expect, it } from 'vitest';
import { SANDBOX_KEY } from '../../../src/sandbox/keys.ts';
import { PLANS } from '../../../src/sandbox/limiter.ts';
import { profileOf } from '../../../src/sandbox/profile.ts';
import { createService, type ServiceOptions } from '../../../src/sandbox/service.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const STARTED_AT = Date.UTC(2026, 0, 31, 23, 59, 0);

/** A service whose time stands still until the test moves it. */
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
  const profile = (wallet = WALLET) => get(`/v1/risk-profile/${wallet}`, { 'x-api-key': SANDBOX_KEY });
  return { time, get, profile };
}

describe('health', () => {
  it('is ok without a key, with the time of the answer and no rate headers', () => {
    const { get, time } = open();
    time.ms = 1500;
    const { status, body, headers } = get('/health');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ status: 'ok', timestamp: '2026-01-31T23:59:01.500Z' });
    expect(Object.keys(headers)).toEqual(['Content-Type']);
  });

  it('is not rate limited', () => {
    const { get } = open({ failing: { share: 1, kinds: ['429'] } });
    const statuses = Array.from({ length: 100 }, () => get('/health').status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('a profile', () => {
  it.each(['vitalik.eth', '0x', '0xzz', 'd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '%00', '0x12%2f..'])(
    'of %s is a 400',
    (wallet) => {
      expect(open().profile(wallet)).toMatchObject({ status: 400, body: '{"error":"invalid wallet address"}' });
    },
  );
});

describe('keys', () => {
  const path = `/v1/risk-profile/${WALLET}`;

  it.each([
    ['X-API-Key', path, { 'x-api-key': SANDBOX_KEY }],
    ['Bearer', path, { authorization: `Bearer ${SANDBOX_KEY}` }],
    ['bearer', path, { authorization: `bearer ${SANDBOX_KEY}` }],
    ['the query', `${path}?api-key=${SANDBOX_KEY}`, {}],
    ['the query among other parameters', `${path}?a=b&api-key=${SANDBOX_KEY}`, {}],
  ])('are taken from %s', (_, url, headers) => {
    expect(open().get(url, headers).status).toBe(200);
  });

  it.each([
    ['no key', undefined],
    ['unknown key', SANDBOX_KEY.slice(0, -1)],
    ['unknown key', 'not even the form'],
    ['unknown key', `${SANDBOX_KEY}, ${SANDBOX_KEY}`],
  ])('%s: the same 401, with rate headers, and the reason only for the log', (reason, key) => {
    const answer = open().get(path, key === undefined ? {} : { 'x-api-key': key });
    expect(answer).toMatchObject({ status: 401, body: '{"error":"missing or invalid API key"}', reason });
    expect(answer.headers['X-RateLimit-Limit']).toBe(10);
  });

  it('are not charged for refused requests', () => {
    const { get, profile } = open();
    for (let i = 0; i < 50; i++) get(path, { 'x-api-key': 'wrong' });
    expect(profile().headers['X-RateLimit-Remaining']).toBe(19);
  });
});

describe('limits', () => {
  it('allow a burst, then say when to retry', () => {
    const { profile, time } = open();
    const remaining = Array.from({ length: 20 }, () => profile().headers['X-RateLimit-Remaining']);
    expect(remaining).toEqual(Array.from({ length: 20 }, (_, i) => 19 - i));
    const refused = profile();
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.body)).toEqual({ error: 'rate limit exceeded', retry_after: 1 });
    expect(refused.headers).toMatchObject({
      'X-RateLimit-Limit': 10,
      'X-RateLimit-Remaining': 0,
      'X-RateLimit-Reset': STARTED_AT / 1000 + 2,
    });
    time.ms = 100;
    expect(profile().status).toBe(200);
    expect(profile().status).toBe(429);
  });

  it('answer 429 until the next month once the quota is used up, as Reset says', () => {
    const { profile, time } = open({ limits: { ...PLANS.developer, quota: 2 } });
    expect([profile().status, profile().status]).toEqual([200, 200]);
    const spent = profile();
    expect(spent).toMatchObject({ status: 429, reason: 'monthly quota' });
    expect(JSON.parse(spent.body).retry_after).toBe(60);
    expect(spent.headers).toMatchObject({
      'X-RateLimit-Remaining': 0,
      'X-RateLimit-Reset': Date.UTC(2026, 1, 1) / 1000,
    });
    time.ms = 60_000;
    expect(profile().status).toBe(200);
  });
});

describe('what is not the service', () => {
  it.each([
    ['/', 404],
    ['/health/', 404],
    ['/v1/risk-profile', 404],
    ['/v1/risk-profile/', 404],
    [`/v1/risk-profile/${WALLET}/more`, 404],
    [`/v2/risk-profile/${WALLET}`, 404],
    ['http://elsewhere.example/health', 404],
  ])('%s is a %i', (url, status) => {
    expect(open().get(url, { 'x-api-key': SANDBOX_KEY }).status).toBe(status);
  });

  it('refuses methods other than GET, and names it', () => {
    const { get } = open();
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      expect(get('/health', {}, method)).toMatchObject({ status: 405, headers: { Allow: 'GET' } });
    }
  });

  it.each([
    ['content-length', '1'],
    ['transfer-encoding', 'chunked'],
  ])('refuses a body: %s %s', (name, value) => {
    expect(open().get('/health', { [name]: value }).status).toBe(413);
  });

  it.each(['localhost:8080', 'LOCALHOST', '127.0.0.1', '127.0.0.1:1'])('is reached as %s', (host) => {
    expect(open().get('/health', { host }).status).toBe(200);
  });

  it.each(['rebound.example:8080', '127.0.0.1.example', 'localhost.example', '', '0.0.0.0:8080', '127.0.0.1:8080@a'])(
    'is not reached as %s',
    (host) => {
      expect(open().get('/health', { host }).status).toBe(403);
    },
  );

  it.each(['https://page.example', 'http://127.0.0.1:8080', 'null'])('answers no page: %s', (origin) => {
    expect(open().get('/health', { origin }).status).toBe(403);
  });
});

describe('faults', () => {
  it.each([
    ['500', '{"error":"internal server error"}'],
    ['502', '<html><body><h1>502 Bad Gateway</h1></body></html>\n'],
    ['503', '{"error":"service unavailable"}'],
    ['504', ''],
  ] as const)('%s is answered', (kind, body) => {
    const { profile, get } = open({ failing: { share: 1, kinds: [kind] } });
    expect(profile()).toMatchObject({ status: Number(kind), body, reason: 'injected fault' });
    expect(get('/health').status).toBe(Number(kind));
  });

  it('429 is answered in addition to the limit', () => {
    const answer = open({ failing: { share: 1, kinds: ['429'] } }).profile();
    expect(answer).toMatchObject({ status: 429, body: '{"error":"rate limit exceeded","retry_after":1}' });
    expect(answer.headers['X-RateLimit-Remaining']).toBe(19);
  });

  it('reset and cut affect only the delivery of the answer', () => {
    expect(open({ failing: { share: 1, kinds: ['reset'] } }).profile().breaks).toBe('reset');
    expect(open({ failing: { share: 1, kinds: ['cut'] } }).get('/health').breaks).toBe('cut');
  });

  it('affect their share of answers, each kind as often', () => {
    const failing = { share: 0.2, kinds: ['500', 'reset'] as const };
    const { profile } = open({ limits: PLANS.enterprise, failing });
    const struck = Array.from({ length: 2000 }, () => profile()).map(({ status, breaks }) => breaks ?? status);
    const share = (what: number | string) => struck.filter((one) => one === what).length / struck.length;
    expect(share(500)).toBeCloseTo(0.1, 1);
    expect(share('reset')).toBeCloseTo(0.1, 1);
  });
});

it('a wallet of which there is no profile is not found', () => {
  const answer = open({ profile: () => undefined }).profile();
  expect(answer).toMatchObject({ status: 404, body: '{"error":"wallet not found"}' });
});

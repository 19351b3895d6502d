import { expect, it } from 'vitest';
import { rateLimitWait, readRateLimit, readRetryAfterMs } from '../../../../src/service/pacing/rate-limit.ts';

/** The server's time and a local clock that is years behind it. */
const SERVER = Date.UTC(2030, 0, 1, 12, 0, 0);
const now = Date.UTC(2021, 5, 5);
const date = new Date(SERVER).toUTCString();

const read = (limit?: string, remaining?: string, reset?: string) =>
  readRateLimit(
    { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset, date },
    now,
  );

it('reads the three headers', () => {
  expect(read('200', '17', String(SERVER / 1000 + 3))).toEqual({ limit: 200, remaining: 17, resetMs: 3_000 });
});

it.each([
  ['epoch seconds', SERVER / 1000 + 2, 2_000],
  ['epoch seconds with a fraction', SERVER / 1000 + 0.25, 250],
  ['epoch milliseconds', SERVER + 1_500, 1_500],
  ['a delta in seconds', 7, 7_000],
  ['a delta with a fraction', 0.4, 400],
  ['now', SERVER / 1000, 0],
  ['a month away', SERVER / 1000 + 30 * 86_400, 30 * 86_400_000],
  ['32 days away', 32 * 86_400, 32 * 86_400_000],
])('reads a reset given as %s', (_, reset, expected) => expect(read('10', '0', String(reset)).resetMs).toBe(expected));

it('ignores a reset in the past or years away', () => {
  expect(read('10', '0', String(SERVER / 1000 - 1)).resetMs).toBeUndefined();
  expect(read('10', '0', String(32 * 86_400 + 1)).resetMs).toBeUndefined();
  expect(read('10', '0', String(SERVER / 1000 + 9 * 365 * 86_400)).resetMs).toBeUndefined();
});

it('falls back to the local clock if the answer has no Date', () => {
  expect(readRateLimit({ 'x-ratelimit-reset': String(now / 1000 + 5) }, now).resetMs).toBe(5_000);
});

it.each(['', ' ', 'none', '-1', '1e3', 'NaN', 'Infinity', '0x10', '9'.repeat(30)])(
  'takes %j in the rate limit headers as absent',
  (text) => {
    expect(read(text, text, text)).toEqual({});
  },
);

it('ignores a limit of 0, but not a remaining count of 0', () => expect(read('0', '0')).toEqual({ remaining: 0 }));

it.each([
  ['0.00001', '0', { remaining: 0 }],
  ['0.9', '1', { remaining: 1 }],
  ['1', '2', { limit: 1, remaining: 2 }],
  ['10', '200', { limit: 10, remaining: 200 }],
  ['10', '201', { limit: 10 }],
  ['10', '999999999999999', { limit: 10 }],
  ['100000', '200000', { limit: 100_000, remaining: 200_000 }],
  ['100001', '2000', { remaining: 2000 }],
  ['999999999999999', '999999999999998', {}],
])('reads a limit of %s and a remaining count of %s as far as they are plausible', (limit, remaining, expected) => {
  expect(read(limit, remaining)).toEqual(expected);
});

it('uses the first number of the longer forms', () => {
  expect(read('50, 50;w=1;burst=100', '49;w=1', '1, 1')).toEqual({ limit: 50, remaining: 49, resetMs: 1_000 });
});

const wait = (retryAfter?: string, body?: number) => readRetryAfterMs({ 'retry-after': retryAfter, date }, body, now);

it.each([
  ['seconds', '3', 3_000],
  ['fractions', '2.5', 2_500],
  ['less than a second', '0.2', 1_000],
  ['zero', '0', 1_000],
  ['a very long time', '1000000000', 1e12],
  ['now', date, 1_000],
  ['an IMF date', new Date(SERVER + 4_000).toUTCString(), 4_000],
  ['an RFC 850 date', 'Tuesday, 01-Jan-30 12:00:06 GMT', 6_000],
  ['an asctime date', 'Tue Jan  1 12:00:08 2030', 8_000],
  ['a date in another zone', 'Tue, 01 Jan 2030 14:00:05 +0200', 5_000],
  ['a date in a zone with a name', 'Tue, 01 Jan 2030 07:00:05 EST', 5_000],
  ['a date in UTC', 'Tue, 01 Jan 2030 12:00:05 UTC', 5_000],
  ['a date without a zone', 'Tue, 01 Jan 2030 12:00:05', 5_000],
  ['ISO 8601', '2030-01-01T12:00:09Z', 9_000],
])('reads %s in Retry-After', (_, text, expected) => expect(wait(text)).toBe(expected));

it.each(['', '-5', 'soon', 'Infinity', new Date(SERVER - 5_000).toUTCString(), 'Tue, 01 Jan 2030 12:00:09 XYZ'])(
  'takes Retry-After %j as absent',
  (text) => {
    expect(wait(text)).toBeUndefined();
    expect(wait(text, 2)).toBe(2_000);
  },
);

it('uses the longer wait of header and body', () => {
  expect(wait('2', 7)).toBe(7_000);
  expect(wait('9', 7)).toBe(9_000);
  expect(wait(undefined, 0)).toBe(1_000);
});

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('takes retry_after %d as absent', (body) => {
  expect(wait(undefined, body)).toBeUndefined();
  expect(wait('2', body)).toBe(2_000);
});

it.each([
  [{ retryAfterMs: 3000, rateLimit: {} }, 3000],
  [{ retryAfterMs: 10, rateLimit: {} }, 1000],
  [{ rateLimit: { resetMs: 5000 } }, 5000],
  [{ rateLimit: { resetMs: 10 } }, 1000],
  [{ rateLimit: {} }, 1000],
  [{ retryAfterMs: 2000, rateLimit: { resetMs: 5000, remaining: 0 } }, 2000],
  [{ retryAfterMs: 2000, rateLimit: { resetMs: 70_000, remaining: 0 } }, 70_000],
  [{ retryAfterMs: 2000, rateLimit: { resetMs: 70_000, remaining: 1 } }, 2000],
])('waits after a refusal with %o for %i ms', (facts, wait) => expect(rateLimitWait(facts, 60_000)).toBe(wait));

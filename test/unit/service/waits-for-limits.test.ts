/** 429 in all its forms: when to come back, and when to stop waiting. */
import nock from 'nock';
import { expect, it } from 'vitest';
import { LimitError } from '../../../src/errors.ts';
import { openClient, PROFILE, WALLET } from '../../fixtures/service/client.ts';
import { EDGE, useEdge } from '../../fixtures/service/edge.ts';

useEdge();

const asked = () => nock(EDGE).get(`/v1/risk-profile/${WALLET}`);
const DAY = 86_400_000;
/** The clock of the workbench starts here. */
const START = Date.UTC(2025, 0, 1);
const httpDate = (ms: number) => new Date(START + ms).toUTCString();

it.each<[string, Record<string, string>, object | string, number]>([
  ['Retry-After in seconds', { 'retry-after': '3' }, {}, 3000],
  ['a date by a clock ten years off', { 'retry-after': httpDate(3.2e11 + 5000), date: httpDate(3.2e11) }, {}, 5000],
  ['retry_after in the body', {}, { error: 'rate limit exceeded', retry_after: 4 }, 4000],
  ['retry_after as a string', {}, { retry_after: '4' }, 4000],
  ['neither', {}, '<html>slow down</html>', 1000],
  ['only a reset', { 'x-ratelimit-reset': String(START / 1000 + 8), 'x-ratelimit-remaining': '0' }, {}, 8000],
])('waits for a 429 with %s', async (_, headers, body, wait) => {
  asked().reply(429, body, headers);
  asked().reply(200, PROFILE);
  await using bench = openClient(EDGE);
  await bench.client.profile(WALLET);
  expect(bench.attempts).toHaveLength(2);
  expect(bench.waits).toEqual([wait]);
  expect(bench.gate.entered).toEqual(['first', 'retry']);
  expect(bench.attempts).toMatchObject([{ status: 429, waitMs: wait }, { status: 200 }]);
});

it('delays the gate by the time that the server named, without jitter', async () => {
  asked().reply(429, {}, { 'retry-after': '10' });
  asked().reply(200, PROFILE);
  await using bench = openClient(EDGE, { isList: true });
  await bench.client.profile(WALLET);
  expect(bench.waits).toEqual([11_000]);
  expect(bench.gate.observed).toMatchObject([{ status: 429, waitMs: 10_000 }, { status: 200 }]);
});

it('counts a 429 neither as an attempt nor against the time for a wallet', async () => {
  asked().times(5).reply(429, {}, { 'retry-after': '9' });
  asked().times(3).reply(500);
  asked().reply(200, PROFILE);
  await using bench = openClient(EDGE, { timeoutMs: 5000 });
  await bench.client.profile(WALLET);
  expect(bench.attempts).toHaveLength(9);
});

it('does not count a 429 that takes long to arrive against the time for a wallet', async () => {
  await using bench = openClient(EDGE, { timeoutMs: 2000 });
  const late = (ms: number, status: number, body: object) =>
    asked().reply(status, () => {
      bench.clock.advance(ms);
      return body;
    });
  late(1500, 429, {});
  late(1500, 429, {});
  late(1500, 200, PROFILE);
  await bench.client.profile(WALLET);
  expect(bench.attempts).toHaveLength(3);
});

it.each([
  [
    '3600',
    'the service asks for a wait longer than --max-wait (60s) and accepts requests again at 01:00 UTC, in 60 minutes',
    '2025-01-01T01:00:00Z, or allow a longer wait with --max-wait',
    3_600_000,
  ],
  [
    '2678400',
    "the key's quota is used up and resets on 1 February (UTC), in 31 days",
    '2025-02-01T00:00:00Z',
    31 * DAY,
  ],
  ['86400', "the key's quota is used up and resets on 2 January (UTC), in 24 hours", '2025-01-02T00:00:00Z', DAY],
  [
    '1000000000',
    'the service asks for a wait longer than --max-wait (60s) and accepts requests again on 9 September 2056 at 01:46 UTC, in 32 years',
    '2056-09-09T01:46:40Z',
    1e12,
  ],
])('stops at a 429 with a wait of %s s, and says when to resume', async (retryAfter, message, iso, resumeIn) => {
  asked().reply(429, {}, { 'retry-after': retryAfter });
  await using bench = openClient(EDGE);
  const error = await bench.client.profile(WALLET).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LimitError);
  expect(error).toMatchObject({ exitCode: 7, httpStatus: 429, message, resumeAt: START + resumeIn });
  expect(error).toMatchObject({ hint: `run the same command again after ${iso}` });
  expect(bench.waits).toEqual([]);
});

it('says how long a wait is allowed, also in milliseconds', async () => {
  asked().reply(429, {}, { 'retry-after': '2' });
  await using bench = openClient(EDGE, { maxWaitMs: 999 });
  const message = expect.stringContaining('longer than --max-wait (999ms)');
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ message });
});

it('names no time to resume after an absurdly long wait', async () => {
  asked().reply(429, {}, { 'retry-after': '999999999999999' });
  await using bench = openClient(EDGE);
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ resumeAt: undefined, exitCode: 7 });
});

it('takes a 429 with nothing remaining and a distant reset for a spent quota, even with a short wait', async () => {
  const reset = START + 10 * 24 * 3_600_000;
  const headers = { 'retry-after': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset / 1000) };
  asked().reply(429, {}, headers);
  await using bench = openClient(EDGE);
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ resumeAt: reset, exitCode: 7 });
});

it('stops when the waits of repeated 429s add up to more than allowed', async () => {
  nock(EDGE).get(/.*/).times(7).reply(429, {}, { 'retry-after': '10' });
  await using bench = openClient(EDGE);
  const error = await bench.client.profile(WALLET).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    exitCode: 7,
    message: 'the rate limit let nothing through for 60s, and --max-wait is 60s',
    resumeAt: START + 70_000,
  });
  expect(bench.waits).toEqual([10_000, 10_000, 10_000, 10_000, 10_000, 10_000]);
});

it('counts waits across wallets, until any answer ends them', async () => {
  await using bench = openClient(EDGE, { maxWaitMs: 15_000 });
  asked().reply(429, {}, { 'retry-after': '10' });
  asked().reply(200, PROFILE);
  asked().reply(429, {}, { 'retry-after': '10' });
  asked().reply(404, {});
  asked().times(2).reply(429, {}, { 'retry-after': '10' });
  await bench.client.profile(WALLET);
  expect(bench.attempts).toHaveLength(2);
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ httpStatus: 404 });
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ exitCode: 7 });
  asked().reply(429, {}, { 'retry-after': '10' });
  await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ exitCode: 7 });
  expect(bench.waits).toEqual([10_000, 10_000, 10_000]);
});

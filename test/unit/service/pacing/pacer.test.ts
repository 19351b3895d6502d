import { expect, it } from 'vitest';
import { Pacer, type PacerOptions } from '../../../../src/service/pacing/pacer.ts';
import { type Observation, readRateLimit } from '../../../../src/service/pacing/rate-limit.ts';

/** A pacer with a clock of its own that jumps to the next send. */
function paced(options: PacerOptions = {}) {
  const pacer = new Pacer(options);
  let now = 0;
  return {
    pacer,
    at: () => now,
    wait: (ms: number) => {
      now += ms;
    },
    /** Sends as soon as allowed; returns the time. */
    send() {
      now = Math.max(now, pacer.readyAt());
      pacer.take(now);
      pacer.sent(now);
      return now;
    },
    answer: (sentAt: number, observation: Observation) => pacer.answered(sentAt, observation, now),
  };
}

const ok = (limit?: number, remaining?: number): Observation => ({ status: 200, rateLimit: { limit, remaining } });
const refusal = (waitMs = 1_000): Observation => ({ status: 429, rateLimit: {}, waitMs });

it('sends ten in the first second until an answer has the limit', () => {
  const { send } = paced();
  const times = Array.from({ length: 20 }, send);
  expect(times[9]).toBeLessThan(500);
  expect(times[10]).toBe(1_000);
});

it.each([1, 50])('keeps to the limit once an answer has it: %i', (limit) => {
  const { send, answer } = paced({ limit: limit === 1 ? 1 : undefined });
  const times = Array.from({ length: 10 * limit }, () => {
    const at = send();
    answer(at, ok(limit));
    return at;
  });
  for (const [i, at] of times.slice(limit).entries()) expect(at - times[i]!).toBeGreaterThanOrEqual(1_000);
});

it.each([
  ['0', '0', '0'],
  ['0.00001', '0', '1'],
  ['999999999999999', '999999999999998', '1'],
  ['NaN', '-1', 'never'],
  ['10', '999999999999999', '4000000000'],
])('neither stalls nor speeds up by Limit %s, Remaining %s, Reset %s', (limit, remaining, reset) => {
  const headers = { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset };
  const { send, answer } = paced();
  const times = Array.from({ length: 40 }, () => {
    const at = send();
    answer(at, { status: 200, rateLimit: readRateLimit(headers, 0) });
    return at;
  });
  // What the smallest plan lets through in a second at once (docs/service.md, Plans).
  for (const [i, at] of times.slice(20).entries()) expect(at - times[i]!).toBeGreaterThanOrEqual(1_000);
  expect(times[39]).toBeLessThan(5_000);
});

// Seed 7178 of the simulator's scenarios 5: a third of a list was refused, since Remaining always
// looked like a bucket's.
it('keeps to the limit once a refusal says that some were left', () => {
  const { send, answer, wait } = paced({ limit: 2 });
  answer(send(), ok(2, 2));
  answer(send(), { status: 429, rateLimit: { limit: 2, remaining: 2, resetMs: 1_000 }, waitMs: 1_000 });
  wait(10_000);
  const times = Array.from({ length: 50 }, () => {
    const at = send();
    answer(at, ok(2, 2));
    return at;
  });
  for (const [i, at] of times.slice(2).entries()) expect(at - times[i]!).toBeGreaterThanOrEqual(1_000);
});

it('sends no burst after a timer that was late', () => {
  const { send, answer, wait } = paced({ limit: 100 });
  answer(send(), ok(100, 50));
  wait(10_000);
  const burst = Array.from({ length: 20 }, send).filter((at) => at === 10_000);
  expect(burst.length).toBeLessThanOrEqual(7);
});

it('does not hold requests after one refusal, but in a storm for as long as the refusal that begins it names', () => {
  const { pacer, send, answer, at } = paced({ limit: 10 });
  const sent = Array.from({ length: 3 }, send);
  answer(sent[0]!, refusal(9_000));
  expect(pacer.state(at()).heldMs).toBeUndefined();
  answer(sent[1]!, refusal(7_000));
  expect(pacer.state(at()).heldMs).toBe(7_000);
  answer(sent[2]!, refusal(60_000));
  expect(pacer.state(at())).toMatchObject({ heldMs: 7_000, waiting: 'rate limited for 7 s' });
  const stormAt = at();
  expect(send()).toBe(stormAt + 7_000);
  expect(pacer.state(at()).heldMs).toBeUndefined();
});

it('waits anew for a refusal that comes as the wait of a storm ends', () => {
  const { pacer, send, answer, at, wait } = paced({ limit: 10 });
  const [first = 0, second = 0, third = 0] = Array.from({ length: 3 }, send);
  for (const sent of [first, second]) answer(sent, refusal(500));
  wait(500);
  answer(third, refusal(500));
  expect(pacer.state(at()).heldMs).toBe(500);
});

it('takes a Remaining with a far Reset for a quota, which says nothing of this second', () => {
  const { pacer, send, answer, at } = paced();
  answer(send(), { status: 200, rateLimit: { limit: 10, remaining: 99_000, resetMs: 86_400_000 } });
  expect(pacer.state(at()).pace).toBeLessThanOrEqual(10);
});

it('never spends more than twice the limit of a bucket', () => {
  const { pacer, send, answer, at } = paced();
  answer(send(), ok(10, 99_000));
  expect(pacer.state(at()).pace).toBe(20);
});

it('learns nothing from a request without an answer', () => {
  const { pacer, send, answer, at } = paced();
  answer(send(), { rateLimit: {} });
  expect(pacer.state(at())).toMatchObject({ paceWords: '20/s', inFlight: 0 });
});

/** Sends until an answer is needed first; returns the number in flight. */
function fill({ pacer, send }: ReturnType<typeof paced>): number {
  while (pacer.readyAt() !== Number.POSITIVE_INFINITY) send();
  return pacer.state(0).inFlight;
}

it('allows until the first answer twice the requests in flight that the pace needs at the slowest usual latency', () => {
  expect(fill(paced({ limit: 10 }))).toBe(98);
  expect(fill(paced({ limit: 10, rate: 5 }))).toBe(50);
  expect(fill(paced({ limit: 10, concurrency: 7 }))).toBe(7);
  expect(fill(paced({ limit: 100_000 }))).toBe(2_000);
});

/** Many answers with this latency. */
function answerAll(client: ReturnType<typeof paced>, { ms, ...how }: { ms: number } & Partial<Observation>): void {
  for (let i = 0; i < 200; i++) {
    const sentAt = client.send();
    client.wait(ms);
    client.answer(sentAt, { status: 200, rateLimit: {}, ...how });
  }
}

it.each([
  { ms: 2_000, inFlight: 390 },
  { ms: 5_000, inFlight: 975 },
  { ms: 20, inFlight: 20 },
])('follows the latency of answers that take $ms ms', ({ ms, inFlight }) => {
  const client = paced({ limit: 100 });
  answerAll(client, { ms, rateLimit: { limit: 100 } });
  expect(Math.abs(fill(client) / inFlight - 1)).toBeLessThan(0.03);
});

it('does not take a refusal for a quick answer', () => {
  const client = paced({ limit: 100 });
  answerAll(client, { ms: 2_000 });
  client.answer(client.send(), refusal());
  expect(fill(client)).toBeGreaterThan(380);
});

it('raises its latency estimate slowly at the in-flight cap', () => {
  const client = paced({ limit: 100 });
  answerAll(client, { ms: 500, rateLimit: { limit: 100 } });
  const before = fill(client);
  const from = client.at();
  for (let i = 0; i < 40; i++) {
    client.answer(client.at() - 4_000, ok(100));
    fill(client);
  }
  const seconds = (client.at() - from) / 1_000;
  expect(fill(client) / before).toBeGreaterThan(1 + 0.4 * seconds);
  expect(fill(client) / before).toBeLessThan(1.05 * Math.exp(0.5 * seconds));
});

it('raises the in-flight cap by a quarter of a request for each answer if the pace is beyond all plans', () => {
  const client = paced({ limit: 20_000 });
  answerAll(client, { ms: 20 });
  const before = fill(client);
  for (let i = 0; i < 400; i++) {
    client.answer(client.at() - 20, { status: 200, rateLimit: {} });
    fill(client);
  }
  expect(before).toBe(60);
  expect(Math.abs(fill(client) - 160)).toBeLessThan(10);
});

it('begins no faster than a proven pace, whatever limit an earlier run has learned', () => {
  const { pacer, send, answer, at } = paced({ limit: 20_000 });
  expect(pacer.state(at()).pace).toBe(1_000);
  answer(send(), { status: 200, rateLimit: {} });
  expect(pacer.state(at()).pace).toBeGreaterThan(19_000);
});

it('describes its pace and what it waits for', () => {
  const { pacer, send, answer, at } = paced();
  expect(pacer.state(0)).toMatchObject({ paceWords: '20/s', waiting: 'waiting to learn the rate limit, in flight 0' });
  answer(send(), ok(200, 199));
  send();
  expect(pacer.state(at())).toMatchObject({ paceWords: '100/s of 200/s', waiting: 'in flight 1' });
  const blind = paced();
  blind.answer(blind.send(), ok());
  expect(blind.pacer.state(blind.at())).toMatchObject({ paceWords: '10/s', waiting: 'in flight 0' });
  const full = paced({ concurrency: 1, rate: 2.5 });
  full.send();
  expect(full.pacer.state(full.at())).toMatchObject({
    paceWords: '2.5/s',
    waiting: 'waiting for answers, in flight 1',
  });
});

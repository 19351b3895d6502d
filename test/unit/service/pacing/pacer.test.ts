import { describe, expect, it } from 'vitest';
import { createPacer, type PacerOptions } from '../../../../src/service/pacing/pacer.ts';
import type { Observation } from '../../../../src/service/pacing/rate-limit.ts';
import { ALONE, meanOf, misses, PLANS, PROCESSES, RIVAL, type Row } from '../../../bench/pacing/figures.ts';
import { LIMITERS } from '../../../bench/pacing/limiters.ts';
import { type Scenario, SPELLINGS, simulate } from '../../../bench/pacing/simulate.ts';

const DEVELOPER = { rate: 10, burst: 20 };
const INSTITUTION = { rate: 200, burst: 400 };

/** What a row of the table misses, plan by plan; the simulation is the same on every machine. */
function missesOf(row: Row): readonly string[] {
  return PLANS.flatMap((plan, i) =>
    misses(row, meanOf(row, plan, { count: 4, first: 1 }), i).map((miss) => `${plan.rate}/s: ${miss}`),
  );
}
const named = (rows: readonly Row[]) => rows.filter(({ bound }) => bound).map((row) => [row.name, row] as const);

describe('pacer against limiters', () => {
  it.each(named(ALONE))('%s', (_, row) => expect(missesOf(row)).toEqual([]));
  it.each(named(RIVAL))('%s', (_, row) => expect(missesOf(row)).toEqual([]));
  it.each(named(PROCESSES))('%s', (_, row) => expect(missesOf(row)).toEqual([]));

  const run = (extra: Partial<Scenario>) =>
    simulate({ limiter: LIMITERS.fixed, plan: DEVELOPER, seed: 3, wallets: 500, ...extra });

  it.each(SPELLINGS)('gets through with Reset spelled as %s', (spelling) => {
    const { makespan, ideal, refusedPerThousand } = run({ spelling });
    expect(makespan).toBeLessThan(1.3 * ideal);
    expect(refusedPerThousand).toBeLessThan(spelling === 'absent' ? 60 : 5);
  });

  it.each([-10, 10])('does not care for a clock that is %d years off', (years) => {
    expect(run({ skew: years * 365 * 86_400_000 })).toEqual(run({}));
  });

  it('is quicker when an earlier run has learned the limit', () => {
    const cold = simulate({ limiter: LIMITERS.fixed, plan: INSTITUTION, seed: 3 });
    const warm = simulate({ limiter: LIMITERS.fixed, plan: INSTITUTION, seed: 3, remembered: 200 });
    expect(cold.makespan - warm.makespan).toBeGreaterThan(1_400);
    expect(warm.refusedPerThousand).toBeLessThan(1);
  });

  it('survives a remembered limit that is no longer true', () => {
    const lower = run({ remembered: 200 });
    expect(lower.makespan).toBeLessThan(1.4 * lower.ideal);
    const higher = simulate({ limiter: LIMITERS.fixed, plan: INSTITUTION, seed: 3, remembered: 10 });
    expect(higher.makespan).toBeLessThan(2 * higher.ideal);
  });

  it.each([LIMITERS.fixed, LIMITERS.bucket, LIMITERS.queue])('obeys --rate and --concurrency: $name', (limiter) => {
    const plan = INSTITUTION;
    expect(simulate({ limiter, plan, seed: 3, wallets: 500, rate: 20 }).mostPerSecond).toBe(20);
    expect(simulate({ limiter, plan, seed: 3, wallets: 500, concurrency: 7 }).mostInFlight).toBe(7);
    expect(run({ rate: 1_000 }).mostPerSecond).toBeLessThanOrEqual(10);
  });
});

/** A pacer with a clock of its own that jumps to the next send. */
function paced(options: PacerOptions = {}) {
  const pacer = createPacer(options);
  let now = 0;
  return {
    pacer,
    at: () => now,
    wait: (ms: number) => {
      now += ms;
    },
    /** Sends as soon as it may; the time of it. */
    send() {
      now = Math.max(now, pacer.readyAt());
      pacer.take(now);
      pacer.sent(now);
      return now;
    },
    answer: (sentAt: number, observation: Observation) => pacer.answered(sentAt, observation, now),
  };
}

const ok = (limit?: number, remaining?: number): Observation => ({ status: 200, rate: { limit, remaining } });
const refusal = (waitMs = 1_000): Observation => ({ status: 429, rate: {}, waitMs });

describe('pacer', () => {
  it('sends ten in the first second until an answer tells the limit', () => {
    const { send } = paced();
    const times = Array.from({ length: 20 }, send);
    expect(times[9]).toBeLessThan(500);
    expect(times[10]).toBe(1_000);
  });

  it('keeps to the limit once it is told', () => {
    const { send, answer } = paced();
    const times = Array.from({ length: 500 }, () => {
      const at = send();
      answer(at, ok(50));
      return at;
    });
    for (const [i, at] of times.slice(50).entries()) expect(at - times[i]!).toBeGreaterThanOrEqual(1_000);
  });

  it('is not hurried by a timer that was late', () => {
    const { send, answer, wait } = paced({ limit: 100 });
    answer(send(), ok(100, 50));
    wait(10_000);
    const burst = Array.from({ length: 20 }, send).filter((at) => at === 10_000);
    expect(burst.length).toBeLessThanOrEqual(7);
  });

  it('waits for one refusal no longer than for none, for a storm as long as it names', () => {
    const { pacer, send, answer, at } = paced({ limit: 10 });
    const sent = Array.from({ length: 3 }, send);
    answer(sent[0]!, refusal(9_000));
    expect(pacer.state(at()).heldMs).toBeUndefined();
    answer(sent[1]!, refusal(7_000));
    expect(pacer.state(at()).heldMs).toBe(7_000);
    answer(sent[2]!, refusal(60_000));
    expect(pacer.state(at())).toMatchObject({ heldMs: 7_000, waiting: 'held back by the rate limit for 7 s' });
    const stormAt = at();
    expect(send()).toBe(stormAt + 7_000);
  });

  it('waits at least a second after a storm that names no wait', () => {
    const { pacer, send, answer, at } = paced({ limit: 10 });
    for (const sent of [send(), send()]) answer(sent, refusal());
    expect(pacer.state(at()).heldMs).toBeCloseTo(1_000);
  });

  it('takes a Remaining with a far Reset for a quota, which says nothing of this second', () => {
    const { pacer, send, answer, at } = paced();
    answer(send(), { status: 200, rate: { limit: 10, remaining: 99_000, resetMs: 86_400_000 } });
    expect(pacer.state(at()).rate).toBeLessThanOrEqual(10);
  });

  it('never spends more than twice the limit of a bucket', () => {
    const { pacer, send, answer, at } = paced();
    answer(send(), ok(10, 99_000));
    expect(pacer.state(at()).rate).toBe(20);
  });

  it('learns nothing from a request without an answer', () => {
    const { pacer, send, answer, at } = paced();
    answer(send(), { rate: {} });
    expect(pacer.state(at())).toMatchObject({ limit: undefined, inFlight: 0 });
  });

  it('bounds what is in flight by pace and patience', () => {
    const { pacer, send } = paced({ limit: 10 });
    while (pacer.readyAt() !== Number.POSITIVE_INFINITY) send();
    expect(pacer.state(0).inFlight).toBe(98);
  });

  it('says what it does', () => {
    const { pacer, send, answer, at } = paced();
    expect(pacer.state(0)).toMatchObject({ pace: '20/s', waiting: 'waiting to learn the rate limit, 0 in flight' });
    answer(send(), ok(200, 199));
    send();
    expect(pacer.state(at())).toMatchObject({ pace: '100/s of 200/s', waiting: '1 in flight' });
    const blind = paced();
    blind.answer(blind.send(), ok());
    expect(blind.pacer.state(blind.at())).toMatchObject({ pace: '10/s', waiting: '0 in flight' });
    const full = paced({ concurrency: 1, rate: 2.5 });
    full.send();
    expect(full.pacer.state(full.at())).toMatchObject({ pace: '2.5/s', waiting: 'waiting for answers, 1 in flight' });
  });

  it('does not mind how often it is asked what it does', () => {
    const [seldom, often] = [paced({ limit: 50 }), paced({ limit: 50 })];
    for (let i = 0; i < 200; i++) {
      for (const { send, answer } of [seldom, often]) answer(send(), i === 20 ? refusal() : ok(50, 49 - (i % 50)));
      for (let asked = 0; asked < 5; asked++) often.pacer.state(often.at() + asked);
      expect(often.at()).toBe(seldom.at());
    }
  });
});

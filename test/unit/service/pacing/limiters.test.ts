/** The pacer against every kind of limiter, simulated. */
import { expect, it } from 'vitest';
import { ALONE, meanOf, misses, PLANS, PROCESSES, RIVAL } from '../../../bench/pacing/figures.ts';
import { LIMITERS } from '../../../bench/pacing/limiters.ts';
import { type Scenario, SPELLINGS, simulate } from '../../../bench/pacing/simulate.ts';
import { isSlow } from '../../../fixtures/sweep.ts';

const DEVELOPER = { rate: 10, burst: 20 };
const INSTITUTION = { rate: 200, burst: 400 };

// The bounds are those of the mean of four runs, which the slow lane takes. Of the four, this one
// keeps them by itself.
const seeds = isSlow ? { count: 4, first: 1 } : { count: 1, first: 4 };
const rows = [...ALONE, ...RIVAL, ...PROCESSES].filter(({ bound }) => bound);
it.each(rows.map((row) => [row.name, row] as const))('keeps its bounds on each plan against %s', (_, row) => {
  const missed = PLANS.flatMap((plan, i) =>
    misses(row, meanOf(row, plan, seeds), i).map((miss) => `${plan.rate}/s: ${miss}`),
  );
  expect(missed).toEqual([]);
});

const run = (extra: Partial<Scenario>) =>
  simulate({ limiter: LIMITERS.fixed, plan: DEVELOPER, seed: 3, wallets: 500, ...extra });

it.each(SPELLINGS)('finishes a list with Reset spelled as %s', (spelling) => {
  const { makespan, ideal, refusedPerThousand } = run({ spelling });
  expect(makespan).toBeLessThan(1.3 * ideal);
  expect(refusedPerThousand).toBeLessThan(spelling === 'absent' ? 60 : 5);
});

it.each([-10, 10])('ignores a clock that is %d years off', (years) => {
  expect(run({ skew: years * 365 * 86_400_000 })).toEqual(run({}));
});

it.each([LIMITERS.fixed, LIMITERS.sliding, LIMITERS.bucket])(
  'rarely exceeds a limit of 2 a second without headers: $name',
  (limiter) => {
    const plan = { rate: 2, burst: 4 };
    const { makespan, ideal, refusedPerThousand } = run({ limiter, plan, spelling: 'absent' });
    expect(refusedPerThousand).toBeLessThan(60);
    expect(makespan).toBeLessThan(1.3 * ideal);
  },
);

it('finishes sooner when an earlier run has learned the limit', () => {
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

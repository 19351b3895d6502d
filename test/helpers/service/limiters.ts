/** What of a limiter's row the pacer misses on each plan: simulated, and so the same on every machine. */
import { expect, it } from 'vitest';
import { ALONE, meanOf, misses, PLANS, PROCESSES, RIVAL, type Seeds } from '../../bench/pacing/figures.ts';

/** A test for each limiter that has bounds: alone, with a rival, with other processes on the same key. */
export function testLimiters(seeds: Seeds): void {
  const rows = [...ALONE, ...RIVAL, ...PROCESSES].filter(({ bound }) => bound);
  it.each(rows.map((row) => [row.name, row] as const))('%s', (_, row) => {
    const missed = PLANS.flatMap((plan, i) =>
      misses(row, meanOf(row, plan, seeds), i).map((miss) => `${plan.rate}/s: ${miss}`),
    );
    expect(missed).toEqual([]);
  });
}

import { expect, it } from 'vitest';
import { Headroom } from '../../../../src/service/pacing/headroom.ts';

const MARGINS = { margin: 0.1, sharedMargin: 0.2 };

/**
 * The rate after an answer in which `shortage` of `limit` is neither left nor was used by our own
 * `own` requests.
 */
function rateAfter(limit: number, shortage: number, { own = 1, now = 1_000 } = {}) {
  const headroom = new Headroom(() => own);
  headroom.observe(500, { limit, remaining: limit - own - shortage });
  return headroom.rate(now, { limit, ...MARGINS });
}

it.each([
  [10, 1],
  [100, 2],
  [200, 3],
  [1_000, 11],
])('uses all but the margin of %i a second as long as no more than %i are missing', (limit, noise) => {
  for (const own of [1, 5]) {
    expect(rateAfter(limit, 0, { own })).toBeCloseTo(limit * 0.9);
    expect(rateAfter(limit, noise, { own })).toBeCloseTo(limit * 0.9);
    expect(rateAfter(limit, noise + 1, { own })).toBeCloseTo(limit * 0.8 - (noise + 1) + 0.2);
  }
});

it('computes the rate that is left from the answers of the last four seconds', () => {
  expect(rateAfter(100, 20, { now: 4_999 })).toBeCloseTo(60.2);
  expect(rateAfter(100, 20, { now: 5_000 })).toBeCloseTo(90);
});

it('uses Remaining once it was seen, until ignoreRemaining()', () => {
  const headroom = new Headroom(() => 1);
  const reading = { limit: 10, remaining: 9 };
  expect(headroom.hasFeedback).toBe(false);
  headroom.observe(500, reading);
  expect(headroom.hasFeedback).toBe(true);
  headroom.ignoreRemaining();
  headroom.observe(600, reading);
  expect(headroom.hasFeedback).toBe(false);
});

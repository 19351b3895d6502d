import { expect, it } from 'vitest';
import { createEstimate, learn, paceAt, widenMargin } from '../../../../src/service/pacing/pace.ts';

it('the margin kept after a refusal is given back over minutes without one', () => {
  const pace = createEstimate(50, () => 0);
  learn(pace, { limit: 50 }, 0, 0);
  widenMargin(pace, {});
  const refused = paceAt(pace, 60_000);
  learn(pace, { limit: 50 }, 600_000, 600_000);
  expect(refused).toBeCloseTo(50 * 0.97);
  expect(paceAt(pace, 600_000)).toBeCloseTo(50 * 0.997);
});

it('a Remaining without a Limit does not affect the pace', () => {
  const pace = createEstimate(undefined, () => 0);
  learn(pace, { remaining: 3 }, 0, 0);
  learn(pace, { limit: 10, remaining: 9 }, 1_000, 1_000);
  expect(paceAt(pace, 2_000)).toBeCloseTo(7.5);
});

import { expect, it } from 'vitest';
import { Pace } from '../../../../src/service/pacing/pace.ts';

const answered = (now: number, isRefusal = false) => ({ isRefusal, sentAt: now, now });

it('the margin kept after a refusal is given back over minutes without one', () => {
  const pace = new Pace(50, () => 0);
  pace.learn({ limit: 50 }, answered(0, true));
  const refused = pace.at(60_000);
  pace.learn({ limit: 50 }, answered(600_000));
  expect(refused).toBeCloseTo(50 * 0.97);
  expect(pace.at(600_000)).toBeCloseTo(50 * 0.997);
});

it('a Remaining without a Limit does not affect the pace', () => {
  const pace = new Pace(undefined, () => 0);
  pace.learn({ remaining: 3 }, answered(0));
  pace.learn({ limit: 10, remaining: 9 }, answered(1_000));
  expect(pace.at(2_000)).toBeCloseTo(7.5);
});

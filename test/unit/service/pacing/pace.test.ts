import { expect, it } from 'vitest';
import { Pace } from '../../../../src/service/pacing/pace.ts';

const answered = (now: number, isRateLimited = false) => ({ isRateLimited, sentAt: now, now });

it('lowers the margin kept after a refusal over minutes without one', () => {
  const pace = new Pace(50, () => 0);
  pace.learn({ limit: 50 }, answered(0, true));
  const refused = pace.at(60_000);
  pace.learn({ limit: 50 }, answered(600_000));
  expect(refused).toBeCloseTo(50 * 0.97);
  expect(pace.at(600_000)).toBeCloseTo(50 * 0.997);
});

it('ignores a Remaining without a Limit', () => {
  const pace = new Pace(undefined, () => 0);
  pace.learn({ remaining: 3 }, answered(0));
  pace.learn({ limit: 10, remaining: 9 }, answered(1_000));
  expect(pace.at(2_000)).toBeCloseTo(7.5);
});

it('raises the pace by a quarter a second, after a refusal by 9%, and by 0.5% without Remaining', () => {
  const grown = (isRefused: boolean, remaining?: number) => {
    const pace = new Pace(undefined, () => 100);
    pace.learn({ limit: 100, remaining }, answered(50_000, isRefused));
    pace.slowDown(10, 50_000);
    return pace.at(52_000) / pace.at(50_000);
  };
  expect(grown(false)).toBeCloseTo(1.5);
  expect(grown(true, 0)).toBeCloseTo(1.18);
  expect(grown(true)).toBeCloseTo(1.01);
});

it('lowers the pace after many refusals to 95% of what was accepted, but not below a third of the pace before', () => {
  const pace = new Pace(100, () => 0);
  pace.learn({ limit: 100 }, answered(0));
  pace.slowDown(80, 0);
  expect(pace.at(0)).toBeCloseTo(76);
  pace.slowDown(0, 0);
  expect(pace.at(0)).toBeCloseTo(76 / 3);
});

import { expect, it } from 'vitest';
import { RefusedError, TemporaryError } from '../../../src/errors.ts';
import { backoff, RetryPolicy } from '../../../src/service/retry.ts';
import { stillClock } from '../../fixtures/service/client.ts';

it.each([
  [1, 500],
  [2, 1000],
  [3, 2000],
  [7, 30_000],
  [1000, 30_000],
])('spreads the backoff after fault %i over %i ms', (faults, most) => {
  expect(backoff(faults, 0)).toBe(0);
  expect(backoff(faults, 0.5)).toBe(most / 2);
  expect(backoff(faults, 0.999999)).toBeLessThan(most);
});

const fault = {
  status: 503,
  ms: 1,
  endedAt: 0,
  rateLimit: {},
  error: new TemporaryError('x'),
  faults: 1,
  leftMs: 10_000,
};
const timeout = new TemporaryError('z', { code: 'timeout' });
const rules = () => new RetryPolicy({ clock: stillClock(), maxWaitMs: 60_000, isList: false });

it.each([
  ['a first fault', {}, 250],
  ['a fourth fault', { faults: 4 }, fault.error],
  ['a fault with no time left', { leftMs: 250 }, fault.error],
  ['a fault with too little time left for an answer', { leftMs: 349 }, fault.error],
  ['a fault with just enough time left', { leftMs: 350 }, 250],
  ['a refusal for good', { error: new RefusedError('y') }, new RefusedError('y')],
  ['a timeout of all attempts together', { error: timeout }, timeout],
])('decides whether to ask again after %s', (_, change, next) => {
  expect(rules().next({ ...fault, ...change })).toEqual(next);
});

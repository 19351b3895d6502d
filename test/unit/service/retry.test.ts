import { describe, expect, it } from 'vitest';
import { RefusedError, TemporaryError } from '../../../src/errors.ts';
import { backoff, createRetryRules, refusalWait } from '../../../src/service/retry.ts';
import { stillClock } from '../../helpers/client.ts';

describe('backoff', () => {
  it.each([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [7, 30_000],
    [1000, 30_000],
  ])('after fault %i spreads over %i ms', (faults, most) => {
    expect(backoff(faults, 0)).toBe(0);
    expect(backoff(faults, 0.5)).toBe(most / 2);
    expect(backoff(faults, 0.999999)).toBeLessThan(most);
  });
});

describe('refusalWait', () => {
  it.each([
    [{ namedMs: 3000, rate: {} }, 3000],
    [{ namedMs: 10, rate: {} }, 1000],
    [{ rate: { resetMs: 5000 } }, 5000],
    [{ rate: { resetMs: 10 } }, 1000],
    [{ rate: {} }, 1000],
    [{ namedMs: 2000, rate: { resetMs: 5000, remaining: 0 } }, 2000],
    [{ namedMs: 2000, rate: { resetMs: 70_000, remaining: 0 } }, 70_000],
    [{ namedMs: 2000, rate: { resetMs: 70_000, remaining: 1 } }, 2000],
  ])('of %o is %i', (facts, wait) => {
    expect(refusalWait(facts, 60_000)).toBe(wait);
  });
});

describe('the rules', () => {
  const fault = { status: 503, ms: 1, endedAt: 0, rate: {}, error: new TemporaryError('x'), faults: 1, leftMs: 10_000 };
  const timeout = new TemporaryError('z', { code: 'timeout' });
  const rules = (list = false) => createRetryRules({ clock: stillClock(), maxWaitMs: 60_000, list });

  it.each([
    ['a first fault', {}, 250],
    ['a fourth', { faults: 4 }, fault.error],
    ['no time left', { leftMs: 250 }, fault.error],
    ['a refusal for good', { error: new RefusedError('y') }, new RefusedError('y')],
    ['the time-out of the whole', { error: timeout }, timeout],
  ])('%s', (_, change, next) => {
    expect(rules().next({ ...fault, ...change })).toEqual(next);
  });

  it('let a list repeat one request in ten in the long run', () => {
    const { sent, next } = rules(true);
    let retries = 0;
    for (let request = 0; request < 1050; request++) {
      sent();
      if (typeof next(fault) === 'number') retries++;
    }
    expect(retries).toBeGreaterThanOrEqual(150);
    expect(retries).toBeLessThanOrEqual(160);
  });
});

import { describe, expect, it } from 'vitest';
import { createLimiter, createQuota } from '../../../src/sandbox/limiter.ts';

/** How many of `perTick` requests each `tickMs` are let through in `seconds`. */
function offer({ seconds, tickMs, perTick }: Record<'seconds' | 'tickMs' | 'perTick', number>) {
  const limiter = createLimiter({ rate: 10, burst: 20 });
  let passed = 0;
  for (let now = 0; now < seconds * 1000; now += tickMs) {
    for (let i = 0; i < perTick; i++) if (limiter.take(now).allowed) passed += 1;
  }
  return passed;
}

describe('the bucket', () => {
  it('allows its burst and then its rate under any load', () => {
    const passed = offer({ seconds: 60, tickMs: 7, perTick: 5 });
    expect(passed).toBeGreaterThanOrEqual(20 + 60 * 10 - 1);
    expect(passed).toBeLessThanOrEqual(20 + 60 * 10);
  });

  it('allows all requests at its rate', () => {
    expect(offer({ seconds: 100, tickMs: 100, perTick: 1 })).toBe(1000);
  });

  it('allows a request that waited as long as told', () => {
    const limiter = createLimiter({ rate: 3, burst: 1 });
    let now = 123.456;
    for (let i = 0; i < 1000; i++) {
      limiter.take(now);
      const refused = limiter.take(now);
      expect(refused.allowed).toBe(false);
      now += refused.retryMs;
      expect(limiter.peek(now).allowed).toBe(true);
    }
  });
});

describe('the quota', () => {
  it('is per calendar month, across the end of a year', () => {
    const take = createQuota(1);
    const december = Date.UTC(2026, 11, 31, 12);
    expect(take(december)).toBe(0);
    expect(take(december)).toBe(12 * 3_600_000);
    expect(take(Date.UTC(2027, 0))).toBe(0);
  });
});

/**
 * How many requests the key may still send: per second, and per month. The service does not
 * say which kind of limiter it has (docs/service.md, Rate limits); this is a token bucket. Pure:
 * time is an argument.
 */
import { nextMonth } from '../text/when.ts';

export interface Limits {
  /** Requests a second; Infinity for no limit. */
  readonly rate: number;
  /** Requests that may come at once after a quiet time. */
  readonly burst: number;
  /** Requests a calendar month (UTC); Infinity for no limit. */
  readonly quota: number;
}

/**
 * The four plans (docs/service.md, Plans). Enterprise limits are agreed individually; here it has
 * none until they are set.
 */
export const PLANS = {
  developer: { rate: 10, burst: 20, quota: 10_000 },
  startup: { rate: 50, burst: 100, quota: 100_000 },
  institution: { rate: 200, burst: 400, quota: 1_000_000 },
  enterprise: { rate: Number.POSITIVE_INFINITY, burst: Number.POSITIVE_INFINITY, quota: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, Limits>;
export type Plan = keyof typeof PLANS;

export interface LimiterAllowance {
  readonly allowed: boolean;
  /** Whole requests that would be let through now. */
  readonly remaining: number;
  /** Milliseconds until everything is available again. */
  readonly resetMs: number;
  /** Milliseconds until the next request is let through. */
  readonly retryMs: number;
}

/** The value of X-RateLimit-Limit without a limit: the header has to be an integer. */
export const UNLIMITED = 100_000;

const UNBOUNDED: LimiterAllowance = { allowed: true, remaining: UNLIMITED, resetMs: 0, retryMs: 0 };

/** Tolerance for rounding errors in sums of fractions of tokens. */
const TOKEN_TOLERANCE = 1e-6;

/** Token bucket: holds `burst` tokens, gains `rate` a second. */
export function createLimiter({ rate, burst }: Pick<Limits, 'rate' | 'burst'>) {
  if (rate === Number.POSITIVE_INFINITY) return { take: () => UNBOUNDED, peek: () => UNBOUNDED };
  const perMs = rate / 1000;
  let tokens = burst;
  let filledAt = 0;
  const refill = (now: number) => {
    tokens = Math.min(burst, tokens + Math.max(0, now - filledAt) * perMs);
    filledAt = now;
  };
  const state = (allowed: boolean): LimiterAllowance => ({
    allowed,
    remaining: Math.floor(tokens + TOKEN_TOLERANCE),
    resetMs: (burst - tokens) / perMs,
    retryMs: Math.max(0, 1 - tokens) / perMs,
  });
  return {
    /** The state at `now` (monotonic milliseconds), counting nothing. */
    peek(now: number): LimiterAllowance {
      refill(now);
      return state(tokens + TOKEN_TOLERANCE >= 1);
    },
    /** Counts one request at `now` if it is let through; a refused one costs nothing. */
    take(now: number): LimiterAllowance {
      refill(now);
      const allowed = tokens + TOKEN_TOLERANCE >= 1;
      if (allowed) tokens = Math.max(0, tokens - 1);
      return state(allowed);
    },
  };
}

/**
 * `perMonth` requests in each calendar month, UTC, counted from the sandbox's start.
 * @returns counts one request at `now` (milliseconds since 1970): 0, or the milliseconds until
 * there is quota again
 */
export function createQuota(perMonth: number): (now: number) => number {
  let monthEnds = 0;
  let used = 0;
  return (now) => {
    if (now >= monthEnds) {
      monthEnds = nextMonth(now);
      used = 0;
    }
    if (used >= perMonth) return monthEnds - now;
    used += 1;
    return 0;
  };
}

/**
 * The limiters that a service of this kind may stand behind, as models: what each admits, and what
 * its headers say. Times are milliseconds on the server's clock.
 */

/** A plan of docs/service.md. */
export interface Plan {
  /** Requests a second. */
  readonly rate: number;
  readonly burst: number;
}

export interface Verdict {
  readonly admitted: boolean;
  /** What the X-RateLimit-Limit header says. */
  readonly limit: number;
  readonly remaining: number;
  /** When the header says that the limit resets. */
  readonly resetAt: number;
  /** How long a queueing limiter holds an admitted request back. */
  readonly delay: number;
}

export interface Limiter {
  arrive(now: number): Verdict;
}

export interface LimiterKind {
  readonly name: string;
  readonly open: (plan: Plan) => Limiter;
  /**
   * When the last of `wallets` can be admitted at best, from the first on, with `share` of the
   * limit for oneself.
   */
  readonly ideal: (wallets: number, plan: Plan, share: number) => number;
}

const WINDOW = 1_000;

interface WindowOptions {
  readonly shown?: number;
  readonly length?: number;
  /** Windows begin with the first request after the last one, not with the server's seconds. */
  readonly fromFirst?: boolean;
}

/** Counts in windows, one after the other. */
function fixedWindow(
  limit: number,
  { shown = limit, length = WINDOW, fromFirst = false }: WindowOptions = {},
): Limiter {
  let from = Number.NEGATIVE_INFINITY;
  let used = 0;
  return {
    arrive(now) {
      if (now >= from + length) {
        from = fromFirst ? now : now - (now % length);
        used = 0;
      }
      const admitted = used < limit;
      if (admitted) used++;
      return { admitted, limit: shown, remaining: limit - used, resetAt: from + length, delay: 0 };
    },
  };
}

/**
 * Counts in windows, and takes what of the last one is less than a second old for evenly spread;
 * refusals count.
 */
function slidingCounter(limit: number): Limiter {
  let window = 0;
  let used = 0;
  let before = 0;
  return {
    arrive(now) {
      const current = Math.floor(now / WINDOW);
      if (current !== window) {
        before = current === window + 1 ? used : 0;
        used = 0;
        window = current;
      }
      used++;
      const estimate = used + before * (1 - (now % WINDOW) / WINDOW);
      const remaining = Math.max(0, Math.floor(limit - estimate));
      return { admitted: estimate <= limit, limit, remaining, resetAt: (current + 1) * WINDOW, delay: 0 };
    },
  };
}

/** Counts in the second before each request; `strict` counts what it refused as well. */
function slidingLog(limit: number, strict = false): Limiter {
  const log: number[] = [];
  return {
    arrive(now) {
      while (log[0] !== undefined && log[0] <= now - WINDOW) log.shift();
      const admitted = log.length < limit;
      if (admitted || strict) log.push(now);
      const remaining = Math.max(0, limit - log.length);
      return { admitted, limit, remaining, resetAt: (log[0] ?? now) + WINDOW, delay: 0 };
    },
  };
}

function tokenBucket({ rate, burst }: Plan): Limiter {
  let tokens = burst;
  let last = 0;
  return {
    arrive(now) {
      tokens = Math.min(burst, tokens + ((now - last) * rate) / 1000);
      last = now;
      const admitted = tokens >= 1;
      if (admitted) tokens--;
      const resetAt = now + ((burst - tokens) / rate) * 1000;
      return { admitted, limit: rate, remaining: Math.floor(tokens), resetAt, delay: 0 };
    },
  };
}

/**
 * The generic cell rate algorithm, as redis-cell and its kin have it; `queues` holds requests back
 * instead.
 */
function gcra({ rate, burst }: Plan, { shown = rate, queues = false } = {}): Limiter {
  const interval = 1000 / rate;
  let theoretical = 0;
  return {
    arrive(now) {
      const next = Math.max(theoretical, now) + interval;
      const admitted = next - burst * interval <= now;
      const delay = queues ? Math.max(0, theoretical - now) : 0;
      if (admitted) theoretical = next;
      const remaining = Math.max(0, Math.floor((now - (Math.max(theoretical, now) - burst * interval)) / interval));
      return { admitted, limit: shown, remaining, resetAt: Math.max(theoretical, now), delay };
    },
  };
}

const perWindow =
  (limit: (plan: Plan) => number): LimiterKind['ideal'] =>
  (wallets, plan, share) =>
    Math.floor((wallets - 1) / (limit(plan) * share)) * WINDOW;
const perLong: LimiterKind['ideal'] = (wallets, plan, share) =>
  Math.floor((wallets - 1) / (10 * plan.rate * share)) * 10 * WINDOW;
const perToken: LimiterKind['ideal'] = (wallets, { rate, burst }, share) =>
  Math.max(0, ((wallets - burst) / (rate * share)) * 1000);
const rate = (plan: Plan) => plan.rate;
const burst = (plan: Plan) => plan.burst;

export const LIMITERS = {
  fixed: { name: 'fixed window', open: (p) => fixedWindow(p.rate), ideal: perWindow(rate) },
  fixedBurst: { name: 'fixed window of burst', open: (p) => fixedWindow(p.burst), ideal: perWindow(burst) },
  fixedUntold: {
    name: 'fixed window of burst, Limit says rate',
    open: (p) => fixedWindow(p.burst, { shown: p.rate }),
    ideal: perWindow(burst),
  },
  fixedFirst: {
    name: 'fixed window from the first request',
    open: (p) => fixedWindow(p.rate, { fromFirst: true }),
    ideal: perWindow(rate),
  },
  fixedLong: {
    name: 'fixed window of 10 s',
    open: (p) => fixedWindow(10 * p.rate, { length: 10 * WINDOW }),
    ideal: perLong,
  },
  fixedLongUntold: {
    name: 'fixed window of 10 s, Limit says rate',
    open: (p) => fixedWindow(10 * p.rate, { shown: p.rate, length: 10 * WINDOW }),
    ideal: perLong,
  },
  counter: { name: 'sliding counter', open: (p) => slidingCounter(p.rate), ideal: perWindow(rate) },
  sliding: { name: 'sliding log', open: (p) => slidingLog(p.rate), ideal: perWindow(rate) },
  bucket: { name: 'token bucket', open: tokenBucket, ideal: perToken },
  gcra: { name: 'GCRA', open: (p) => gcra(p), ideal: perToken },
  gcraBurst: { name: 'GCRA, Limit says burst', open: (p) => gcra(p, { shown: p.burst }), ideal: perToken },
  queue: {
    name: 'leaky queue',
    open: (p) => gcra(p, { queues: true }),
    ideal: (wallets, plan, share) => ((wallets - 1) / (plan.rate * share)) * 1000,
  },
  strict: { name: 'counts refusals', open: (p) => slidingLog(p.rate, true), ideal: perWindow(rate) },
} satisfies Record<string, LimiterKind>;

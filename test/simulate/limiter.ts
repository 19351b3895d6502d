/** Rate limiters of every kind that services have, by world time in milliseconds. The refused do not count but where it says so. */

export type LimiterKind =
  | 'fixed window'
  | 'fixed window of bursts'
  | 'sliding log'
  | 'token bucket'
  | 'gcra'
  | 'leaky queue'
  | 'counts refusals';

export const LIMITERS: readonly LimiterKind[] = [
  'fixed window',
  'fixed window of bursts',
  'sliding log',
  'token bucket',
  'gcra',
  'leaky queue',
  'counts refusals',
];

export interface Limiter {
  /** Whether a request that arrives now may pass. */
  take(at: number): boolean;
  /** Remaining requests of the window, as in the header. */
  remaining(at: number): number;
  /** How long an accepted request is delayed. */
  queueMs(at: number): number;
}

interface Plan {
  readonly rate: number;
  readonly burst: number;
}

export function createLimiter(kind: LimiterKind, { rate, burst }: Plan): Limiter {
  switch (kind) {
    case 'fixed window':
      return fixedWindow(rate);
    case 'fixed window of bursts':
      return fixedWindow(burst);
    case 'sliding log':
      return slidingLog(rate, false);
    case 'counts refusals':
      return slidingLog(rate, true);
    case 'token bucket':
      return bucket(rate, burst);
    case 'gcra':
      return bucket(rate, rate);
    case 'leaky queue':
      return leakyQueue(rate, burst);
  }
}

const noQueue = { queueMs: () => 0 };

function fixedWindow(most: number): Limiter {
  let window = -1;
  let used = 0;
  const enter = (at: number) => {
    const current = Math.floor(at / 1000);
    if (current > window) [window, used] = [current, 0];
  };
  return {
    ...noQueue,
    take(at) {
      enter(at);
      if (used >= most) return false;
      used++;
      return true;
    },
    remaining(at) {
      enter(at);
      return Math.max(0, most - used);
    },
  };
}

function slidingLog(most: number, countsRefusals: boolean): Limiter {
  let log: number[] = [];
  const within = (at: number) => {
    log = log.filter((time) => time > at - 1000);
    return log.length;
  };
  return {
    ...noQueue,
    take(at) {
      const isFree = within(at) < most;
      if (isFree || countsRefusals) log.push(at);
      return isFree;
    },
    remaining: (at) => Math.max(0, most - within(at)),
  };
}

function bucket(rate: number, size: number): Limiter {
  let tokens = size;
  let filledAt = 0;
  const fill = (at: number) => {
    if (at <= filledAt) return;
    tokens = Math.min(size, tokens + ((at - filledAt) / 1000) * rate);
    filledAt = at;
  };
  return {
    ...noQueue,
    take(at) {
      fill(at);
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
    remaining(at) {
      fill(at);
      return Math.floor(tokens);
    },
  };
}

function leakyQueue(rate: number, size: number): Limiter {
  let freeAt = 0;
  const waiting = (at: number) => Math.max(0, ((freeAt - at) / 1000) * rate);
  return {
    take(at) {
      if (waiting(at) >= size) return false;
      freeAt = Math.max(freeAt, at) + 1000 / rate;
      return true;
    },
    remaining: (at) => Math.max(0, Math.floor(size - waiting(at))),
    queueMs: (at) => Math.max(0, freeAt - at),
  };
}

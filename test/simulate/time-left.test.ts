/** The estimate of the time left, beside real pacers on simulated limiters: what it says must come true. */
import { describe, expect, it } from 'vitest';
import { createTimeLeft } from '../../src/batch/time-left.ts';
import { LIMITERS } from '../bench/pacing/limiters.ts';
import { type Scenario, simulate } from '../bench/pacing/simulate.ts';

const DEVELOPER = { rate: 10, burst: 20 };
const STARTUP = { rate: 50, burst: 100 };
const INSTITUTION = { rate: 200, burst: 400 };
/** How often the progress line asks. */
const READ_MS = 100;
/** Which of 1 to 5 s the very last answer takes is chance. */
const CHANCE_MS = 2_000;

interface Estimate {
  readonly leftMs: number;
  readonly trueMs: number;
}

/** What is said of the time left from the time on at which a tenth of the list is answered, and what came true. */
function estimates({ wallets = 0, ...scenario }: Scenario): readonly Estimate[] {
  const timeLeft = createTimeLeft();
  const said: { readonly now: number; readonly leftMs: number }[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const { makespan } = simulate({
    ...scenario,
    wallets,
    observe({ now, answers, state, tookMs }) {
      if (tookMs !== undefined) timeLeft.answered(tookMs, now);
      if (now - readAt < READ_MS) return;
      readAt = now;
      const leftMs = timeLeft.at(now, {
        ...state,
        toAsk: wallets,
        answers,
        maxRate: scenario.rate,
        concurrency: scenario.concurrency,
      });
      if (answers >= wallets / 10 && answers < wallets) said.push({ now, leftMs: leftMs ?? Number.NaN });
    },
  });
  return said.map(({ now, leftMs }) => ({ leftMs, trueMs: makespan - now }));
}

const isWrong = ({ leftMs, trueMs }: Estimate) => !(Math.abs(leftMs - trueMs) <= Math.max(CHANCE_MS, trueMs / 4));

describe('the time left, from a tenth of a list on, within a quarter of the truth', () => {
  it.each<[string, Omit<Scenario, 'seed'>]>([
    ['a token bucket, 10/s', { limiter: LIMITERS.bucket, plan: DEVELOPER, wallets: 400 }],
    ['a token bucket, 50/s', { limiter: LIMITERS.bucket, plan: STARTUP, wallets: 2_000 }],
    ['a token bucket, 200/s', { limiter: LIMITERS.bucket, plan: INSTITUTION, wallets: 2_000 }],
    ['a fixed window, 10/s', { limiter: LIMITERS.fixed, plan: DEVELOPER, wallets: 400 }],
    ['a fixed window, 200/s', { limiter: LIMITERS.fixed, plan: INSTITUTION, wallets: 2_000 }],
    ['a sliding log, with refusals', { limiter: LIMITERS.sliding, plan: DEVELOPER, wallets: 400 }],
    ['a limiter that counts refusals', { limiter: LIMITERS.strict, plan: STARTUP, wallets: 2_000 }],
    ['a leaky queue', { limiter: LIMITERS.queue, plan: STARTUP, wallets: 2_000 }],
    ['a limit that is remembered', { limiter: LIMITERS.bucket, plan: STARTUP, wallets: 400, remembered: 50 }],
    ['another client on the key', { limiter: LIMITERS.fixed, plan: STARTUP, wallets: 1_000, rival: 0.5 }],
    ['--concurrency', { limiter: LIMITERS.bucket, plan: STARTUP, wallets: 400, concurrency: 20 }],
    [
      'answers that come at once, in ten seconds',
      { limiter: LIMITERS.fixed, plan: DEVELOPER, wallets: 100, answerMs: { least: 20, most: 40 } },
    ],
    [
      'answers that take 3 s each, after a burst',
      { limiter: LIMITERS.bucket, plan: STARTUP, wallets: 500, answerMs: { least: 3_000, most: 3_000 } },
    ],
    ['--rate', { limiter: LIMITERS.bucket, plan: STARTUP, wallets: 100, rate: 5 }],
    [
      'answers that take 3 s each',
      { limiter: LIMITERS.bucket, plan: DEVELOPER, wallets: 400, answerMs: { least: 3_000, most: 3_000 } },
    ],
    [
      'answers that come at once',
      { limiter: LIMITERS.fixed, plan: DEVELOPER, wallets: 400, answerMs: { least: 20, most: 40 } },
    ],
  ])('is told with %s', (_, scenario) => {
    for (const seed of [1, 2, 3]) {
      const said = estimates({ ...scenario, seed });
      expect(said.length).toBeGreaterThan(20);
      expect(said.filter(isWrong)).toEqual([]);
    }
  });

  it('cannot be told before an answer has come, and is nothing when all have', () => {
    const timeLeft = createTimeLeft();
    const state = { toAsk: 10, answers: 0, inFlight: 3, rate: 10 };
    expect(timeLeft.at(0, state)).toBeUndefined();
    timeLeft.answered(500, 500);
    expect(timeLeft.at(500, { ...state, answers: 1 })).toBeGreaterThan(0);
    expect(timeLeft.at(900, { ...state, answers: 10, inFlight: 0 })).toBeUndefined();
  });

  it('has the time in it for which every request is held back', () => {
    const timeLeft = createTimeLeft();
    const state = { toAsk: 100, answers: 1, inFlight: 3, rate: 10 };
    timeLeft.answered(500, 500);
    const free = timeLeft.at(500, state) ?? Number.NaN;
    expect(timeLeft.at(500, { ...state, heldMs: 7_000 })).toBe(free + 7_000);
  });
});

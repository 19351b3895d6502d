/**
 * The estimate of the time left, beside real pacers on simulated limiters: what it says must come true, within a quarter. Nobody can
 * tell what a list itself does not show yet, and these are held to being a number only: an outage or a slower service before it has
 * come; the pace of a key that allows more than it says, until a storm of refusals ends it; windows of ten seconds in a list of
 * three of them; a service whose queue grows with each request of a list that is sent within seconds.
 */
import { describe, expect, it } from 'vitest';
import { TimeLeft } from '../../src/batch/time-left.ts';
import { LIMITERS } from '../bench/pacing/limiters.ts';
import { type Scenario, simulate } from '../bench/pacing/simulate.ts';

const DEVELOPER = { rate: 10, burst: 20 };
const STARTUP = { rate: 50, burst: 100 };
const INSTITUTION = { rate: 200, burst: 400 };
/** How often the progress line asks. */
const READ_MS = 100;
/** As slow as answers get, and as even. */
const SLOW = { least: 5_000, most: 20_000 };
const EVEN = { least: 12_000, most: 12_000 };
const USUAL = { least: 1_000, most: 5_000 };
/** A network is not even, and pumps in steps. */
const MIN_CHANCE_MS = 500;

interface Estimate {
  readonly now: number;
  readonly leftMs: number;
  readonly trueMs: number;
}

/** What is said of the time left from the time on at which a tenth of the list is answered, and what came true. */
function estimates({ wallets = 0, ...scenario }: Scenario): readonly Estimate[] {
  const timeLeft = new TimeLeft();
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
  return said.map(({ now, leftMs }) => ({ now, leftMs, trueMs: makespan - now }));
}

/** Off by more than a quarter, and by more than chance: how long the very last answer takes. */
function isWrong({ leftMs, trueMs }: Estimate, { least, most }: NonNullable<Scenario['answerMs']> = USUAL): boolean {
  return !(Math.abs(leftMs - trueMs) <= Math.max(MIN_CHANCE_MS, (most - least) / 2, trueMs / 4));
}

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
    ['5 to 20 s, 10/s', { limiter: LIMITERS.bucket, plan: DEVELOPER, wallets: 400, answerMs: SLOW }],
    ['5 to 20 s, 50/s, a short list', { limiter: LIMITERS.fixed, plan: STARTUP, wallets: 300, answerMs: SLOW }],
    ['5 to 20 s, 200/s', { limiter: LIMITERS.sliding, plan: INSTITUTION, wallets: 2_000, answerMs: SLOW }],
    ['5 to 20 s, refusals that count', { limiter: LIMITERS.strict, plan: STARTUP, wallets: 300, answerMs: SLOW }],
    ['5 to 20 s, a leaky queue', { limiter: LIMITERS.queue, plan: DEVELOPER, wallets: 400, answerMs: SLOW }],
    [
      '5 to 20 s, --concurrency',
      { limiter: LIMITERS.bucket, plan: STARTUP, wallets: 400, answerMs: SLOW, concurrency: 20 },
    ],
    ['12 s each, 10/s', { limiter: LIMITERS.counter, plan: DEVELOPER, wallets: 400, answerMs: EVEN }],
    ['12 s each, 50/s, a short list', { limiter: LIMITERS.fixed, plan: STARTUP, wallets: 300, answerMs: EVEN }],
    ['12 s each, 200/s', { limiter: LIMITERS.bucket, plan: INSTITUTION, wallets: 2_000, answerMs: EVEN }],
    [
      '12 s each, a limit that is remembered',
      { limiter: LIMITERS.bucket, plan: STARTUP, wallets: 400, answerMs: EVEN, remembered: 50 },
    ],
  ])('is told with %s', (_, scenario) => {
    for (const seed of [1, 2, 3]) {
      const said = estimates({ ...scenario, seed });
      expect(said.length).toBeGreaterThan(20);
      expect(said.filter((estimate) => isWrong(estimate, scenario.answerMs))).toEqual([]);
    }
  });

  it('is right again once answers have come that show how slow the service has become', () => {
    const later = { from: 15_000, answerMs: SLOW };
    const said = estimates({ limiter: LIMITERS.fixed, plan: DEVELOPER, wallets: 600, later, seed: 1 });
    const informed = said.filter(({ now }) => now > later.from + SLOW.most);
    expect(informed.length).toBeGreaterThan(200);
    expect(informed.filter((estimate) => isWrong(estimate, SLOW))).toEqual([]);
  });

  it('is right again twenty seconds after an outage of ten', () => {
    const outage = { from: 15_000, ms: 10_000 };
    const said = estimates({ limiter: LIMITERS.fixed, plan: DEVELOPER, wallets: 800, outage, seed: 1 });
    const informed = said.filter(({ now }) => now > outage.from + outage.ms + 20_000);
    expect(informed.length).toBeGreaterThan(200);
    expect(informed.filter((estimate) => isWrong(estimate))).toEqual([]);
  });

  it.each<[string, Omit<Scenario, 'seed'>]>([
    [
      'a key that allows more than it says',
      { limiter: LIMITERS.fixedUntold, plan: DEVELOPER, wallets: 400, answerMs: SLOW },
    ],
    ['windows of ten seconds', { limiter: LIMITERS.fixedLong, plan: DEVELOPER, wallets: 400 }],
    ['a queue that grows', { limiter: LIMITERS.queue, plan: STARTUP, wallets: 300, answerMs: EVEN }],
    [
      'an outage under way',
      { limiter: LIMITERS.bucket, plan: STARTUP, wallets: 2_000, outage: { from: 20_000, ms: 10_000 } },
    ],
  ])('is some number with %s', (_, scenario) => {
    const said = estimates({ ...scenario, seed: 1 });
    expect(said.filter(({ leftMs }) => !(leftMs >= 0 && leftMs < 600_000))).toEqual([]);
  });

  it('cannot be told before an answer has come, and is nothing when all have', () => {
    const timeLeft = new TimeLeft();
    const state = { toAsk: 10, answers: 0, inFlight: 3, rate: 10 };
    expect(timeLeft.at(0, state)).toBeUndefined();
    timeLeft.answered(500, 500);
    expect(timeLeft.at(500, { ...state, answers: 1 })).toBeGreaterThan(0);
    expect(timeLeft.at(900, { ...state, answers: 10, inFlight: 0 })).toBeUndefined();
  });

  it('has the time in it for which every request is held back', () => {
    const timeLeft = new TimeLeft();
    const state = { toAsk: 100, answers: 1, inFlight: 3, rate: 10 };
    timeLeft.answered(500, 500);
    const free = timeLeft.at(500, state) ?? Number.NaN;
    expect(timeLeft.at(500, { ...state, heldMs: 7_000 })).toBe(free + 7_000);
  });
});

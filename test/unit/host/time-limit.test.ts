import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Stop } from '../../../src/batch/stop.ts';
import { createWakeup } from '../../../src/batch/wakeup.ts';
import { LimitError, SignalError } from '../../../src/errors.ts';
import { createHaltMeter } from '../../../src/host/clock.ts';
import { startTimeLimit } from '../../../src/host/time-limit.ts';
import { RetryRules } from '../../../src/service/retry.ts';
import { manualClock, turn } from '../../fixtures/manual-clock.ts';

describe('a limit of time', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function limit(ms: number) {
    const state = { haltedMs: 0, hasExpired: false };
    const expire = () => {
      state.hasExpired = true;
    };
    const callOff = startTimeLimit(ms, expire, { halted: () => state.haltedMs });
    return Object.assign(state, { callOff });
  }

  it('[85] does not expire before arrived data was read', async () => {
    const state = limit(1000);
    await vi.advanceTimersByTimeAsync(999);
    vi.advanceTimersToNextTimer();
    expect(state.hasExpired).toBe(false);
    // setImmediate callbacks run after those of sockets.
    vi.advanceTimersToNextTimer();
    expect(state.hasExpired).toBe(true);
  });

  it.each([
    ['a halt of ten seconds in a limit of thirty', 30_000, 10_000, 10_000],
    ['a halt that is longer than the limit', 30_000, 3_600_000, 30_000],
    ['a halt in a limit of less than a second', 300, 5_000, 1_000],
  ])('[85] has the time again that it lost: %s', async (_, ms, haltedMs, moreMs) => {
    const state = limit(ms);
    state.haltedMs = haltedMs;
    await vi.advanceTimersByTimeAsync(ms + moreMs - 1);
    expect(state.hasExpired).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(state.hasExpired).toBe(true);
  });

  it('can be cancelled until it expires', () => {
    const state = limit(1000);
    vi.advanceTimersToNextTimer();
    state.callOff();
    vi.runAllTimers();
    expect(state.hasExpired).toBe(false);
  });

  it('[85] a halt is a second without a check of the time', () => {
    let now = 0;
    const { halted, watchHalts } = createHaltMeter(() => now);
    watchHalts();
    expect(halted()).toBe(0);
    now += 1_000;
    expect(halted()).toBe(0);
    now += 60_000;
    expect(halted()).toBe(59_500);
    expect(halted()).toBe(59_500);
  });

  it('checks the time at most twice a second, and only while a limit runs', () => {
    let now = 0;
    let looks = 0;
    const meter = createHaltMeter(() => {
      looks += 1;
      return now;
    });
    const callOff = startTimeLimit(30_000, () => {}, meter);
    looks = 0;
    vi.advanceTimersByTime(10_000);
    expect(looks).toBe(20);
    callOff();
    expect(vi.getTimerCount()).toBe(0);
    // Time without a running limit does not count as a halt, although it was not checked.
    now += 60_000;
    expect(meter.halted()).toBe(0);
    startTimeLimit(30_000, () => {}, meter);
    expect(meter.halted()).toBe(0);
  });

  it('does not wake the process for a check while other checks happen', () => {
    let looks = 0;
    const { halted, watchHalts } = createHaltMeter(() => {
      looks += 1;
      return Date.now();
    });
    const unwatch = watchHalts();
    looks = 0;
    for (let asked = 1; asked <= 100; asked++) {
      vi.advanceTimersByTime(100);
      halted();
      expect(looks).toBe(asked);
    }
    vi.advanceTimersByTime(1_000);
    expect(looks).toBe(102);
    unwatch();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('[85] requests under way at a signal keep their time even if the process is halted meanwhile', async () => {
  const clock = manualClock();
  const stop = new Stop({ clock, wakeup: createWakeup(), inFlight: () => 1, onStop: () => {}, onDrain: () => {} });
  stop.request(new SignalError('SIGINT'));
  await turn();
  await clock.pass(1);
  clock.halt(60_000);
  await clock.pass(7_000);
  await turn();
  expect(stop.deadline.aborted).toBe(false);
  await clock.pass(1_000);
  await turn();
  expect(stop.deadline.aborted).toBe(true);
  stop.close();
});

it('[85] --max-wait counts no time in which the process was halted', () => {
  const clock = { ...manualClock(), random: () => 0.5 };
  const rules = new RetryRules({ clock, maxWaitMs: 60_000, list: false });
  const refusal = { status: 429, ms: 1, endedAt: 0, rate: {}, retryAfterMs: 30_000, faults: 0, leftMs: 10_000 };
  const error = new LimitError('429');
  rules.answered(429);
  expect(rules.next({ ...refusal, error })).toBe(30_000);
  clock.halt(600_000);
  rules.answered(429);
  expect(rules.next({ ...refusal, error })).toBe(30_000);
});

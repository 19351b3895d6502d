import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTimeLimit } from '../../../src/host/clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reads arrived data before a time limit expires', async () => {
  const expire = vi.fn();
  startTimeLimit(1000, expire);
  await vi.advanceTimersByTimeAsync(999);
  vi.advanceTimersToNextTimer();
  expect(expire).not.toHaveBeenCalled();
  // setImmediate callbacks run after those of sockets.
  vi.advanceTimersToNextTimer();
  expect(expire).toHaveBeenCalledOnce();
});

it('allows a time limit to be cancelled until it expires', () => {
  const expire = vi.fn();
  const cancel = startTimeLimit(1000, expire);
  vi.advanceTimersToNextTimer();
  cancel();
  vi.runAllTimers();
  expect(expire).not.toHaveBeenCalled();
});

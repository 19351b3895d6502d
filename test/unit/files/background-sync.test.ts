import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BackgroundSync } from '../../../src/files/background-sync.ts';
import { turn } from '../../fixtures/manual-clock.ts';

/** No process has as many files open: a sync of it fails, which shows that there was one. */
const CLOSED = 2 ** 30;
const FAILED = expect.objectContaining({ code: 'EBADF' });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('syncs appended data before it counts as finished, and nothing else', async () => {
  const syncing = new BackgroundSync(CLOSED);
  await syncing.finish();
  expect(syncing.fault).toBeUndefined();
  syncing.changed();
  await syncing.finish();
  expect(syncing.fault).toEqual(FAILED);
  expect(vi.getTimerCount()).toBe(0);
});

it('syncs appended data after a second, even if more is appended', async () => {
  const syncing = new BackgroundSync(CLOSED);
  for (let i = 0; i < 3; i++) syncing.changed();
  vi.advanceTimersByTime(999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  while (!syncing.fault) await turn();
  expect(syncing.fault).toEqual(FAILED);
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['before', (syncing: BackgroundSync) => [syncing.changed(), syncing.close()]],
  ['after', (syncing: BackgroundSync) => [syncing.close(), syncing.changed()]],
])('stops syncing a closed file, though something was appended %s', async (_, closeAndChange) => {
  const syncing = new BackgroundSync(CLOSED);
  closeAndChange(syncing);
  await syncing.finish();
  expect([syncing.fault, vi.getTimerCount()]).toEqual([undefined, 0]);
});

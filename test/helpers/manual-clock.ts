/** A clock on which time passes when told to, for code that sleeps. */

/** A turn of the event loop: when it is over, every promise that could be settled without outside help has been. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export function manualClock(start = 0) {
  const sleepers = new Set<{ readonly due: number; readonly wake: () => void }>();
  let now = start;
  let halted = 0;
  return {
    /** Who sleeps now. */
    sleepers,
    now: () => now,
    monotonic: () => now,
    halted: () => halted,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { due: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    /** Lets `ms` pass as they do while the process is halted: nobody is woken yet. */
    halt(ms: number) {
      now += ms;
      halted += ms;
    },
    /** Lets `ms` pass and wakes the sleepers in order, each with the time to fall asleep again. */
    async pass(ms: number) {
      const end = now + ms;
      for (;;) {
        await turn();
        const [first] = [...sleepers].sort((a, b) => a.due - b.due);
        if (!first || first.due > end) break;
        now = Math.max(now, first.due);
        sleepers.delete(first);
        first.wake();
      }
      now = end;
    },
  };
}

/** Waits for a change of shared state. Unlike a race of promises it leaves no listeners behind. */
export interface Wakeup {
  /** Resolves as soon as `test` holds, which is tried at each `notify`; undefined when it holds now. */
  waitUntil(test: () => boolean): Promise<void> | undefined;
  notify(): void;
}

export function createWakeup(): Wakeup {
  let waiting: readonly { readonly test: () => boolean; readonly wake: () => void }[] = [];
  const hold = (test: () => boolean) => new Promise<void>((wake) => (waiting = [...waiting, { test, wake }]));
  return {
    waitUntil: (test) => (test() ? undefined : hold(test)),
    notify() {
      // Called three times for each row: returns early when no test holds.
      if (!waiting.some(({ test }) => test())) return;
      const awake = waiting.filter(({ test }) => test());
      waiting = waiting.filter((waiter) => !awake.includes(waiter));
      for (const { wake } of awake) wake();
    },
  };
}

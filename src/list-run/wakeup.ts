/** Waits for a change of shared state. Unlike a race of promises it leaves no listeners behind. */
export interface Wakeup {
  /** Resolves as soon as `test` holds, which is tried now and at each `notify`. */
  waitUntil(test: () => boolean): Promise<void>;
  notify(): void;
}

export function createWakeup(): Wakeup {
  let waiting: { readonly test: () => boolean; readonly wake: () => void }[] = [];
  return {
    async waitUntil(test) {
      if (!test()) await new Promise<void>((wake) => void waiting.push({ test, wake }));
    },
    notify() {
      const ready = waiting.filter(({ test }) => test());
      if (ready.length === 0) return;
      waiting = waiting.filter((one) => !ready.includes(one));
      for (const { wake } of ready) wake();
    },
  };
}

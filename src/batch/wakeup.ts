/** Waits for a change of shared state. Unlike a race of promises it leaves nothing behind on the loser. */
export interface Wakeup {
  /** Resolves as soon as `test` holds, which is tried now and after each `notify`. */
  until(test: () => boolean): Promise<void>;
  notify(): void;
}

export function createWakeup(): Wakeup {
  let waiting: (() => void)[] = [];
  return {
    async until(test) {
      while (!test()) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    notify() {
      const woken = waiting;
      if (woken.length === 0) return;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

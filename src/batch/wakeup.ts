/** Waits for a change of shared state. Unlike a race of promises it leaves nothing behind on the loser. */
export interface Wakeup {
  /** Resolves as soon as `test` holds, which is tried after each `notify`; undefined when it holds now. */
  until(test: () => boolean): Promise<void> | undefined;
  notify(): void;
}

export function createWakeup(): Wakeup {
  let waiting: (() => void)[] = [];
  async function wait(test: () => boolean): Promise<void> {
    do await new Promise<void>((resolve) => waiting.push(resolve));
    while (!test());
  }
  return {
    until: (test) => (test() ? undefined : wait(test)),
    notify() {
      const woken = waiting;
      if (woken.length === 0) return;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

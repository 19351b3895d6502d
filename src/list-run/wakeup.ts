/** Waits for a change of shared state. Unlike a race of promises it leaves no listeners behind. */
export interface Wakeup {
  /** Resolves as soon as `test` holds, which is tried at each `notify`; undefined when it holds now. */
  waitUntil(test: () => boolean): Promise<void> | undefined;
  notify(): void;
}

export function createWakeup(): Wakeup {
  const waiting: { readonly test: () => boolean; readonly wake: () => void }[] = [];
  const hold = (test: () => boolean) => new Promise<void>((wake) => void waiting.push({ test, wake }));
  return {
    waitUntil: (test) => (test() ? undefined : hold(test)),
    notify() {
      // Called three times for each row, and few wait: nothing is made for it.
      for (let i = 0; i < waiting.length; ) {
        if (waiting[i]?.test()) waiting.splice(i, 1)[0]?.wake();
        else i += 1;
      }
    },
  };
}

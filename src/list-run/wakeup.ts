/** Waits for a change of shared state. Unlike a race of promises it leaves no listeners behind. */
export class Wakeup {
  private waiting: { readonly test: () => boolean; readonly wake: () => void }[] = [];

  /** Resolves as soon as `test` holds, which is tried now and at each `notify`. */
  async waitUntil(test: () => boolean): Promise<void> {
    if (!test()) await new Promise<void>((wake) => void this.waiting.push({ test, wake }));
  }

  notify(): void {
    const ready = this.waiting.filter(({ test }) => test());
    if (ready.length === 0) return;
    this.waiting = this.waiting.filter((one) => !ready.includes(one));
    for (const { wake } of ready) wake();
  }
}

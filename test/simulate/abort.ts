/**
 * AbortController and AbortSignal of a simulated process. Node's own call their listeners through
 * an event target that puts off what a listener throws, past the end of the process that it
 * belonged to, and hold the signals of `any` weakly, so that what happens would hang on the garbage
 * collector.
 */

type Listener =
  | ((event: { readonly type: string; readonly target: unknown }) => void)
  | { handleEvent(event: unknown): void };

export function createAbort() {
  class AbortSignal {
    aborted = false;
    private given: unknown;
    private source: AbortSignal | undefined;
    onabort: Listener | null = null;
    private listeners = new Map<Listener, boolean>();
    private dependents: AbortSignal[] = [];

    static any(signals: readonly AbortSignal[]): AbortSignal {
      const signal = new AbortSignal();
      for (const source of signals) {
        if (source.aborted) {
          signal.fire(undefined, source);
          return signal;
        }
      }
      for (const source of signals) source.dependents.push(signal);
      return signal;
    }

    static abort(reason?: unknown): AbortSignal {
      const signal = new AbortSignal();
      signal.fire(reason);
      return signal;
    }

    addEventListener(type: string, listener: Listener | null, options?: { once?: boolean } | boolean): void {
      if (type !== 'abort' || !listener || this.listeners.has(listener)) return;
      this.listeners.set(listener, typeof options === 'object' && options?.once === true);
    }

    removeEventListener(_type: string, listener: Listener): void {
      this.listeners.delete(listener);
    }

    throwIfAborted(): void {
      if (this.aborted) throw this.reason;
    }

    /** Computed on first access. */
    get reason(): unknown {
      if (!this.aborted) return undefined;
      this.given ??= this.source?.reason ?? new DOMException('This operation was aborted', 'AbortError');
      return this.given;
    }

    /** Once; sources before those that depend on them, as the DOM standard has it. */
    fire(reason: unknown, source?: AbortSignal): void {
      if (this.aborted) return;
      this.aborted = true;
      this.given = reason;
      this.source = source;
      const event = { type: 'abort', target: this };
      const listeners = [...this.listeners.keys()];
      if (this.onabort) listeners.push(this.onabort);
      for (const listener of listeners) {
        if (this.listeners.get(listener)) this.listeners.delete(listener);
        if (typeof listener === 'function') listener.call(this, event);
        else listener.handleEvent(event);
      }
      for (const dependent of this.dependents) dependent.fire(reason, this);
    }
  }
  class AbortController {
    readonly signal = new AbortSignal();
    abort(reason?: unknown): void {
      this.signal.fire(reason);
    }
  }
  return { AbortController, AbortSignal };
}

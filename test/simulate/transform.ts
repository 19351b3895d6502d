/**
 * As much of node:stream as csv-parse stands on: node's own puts off what it calls back in a queue that all simulated processes
 * would share.
 */

type Done = (error?: Error | null) => void;

export function createTransform(soon: (work: () => void) => void) {
  class Transform {
    readonly listeners = new Map<string, ((...args: unknown[]) => void)[]>();
    destroyed = false;

    on(event: string, listener: (...args: unknown[]) => void): this {
      this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
      return this;
    }

    emit(event: string, ...args: unknown[]): boolean {
      for (const listener of this.listeners.get(event) ?? []) listener(...args);
      return this.listeners.has(event);
    }

    /** Nobody reads on: records are taken where they arise. */
    push(): boolean {
      return true;
    }

    write(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      this._transform(bytes, 'buffer', (error) => this.settle(rest, error));
      return true;
    }

    end(...rest: unknown[]): this {
      this._flush((error) => this.settle(rest, error));
      return this;
    }

    destroy(): this {
      this.destroyed = true;
      return this;
    }

    _transform(_chunk: Uint8Array, _encoding: string, done: Done): void {
      done();
    }

    _flush(done: Done): void {
      done();
    }

    private settle(rest: readonly unknown[], error?: Error | null): void {
      const done = rest.find((one) => typeof one === 'function') as Done | undefined;
      soon(() => {
        if (error) {
          this.destroyed = true;
          done?.(error);
          this.emit('error', error);
        } else done?.();
      });
    }
  }
  const Readable = {
    from() {
      throw new Error('no simulated list is packed');
    },
  };
  return { Transform, Readable, default: Transform };
}

/**
 * As much of node:stream as csv-parse stands on: node's own puts off what it calls back in a queue
 * that all simulated processes would share.
 */
import { gunzipSync } from 'node:zlib';

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

    /** Not read further: records are taken where they arise. */
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
    from(source: AsyncIterable<Uint8Array>) {
      const readable = {
        on: () => readable,
        pipe<T extends { source?: AsyncIterable<Uint8Array> }>(target: T): T {
          target.source = source;
          return target;
        },
        destroy() {},
      };
      return readable;
    },
  };
  return { Transform, Readable, default: Transform };
}

/**
 * Hands on in one piece what `unpack` makes of all pieces of `source`, in the realm that waits for
 * them.
 */
export type Unpacked = (
  source: AsyncIterable<Uint8Array> | undefined,
  unpack: (chunks: readonly Uint8Array[]) => Uint8Array,
) => AsyncIterable<Uint8Array>;

/** node:zlib's, which would unpack in threads of node. */
export function createGunzip(unpacked: Unpacked) {
  return () => {
    const gunzip: { source?: AsyncIterable<Uint8Array>; [key: string | symbol]: unknown } = {
      destroy() {},
      [Symbol.asyncIterator]: () => unpacked(gunzip.source, (chunks) => gunzipSync(Buffer.concat(chunks))),
    };
    return gunzip;
  };
}

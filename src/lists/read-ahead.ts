/** Reads the beginning of a stream, which can then still be read from its beginning. */

interface ReadAhead<T> {
  readonly taken: readonly T[];
  /** The error of the source, if it has failed. */
  readonly failure: { readonly error: unknown } | undefined;
  /** All items, those taken included. Can be read once. */
  readonly all: AsyncIterable<T>;
}

export interface Patience<T> {
  readonly enough: (taken: readonly T[]) => boolean;
  /** For a source that may pause: whether what was taken is sufficient if nothing more comes for a while. */
  readonly suffices?: (taken: readonly T[]) => boolean;
  /** Resolves after that while, or rejects when the signal aborts; without it the source is awaited. */
  readonly pause?: Pause | undefined;
}

export type Pause = (signal: AbortSignal) => Promise<void>;

/**
 * Takes items of `source` until there are enough, it ends, or it pauses and they are sufficient. If the source fails, the reader
 * of `all` gets the error after the items before it.
 */
export async function readAhead<T>(source: AsyncIterable<T>, patience: Patience<T>): Promise<ReadAhead<T>> {
  const iterator = source[Symbol.asyncIterator]();
  const taken: T[] = [];
  let coming: Promise<IteratorResult<T>> | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    while (!patience.enough(taken)) {
      coming = iterator.next();
      if (await isSilent(coming, taken, patience)) break;
      const next = await coming;
      coming = undefined;
      if (next.done) break;
      taken.push(next.value);
    }
  } catch (error) {
    coming = undefined;
    failure = { error };
  }
  // The reader of `all` gets a rejection; without this it would count as unhandled until then.
  coming?.catch(() => {});
  async function* all() {
    try {
      yield* taken;
      if (failure) throw failure.error;
      for (let next = await (coming ?? iterator.next()); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { taken, failure, all: all() };
}

/** Whether the pause is over before `coming` has come, and it is not needed. */
async function isSilent<T>(coming: Promise<unknown>, taken: readonly T[], patience: Patience<T>): Promise<boolean> {
  const { pause, suffices } = patience;
  if (!pause || !suffices?.(taken)) return false;
  const over = new AbortController();
  const silence = pause(over.signal).then(
    () => true,
    () => false,
  );
  const arrival = coming.then(
    () => false,
    () => false,
  );
  return Promise.race([arrival, silence]).finally(() => over.abort());
}

/** A look at the beginning of a stream that is then read from its beginning all the same. */

interface ReadAhead<T> {
  readonly taken: readonly T[];
  /** With what the source failed meanwhile. */
  readonly failure: { readonly error: unknown } | undefined;
  /** Everything, what was taken included. Can be read once. */
  readonly all: AsyncIterable<T>;
}

export interface Patience<T> {
  /** Whether what was taken is all that there is need for. */
  readonly enough: (taken: readonly T[]) => boolean;
  /** For a source that may be silent: whether what was taken will do, if nothing more comes for a while. */
  readonly suffices?: (taken: readonly T[]) => boolean;
  /** Resolves after that while, or rejects when the signal aborts; without it the source is waited for. */
  readonly pause?: Pause | undefined;
}

export type Pause = (signal: AbortSignal) => Promise<void>;

/**
 * Takes items of `source` until there are enough, it ends, or it is silent and what there is will do. A source that fails
 * does so for the reader of `all`, behind what came before.
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
  // Whoever reads on meets its failure; without this it would count as unhandled until then.
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

/** Whether `coming` is not there before the pause is over, and may be done without. */
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

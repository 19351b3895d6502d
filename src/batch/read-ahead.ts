/** A look at the beginning of a stream that is then read from its beginning all the same. */

interface ReadAhead<T> {
  readonly taken: readonly T[];
  /** Everything, what was taken included. Can be read once. */
  readonly all: AsyncIterable<T>;
}

/**
 * Takes items of `source` until `enough` of them are there or it ends. A source that fails does so for the reader
 * of `all`, behind what came before.
 */
export async function readAhead<T>(
  source: AsyncIterable<T>,
  enough: (taken: readonly T[]) => boolean,
): Promise<ReadAhead<T>> {
  const iterator = source[Symbol.asyncIterator]();
  const taken: T[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    while (!enough(taken)) {
      const next = await iterator.next();
      if (next.done) break;
      taken.push(next.value);
    }
  } catch (error) {
    failure = { error };
  }
  async function* all() {
    try {
      yield* taken;
      if (failure) throw failure.error;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { taken, all: all() };
}

/** Reads the beginning of a stream, which can then still be read from its beginning. */

/** Whether the items taken are enough: 'for now' if nothing more comes for a while. */
export type Decision = boolean | 'for now';

/** Resolves after a while, or rejects when the signal aborts. */
export type Pause = (signal: AbortSignal) => Promise<void>;

/**
 * Takes items of `source` until they are enough, or it ends. If the source fails, the reader of
 * `all` gets the error after the items before it.
 * @param pause how long a while is, for a source that may pause; without it the source is awaited
 * @returns the items taken; all items, those included, which can be read once; and the error of the
 * source, if it has failed
 */
export async function readAhead<T>(source: AsyncIterable<T>, decide: (taken: readonly T[]) => Decision, pause?: Pause) {
  const iterator = source[Symbol.asyncIterator]();
  const taken: T[] = [];
  let coming: Promise<IteratorResult<T>> | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    for (let decision = decide(taken); decision !== true; decision = decide(taken)) {
      coming = iterator.next();
      if (decision === 'for now' && pause && (await isSilent(coming, pause))) break;
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
  return { taken: taken as readonly T[], failure, all: all() };
}

/** Whether the pause ends before `coming` settles. */
function isSilent(coming: Promise<unknown>, pause: Pause): Promise<boolean> {
  const over = new AbortController();
  return Promise.race([coming.then(() => false), pause(over.signal).then(() => true)])
    .catch(() => false)
    .finally(() => over.abort());
}

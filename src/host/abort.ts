/**
 * Ending requests early, thousands at once: taking a listener off a signal that thousands listen to takes thousands of
 * steps, and a Set from which as many are taken as are put into it is made anew again and again.
 */

/** In a ring, which begins and ends with the one that belongs to the signal. */
interface Listening {
  listener: (() => void) | undefined;
  before: Listening;
  behind: Listening;
}

const rings = new WeakMap<AbortSignal, Listening>();

/** Calls `listener` when `signal` aborts, now if it has. The result takes it back. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const ring = rings.get(signal) ?? listenTo(signal);
  const own: Listening = { listener, before: ring.before, behind: ring };
  own.before.behind = own;
  ring.before = own;
  return () => leave(own);
}

/** Leaving what was left does nothing. */
function leave(own: Listening): void {
  own.before.behind = own.behind;
  own.behind.before = own.before;
  // What has been a part for long would keep its neighbours in memory.
  own.before = own;
  own.behind = own;
  own.listener = undefined;
}

function listenTo(signal: AbortSignal): Listening {
  const ring = alone();
  rings.set(signal, ring);
  const callAll = () => {
    while (ring.behind !== ring) {
      const { listener } = ring.behind;
      leave(ring.behind);
      listener?.();
    }
  };
  signal.addEventListener('abort', callAll, { once: true });
  return ring;
}

function alone(): Listening {
  const ring = { listener: undefined } as Listening;
  ring.before = ring;
  ring.behind = ring;
  return ring;
}

/**
 * Listeners of an abort signal, for thousands of requests at once: to remove a listener from an AbortSignal takes a step for
 * each listener, and a Set to which as many are added as removed is rebuilt again and again. A linked ring has neither cost.
 */

/** A node of a ring; the signal's own node is its beginning and its end. */
interface Listening {
  listener: (() => void) | undefined;
  before: Listening;
  behind: Listening;
}

const rings = new WeakMap<AbortSignal, Listening>();

/** Calls `listener` when `signal` aborts, or now if it has. The result removes the listener. */
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

/** Removes `own` from its ring; a second call does nothing. */
function leave(own: Listening): void {
  own.before.behind = own.behind;
  own.behind.before = own.before;
  // An old node would keep its former neighbours in memory.
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

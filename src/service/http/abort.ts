/**
 * Ending requests early, thousands at once: taking a listener off a signal that thousands listen to takes thousands of
 * steps.
 */

const listening = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `listener` when `signal` aborts, now if it has. The result takes it back. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  const listeners = listening.get(signal) ?? listenTo(signal);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listening.set(signal, listeners);
  const callAll = () => {
    for (const listener of listeners) listener();
  };
  signal.addEventListener('abort', callAll, { once: true });
  return listeners;
}

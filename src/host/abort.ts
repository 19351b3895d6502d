/**
 * Ending requests early, thousands at once: taking a listener off a signal that thousands listen to takes thousands of
 * steps.
 */

/** Emptied when its listener is taken back: what a Set has held may stay in memory for a while (see RecentAnswers). */
interface Listening {
  listener: (() => void) | undefined;
}

const listening = new WeakMap<AbortSignal, Set<Listening>>();

/** Calls `listener` when `signal` aborts, now if it has. The result takes it back. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  const listeners = listening.get(signal) ?? listenTo(signal);
  const own: Listening = { listener };
  listeners.add(own);
  return () => {
    listeners.delete(own);
    own.listener = undefined;
  };
}

function listenTo(signal: AbortSignal): Set<Listening> {
  const listeners = new Set<Listening>();
  listening.set(signal, listeners);
  const callAll = () => {
    for (const { listener } of listeners) listener?.();
  };
  signal.addEventListener('abort', callAll, { once: true });
  return listeners;
}

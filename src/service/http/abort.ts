/**
 * Ending a request early, for thousands of requests at once. An AbortSignal for each would weigh as much as the request
 * (node makes a hidden class for every one), and taking a listener off a signal that thousands listen to takes thousands
 * of steps.
 */
import { EventEmitter } from 'node:events';

/** Of one request: what undici takes in place of an AbortSignal. */
export class Abort extends EventEmitter {
  aborted = false;
  reason: unknown;

  /** Emits `abort`; only the first reason counts. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.emit('abort');
  }
}

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

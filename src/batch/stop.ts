/**
 * How a list stops: from then on nothing is sent; answers that are in flight, and paid for, may still land for a moment;
 * what is not there then is left.
 */
import type { Clock } from '../context.ts';
import { SignalError } from '../errors.ts';
import type { Wakeup } from './wakeup.ts';

export interface Stop {
  /** Why nothing more is asked; undefined as long as the list goes on. */
  readonly requested: { readonly reason: unknown } | undefined;
  /** Whether an orderly stop has taken so long that whatever is left must be left. */
  readonly isLate: boolean;
  /** Aborts, with the first reason, when nothing more is to be sent. */
  readonly dispatch: AbortSignal;
  /** Aborts when what is in flight has had its time to land. */
  readonly flight: AbortSignal;
  /** Of later reasons only a signal counts. What is in flight may land unless nobody would have it. */
  request(reason: unknown, options?: { readonly lands?: boolean }): void;
  /** Whether `error` came of the stop alone: its wallet has not failed. */
  explains(error: unknown): boolean;
  /** Forgets the timer. */
  close(): void;
}

/**
 * How long answers that are paid for may still arrive after a stop, and how long all of an orderly stop may take, in
 * milliseconds: together less than what context.ts allows for it.
 */
const LANDING_MS = 500;
const LATE_MS = 750;

export interface StopOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly wakeup: Wakeup;
  /** Called once, with the first reason. */
  readonly onStop: (reason: unknown) => void;
}

export function createStop({ clock, wakeup, onStop }: StopOptions): Stop {
  const dispatch = new AbortController();
  const closing = new AbortController();
  const flight = new AbortController();
  let requested: { readonly reason: unknown } | undefined;
  let isLate = false;

  async function land(reason: unknown, landingMs: number): Promise<void> {
    if (landingMs > 0) await clock.sleep(landingMs, closing.signal);
    flight.abort(reason);
    await clock.sleep(LATE_MS - landingMs, closing.signal);
    isLate = true;
    wakeup.notify();
  }

  return {
    get requested() {
      return requested;
    },
    get isLate() {
      return isLate;
    },
    dispatch: dispatch.signal,
    flight: flight.signal,
    request(reason, { lands = true } = {}) {
      if (requested) {
        if (reason instanceof SignalError) requested = { reason };
        return;
      }
      requested = { reason };
      onStop(reason);
      dispatch.abort(reason);
      void land(reason, lands ? LANDING_MS : 0).catch(() => {});
      wakeup.notify();
    },
    explains: (error) => flight.signal.aborted || (requested !== undefined && error === dispatch.signal.reason),
    close: () => closing.abort(),
  };
}

/**
 * How a list stops. This page is the whole protocol.
 *
 * Who stops it: whoever learns that it must not go on calls `request`. asker.ts does for what the service says (a rejected
 * key, a spent quota, 20 wallets in a row that fail alike) and for a budget that is used up; run.ts does for a signal, for
 * a list that cannot be read and for an output that takes no more rows. The first reason is the outcome's; only a signal
 * takes its place.
 *
 * Who closes the budget: `request`, through `onStop`. The client asks the budget before each request, so nothing leaves any
 * more. `dispatch` aborts at the same time, and with it every wait that comes before a request: for the gate, for the next
 * attempt. The wallets that waited are neither answered nor failed; the next run asks for them.
 *
 * What lands: a request that has left is paid for. It goes on up to its own time limit and is kept as ever. After a signal
 * somebody waits for the process to end, so it then has LANDING_MS, which `onLanding` tells the user; with nothing under
 * way the end is immediate. Only when nobody would have the answers (`lands: false`) is nothing waited for. `flight` aborts
 * what has not landed. A second signal ends the process at once: that is context.ts's affair.
 */
import type { Clock } from '../context.ts';
import { SignalError } from '../errors.ts';
import type { Wakeup } from './wakeup.ts';

export interface Stop {
  /** Why nothing more is asked; undefined as long as the list goes on. */
  readonly requested: { readonly reason: unknown } | undefined;
  /** Whether a stop by a signal, its landing done, has taken so long that whatever is left must be left. */
  readonly isLate: boolean;
  /** Aborts, with the first reason, when nothing more is to be sent. */
  readonly dispatch: AbortSignal;
  /** Aborts when what is in flight has had its time to land. */
  readonly flight: AbortSignal;
  /** Of later reasons only a signal counts. What is in flight may land unless nobody would have it. */
  request(reason: unknown, options?: { readonly lands?: boolean }): void;
  /** Whether `error` came of the stop alone: its wallet has not failed. */
  explains(error: unknown): boolean;
  /** Forgets the timers. */
  close(): void;
}

/** What is under way when a signal stops the list. */
export interface Landing {
  readonly requests: number;
  /** How long they are waited for at most, milliseconds. */
  readonly withinMs: number;
}

/** A service that takes 1 to 5 s has answered by then, and `docker stop` waits 10 s before it kills. */
const LANDING_MS = 8_000;
/** What may follow after a signal, in milliseconds: less than the 900 that context.ts allows. */
const LATE_MS = 750;

export interface StopOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly wakeup: Wakeup;
  /** How many wallets are being asked for. */
  readonly inFlight: () => number;
  /** Called once, with the first reason. */
  readonly onStop: (reason: unknown) => void;
  /** Called when a signal came and requests are under way. */
  readonly onLanding?: ((landing: Landing) => void) | undefined;
}

export function createStop({ clock, wakeup, inFlight, onStop, onLanding }: StopOptions): Stop {
  const dispatch = new AbortController();
  const closing = new AbortController();
  const flight = new AbortController();
  let requested: { readonly reason: unknown } | undefined;
  let isLate = false;

  async function landWithin(reason: SignalError): Promise<void> {
    // By then the waits that `dispatch` has ended are gone: whatever is in flight still has been sent.
    await clock.sleep(0, closing.signal);
    const requests = inFlight();
    if (requests > 0) {
      onLanding?.({ requests, withinMs: LANDING_MS });
      clock.sleep(LANDING_MS, closing.signal).then(() => flight.abort(reason), ignore);
    }
    await wakeup.until(() => inFlight() === 0);
    await clock.sleep(LATE_MS, closing.signal);
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
      const isFirst = requested === undefined;
      const isSignal = reason instanceof SignalError && !(requested?.reason instanceof SignalError);
      if (isFirst || isSignal) requested = { reason };
      if (isFirst) {
        onStop(reason);
        dispatch.abort(reason);
      }
      if (!lands) flight.abort(reason);
      if (isSignal) landWithin(reason).catch(ignore);
      wakeup.notify();
    },
    explains: (error) => flight.signal.aborted || (requested !== undefined && error === dispatch.signal.reason),
    close: () => closing.abort(),
  };
}

/** The list was over before the timer. */
function ignore(): void {}

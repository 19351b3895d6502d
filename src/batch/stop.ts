/**
 * How a list stops. This page is the whole protocol.
 *
 * Who stops it: whoever learns that it must not go on calls `request`. scheduler.ts does for what the service says (a rejected
 * key, a spent quota, 20 wallets in a row that fail alike) and for a budget that is used up; run.ts does for a signal, for
 * a list that cannot be read, for an output that takes no more rows and for a journal whose lock is lost. The first reason is the outcome's; only a signal
 * takes its place. What fails on this machine besides, as a file does on a full disk, is
 * in the outcome, too: an answer or a row was lost to it.
 *
 * Who closes the budget: `request`, through `onStop`. The client asks the budget before each request, so nothing leaves any
 * more. `dispatch` aborts at the same time, and with it every wait that comes before a request: for the gate, for the next
 * attempt. The wallets that waited are neither answered nor failed; the next run asks for them.
 *
 * What is drained: a request that has left is paid for. It goes on up to its own time limit, and its answer is kept as
 * ever. After a signal somebody waits for the process to end, so requests then have DRAIN_MS, which `onDrain` tells the
 * user; with none in flight the end is immediate. Only when nobody would have the answers (`drains: false`) is nothing
 * waited for. `deadline` aborts the requests that have not ended by then. A second signal ends the process at once:
 * host/signals.ts sees to that.
 */
import { setMaxListeners } from 'node:events';
import type { Clock } from '../context.ts';
import { IoError, RiskcliError, SignalError } from '../errors.ts';
import { waitForLimit } from '../host/time-limit.ts';
import type { Wakeup } from './wakeup.ts';

/** Why nothing more is asked. */
export interface StopReasons {
  readonly reason: unknown;
  /** What went wrong on this machine besides: an answer or a row was lost to it. */
  readonly also?: unknown;
}

export interface Stop {
  /** Undefined as long as the list goes on. */
  readonly requested: StopReasons | undefined;
  /** Whether a stop by a signal, its requests drained, has taken so long that the rest of the list must be left. */
  readonly isLate: boolean;
  /** Aborts, with the first reason, when nothing more is to be sent. */
  readonly dispatch: AbortSignal;
  /** Aborts when requests in flight have had their time to end. */
  readonly deadline: AbortSignal;
  /** Once the list is stopped, only a signal takes the reason's place; what fails on this machine stands beside it. Requests in flight may end unless `drains` is false. */
  request(reason: unknown, options?: { readonly drains?: boolean }): void;
  /** Whether `error` comes from the stop alone, so that its wallet has not failed. */
  explains(error: unknown): boolean;
  /** Forgets the timers. */
  close(): void;
}

/** The requests in flight when a signal stops the list. */
export interface Drain {
  readonly requests: number;
  /** How long they are waited for at most, in milliseconds. */
  readonly withinMs: number;
}

/** A service that takes 1 to 5 s has answered by then, and `docker stop` waits 10 s before it kills. */
const DRAIN_MS = 8_000;
/** How long the rows and files may take after a signal, in milliseconds: less than the 900 that host/signals.ts allows. */
const LATE_MS = 750;

export interface StopOptions {
  readonly clock: Pick<Clock, 'sleep' | 'halted'>;
  readonly wakeup: Wakeup;
  /** How many wallets have a request in flight. */
  readonly inFlight: () => number;
  /** It is called once, with the first reason. */
  readonly onStop: (reason: unknown) => void;
  /** It is called when a signal comes while requests are in flight. */
  readonly onDrain: (drain: Drain) => void;
}

export function createStop({ clock, wakeup, inFlight, onStop, onDrain }: StopOptions): Stop {
  const dispatch = new AbortController();
  const closing = new AbortController();
  const deadline = new AbortController();
  // Every wallet that waits for its next attempt listens, which node takes for a leak.
  setMaxListeners(0, dispatch.signal, deadline.signal);
  let requested: StopReasons | undefined;
  let isLate = false;

  async function drainThenLeave(reason: SignalError): Promise<void> {
    // After this turn the waits that `dispatch` has ended are gone, so whatever is still in flight has been sent.
    await clock.sleep(0, closing.signal);
    const requests = inFlight();
    if (requests > 0) {
      onDrain({ requests, withinMs: DRAIN_MS });
      waitForLimit(DRAIN_MS, clock, closing.signal).then(() => deadline.abort(reason), ignore);
    }
    await wakeup.waitUntil(() => inFlight() === 0);
    await waitForLimit(LATE_MS, clock, closing.signal);
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
    deadline: deadline.signal,
    request(reason, { drains = true } = {}) {
      const isFirst = requested === undefined;
      const isSignal = reason instanceof SignalError && !(requested?.reason instanceof SignalError);
      requested = addReason(requested, reason);
      if (isFirst) {
        onStop(reason);
        dispatch.abort(reason);
      }
      if (!drains) deadline.abort(reason);
      if (isSignal) drainThenLeave(reason).catch(ignore);
      wakeup.notify();
    },
    explains: (error) => deadline.signal.aborted || error === dispatch.signal.reason,
    close: () => closing.abort(),
  };
}

function addReason(before: StopReasons | undefined, reason: unknown): StopReasons {
  if (!before) return { reason };
  if (reason instanceof SignalError && !(before.reason instanceof SignalError)) {
    return isOwnFault(before.reason) ? { also: before.reason, ...before, reason } : { ...before, reason };
  }
  return isOwnFault(reason) && reason !== before.reason ? { also: reason, ...before } : before;
}

/** Whether something on this machine has failed, be it in riskcli. */
const isOwnFault = (reason: unknown) => reason instanceof IoError || !(reason instanceof RiskcliError);

/** The list was over before the timer. */
function ignore(): void {}

/**
 * How a list stops. This page is the whole protocol.
 *
 * Who stops it: `request` is called by scheduler.ts for what the service says (a rejected key, a
 * spent quota, 20 wallets in a row that fail alike) and for a budget that is used up; by
 * run-rows.ts for a signal, a list that cannot be read, an output that fails and a journal whose
 * lock is lost. The outcome has the first reason, unless a signal follows; it also has what else
 * failed on this machine, such as a full disk, since an answer or a row was lost to it.
 *
 * Who closes the budget: `request`, through `onStop`. The client asks the budget before each
 * request, so none is sent any more. `dispatch` aborts at the same time, and ends every wait before
 * a request: for the gate, for the next attempt. The wallets that waited are neither answered nor
 * failed; the next run asks for them.
 *
 * What is drained: a request that was sent is paid for. It continues up to its own time limit, and
 * its answer is kept. After a signal somebody waits for the process to end, so requests have
 * DRAIN_MS, which `onDrain` reports; with none in flight the end is immediate. Only when the
 * answers could not be kept (`drains: false`) are they not awaited. `deadline` aborts the requests
 * that have not ended by then. A second signal ends the process at once (host/signals.ts).
 */
import { setMaxListeners } from 'node:events';
import type { Clock } from '../context.ts';
import { IoError, RiskcliError, SignalError } from '../errors.ts';
import { yieldToEvents } from '../host/clock.ts';
import type { Wakeup } from './wakeup.ts';

/** Why the list was stopped. */
export interface StopReasons {
  readonly reason: unknown;
  /** Other faults of this machine, by which an answer or a row was lost. */
  readonly also?: unknown;
}

/** The requests in flight when a signal stops the list. */
export interface Drain {
  readonly requests: number;
  /** How long they are awaited at most, in milliseconds. */
  readonly withinMs: number;
}

/** Enough for a service that takes 1 to 5 s, and less than the 10 s of `docker stop`. */
const DRAIN_MS = 8_000;

export interface StopOptions {
  readonly clock: Clock;
  readonly wakeup: Wakeup;
  /** How many wallets have a request in flight. */
  readonly inFlight: () => number;
  /** Called once, with the first reason. */
  readonly onStop: (reason: unknown) => void;
  /** Called when a signal comes while requests are in flight. */
  readonly onDrain: (drain: Drain) => void;
}

export class Stop {
  private readonly dispatching = new AbortController();
  private readonly closing = new AbortController();
  private readonly drained = new AbortController();
  /** Aborts, with the first reason, when nothing more is to be sent. */
  readonly dispatch = this.dispatching.signal;
  /** Aborts when the time of requests in flight is up. */
  readonly deadline = this.drained.signal;
  private reasons: StopReasons | undefined;

  constructor(private readonly options: StopOptions) {
    // Every wallet that waits for its next attempt has a listener; node would warn of a leak.
    setMaxListeners(0, this.dispatch, this.deadline);
  }

  /** Undefined as long as the list runs. */
  get requested(): StopReasons | undefined {
    return this.reasons;
  }

  /**
   * Stops the list. A later reason replaces the first only if it is a signal. Requests in flight
   * may end unless `drains` is false.
   */
  request(reason: unknown, { drains = true }: { readonly drains?: boolean } = {}): void {
    const { reasons } = this;
    this.reasons = addReason(reasons, reason);
    if (!reasons) {
      this.options.onStop(reason);
      this.dispatching.abort(reason);
    }
    if (!drains) this.drained.abort(reason);
    const isSignal = reason instanceof SignalError && !(reasons?.reason instanceof SignalError);
    if (isSignal) this.drain(reason).catch(ignore);
    this.options.wakeup.notify();
  }

  /** Whether `error` is only a consequence of the stop, so that its wallet has not failed. */
  explains(error: unknown): boolean {
    return this.deadline.aborted || error === this.dispatch.reason;
  }

  /** Forgets the timers. */
  close(): void {
    this.closing.abort();
  }

  /** Awaits the requests in flight, for as long as a signal allows. */
  private async drain(reason: SignalError): Promise<void> {
    const { clock, inFlight, onDrain } = this.options;
    const { signal } = this.closing;
    // After this turn the waits that `dispatch` aborts have ended: whatever is still in flight was
    // sent.
    await clock.sleep(0, signal);
    const requests = inFlight();
    if (requests === 0) return;
    onDrain({ requests, withinMs: DRAIN_MS });
    await clock.sleep(DRAIN_MS, signal);
    // Answers that have arrived are read first: the process may have been stopped.
    await yieldToEvents(signal);
    this.drained.abort(reason);
  }
}

function addReason(before: StopReasons | undefined, reason: unknown): StopReasons {
  if (!before) return { reason };
  if (reason instanceof SignalError && !(before.reason instanceof SignalError)) {
    return isOwnFault(before.reason) ? { also: before.reason, ...before, reason } : { ...before, reason };
  }
  return isOwnFault(reason) && reason !== before.reason ? { also: reason, ...before } : before;
}

/** Whether something on this machine has failed, riskcli included. */
const isOwnFault = (reason: unknown) => reason instanceof IoError || !(reason instanceof RiskcliError);

/** The list was over before the timer. */
function ignore(): void {}

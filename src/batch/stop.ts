/**
 * How a list stops. This page is the whole protocol.
 *
 * Who stops it: whoever learns that it must not go on calls `request`. scheduler.ts does for what the service says (a rejected
 * key, a spent quota, 20 wallets in a row that fail alike) and for a budget that is used up; run.ts does for a signal, for
 * a list that cannot be read, for an output that takes no more rows and for a journal whose lock is lost. The first reason is
 * the outcome's; only a signal takes its place. What fails on this machine besides, as a file does on a full disk, is in the
 * outcome, too: an answer or a row was lost to it.
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

export class Stop {
  private readonly dispatching = new AbortController();
  private readonly closing = new AbortController();
  private readonly drained = new AbortController();
  /** Aborts, with the first reason, when nothing more is to be sent. */
  readonly dispatch = this.dispatching.signal;
  /** Aborts when requests in flight have had their time to end. */
  readonly deadline = this.drained.signal;
  private reasons: StopReasons | undefined;
  private isTooLate = false;

  constructor(private readonly options: StopOptions) {
    // Every wallet that waits for its next attempt listens, which node takes for a leak.
    setMaxListeners(0, this.dispatch, this.deadline);
  }

  /** Undefined as long as the list goes on. */
  get requested(): StopReasons | undefined {
    return this.reasons;
  }

  /** Whether a stop by a signal, its requests drained, has taken so long that the rest of the list must be left. */
  get isLate(): boolean {
    return this.isTooLate;
  }

  /** Once the list is stopped, only a signal takes the reason's place; what fails on this machine stands beside it. Requests in flight may end unless `drains` is false. */
  request(reason: unknown, { drains = true }: { readonly drains?: boolean } = {}): void {
    const { reasons } = this;
    this.reasons = addReason(reasons, reason);
    if (!reasons) {
      this.options.onStop(reason);
      this.dispatching.abort(reason);
    }
    if (!drains) this.drained.abort(reason);
    const isSignal = reason instanceof SignalError && !(reasons?.reason instanceof SignalError);
    if (isSignal) this.drainThenLeave(reason).catch(ignore);
    this.options.wakeup.notify();
  }

  /** Whether `error` comes from the stop alone, so that its wallet has not failed. */
  explains(error: unknown): boolean {
    return this.deadline.aborted || error === this.dispatch.reason;
  }

  /** Forgets the timers. */
  close(): void {
    this.closing.abort();
  }

  private async drainThenLeave(reason: SignalError): Promise<void> {
    const { clock, wakeup, inFlight, onDrain } = this.options;
    const { signal } = this.closing;
    // After this turn the waits that `dispatch` has ended are gone, so whatever is still in flight has been sent.
    await clock.sleep(0, signal);
    const requests = inFlight();
    if (requests > 0) {
      onDrain({ requests, withinMs: DRAIN_MS });
      waitForLimit(DRAIN_MS, clock, signal).then(() => this.drained.abort(reason), ignore);
    }
    await wakeup.waitUntil(() => inFlight() === 0);
    await waitForLimit(LATE_MS, clock, signal);
    this.isTooLate = true;
    wakeup.notify();
  }
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

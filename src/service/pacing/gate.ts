/**
 * The one gate that every authenticated request passes. It says when the next one may start and passes on what was learned
 * from the answers. Retries pass before new requests. The pacer decides; this file keeps the queue, the clock and the timer.
 */
import type { Clock } from '../../context.ts';
import { onAbort } from '../http/abort.ts';
import type { Pacer, PacerState } from './pacer.ts';
import type { Observation } from './rate-limit.ts';

/** The right to send one request. Exactly one of `cancel` or `sent` followed by `answered` is called. */
export interface Permit {
  cancel(): void;
  sent(): void;
  answered(observation: Observation): void;
}

export interface Gate {
  /**
   * Resolves when one request may be sent.
   * @throws the signal's reason when aborted first.
   */
  enter(options: { readonly retry?: boolean; readonly signal?: AbortSignal }): Promise<Permit>;
  /** What the gate is doing now, for -v and the progress line. */
  state(): PacerState;
}

interface Waiter {
  readonly admit: (permit: Permit) => void;
  cancelled: boolean;
}

/**
 * Opens a gate. It costs nothing until the first `enter`: no file is read and no timer runs.
 * @param isBusy whether this process is at its limit, so that answers wait for it.
 */
export function openGate({
  clock,
  pacer,
  isBusy,
}: {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly pacer: Pacer;
  readonly isBusy?: () => boolean;
}): Gate {
  const retries = createQueue();
  const fresh = createQueue();
  /** For the first that waits. */
  let timer: { readonly due: number } | undefined;
  /** Ends the sleep of `timer`. It serves all that are slept through: to make one for each would cost as much as a request. */
  let controller = new AbortController();
  /** The latest time that was slept until: a sleep may end a fraction early by the clock, and the gate would spin. */
  let slept = Number.NEGATIVE_INFINITY;
  const now = () => Math.max(clock.monotonic(), slept);

  /** Admits whoever may start now, and sets the timer for the next. */
  function admitAll(): void {
    const time = now();
    let readyAt: number;
    for (;;) {
      const waiter = retries.peek() ?? fresh.peek();
      readyAt = waiter ? pacer.readyAt() : Number.POSITIVE_INFINITY;
      if (!waiter || readyAt > time) break;
      if (!retries.shift(waiter)) fresh.shift(waiter);
      pacer.take(time);
      waiter.admit(createPermit());
    }
    wakeAt(readyAt, time);
  }

  function createPermit(): Permit {
    let sentAt = Number.NEGATIVE_INFINITY;
    return {
      cancel() {
        pacer.release();
        admitAll();
      },
      sent() {
        sentAt = now();
        pacer.sent(sentAt);
      },
      answered(observation) {
        pacer.answered(sentAt, { ...observation, isLate: isBusy?.() }, now());
        admitAll();
      },
    };
  }

  function wakeAt(due: number, time: number): void {
    if (due === timer?.due) return;
    if (timer) {
      controller.abort();
      controller = new AbortController();
    }
    timer = undefined;
    if (due === Number.POSITIVE_INFINITY) return;
    const own = { due };
    timer = own;
    const wake = () => {
      if (timer !== own) return;
      timer = undefined;
      slept = due;
      admitAll();
    };
    // The sleep is rejected when the timer is no longer wanted.
    clock.sleep(due - time, controller.signal).then(wake, () => {});
  }

  return {
    enter({ retry = false, signal }) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = () => {
          waiter.cancelled = true;
          reject(signal?.reason);
          admitAll();
        };
        const stay = signal && onAbort(signal, leave);
        const waiter: Waiter = {
          cancelled: false,
          admit(permit) {
            stay?.();
            resolve(permit);
          },
        };
        (retry ? retries : fresh).push(waiter);
        admitAll();
      });
    },
    state: () => pacer.state(now()),
  };
}

/** Makes a queue, first in, first out, of constant cost: what has passed is dropped in bulk. */
function createQueue() {
  let waiters: Waiter[] = [];
  let head = 0;
  return {
    push(waiter: Waiter): void {
      waiters.push(waiter);
    },
    /** Returns the first that still waits. */
    peek(): Waiter | undefined {
      while (waiters[head]?.cancelled) head++;
      if (head > 1_000 && head * 2 > waiters.length) {
        waiters = waiters.slice(head);
        head = 0;
      }
      return waiters[head];
    },
    /** Takes `waiter` if it is the first. */
    shift(waiter: Waiter): boolean {
      if (waiters[head] !== waiter) return false;
      head++;
      return true;
    },
  };
}

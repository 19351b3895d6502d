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

/** The state of a gate: who waits, and the timer for the first of them. */
interface Waiting {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly pacer: Pacer;
  /** Whether this process is at its limit, so that answers wait for it. */
  readonly isBusy?: (() => boolean) | undefined;
  readonly retries: Queue;
  readonly fresh: Queue;
  timer: { readonly due: number; readonly controller: AbortController } | undefined;
  /** The latest time that was slept until: a sleep may end a fraction early by the clock, and the gate would spin. */
  slept: number;
}

/** Opens a gate. It costs nothing until the first `enter`: no file is read and no timer runs. */
export function openGate({ clock, pacer, isBusy }: Pick<Waiting, 'clock' | 'pacer' | 'isBusy'>): Gate {
  const waiting: Waiting = {
    clock,
    pacer,
    isBusy,
    retries: createQueue(),
    fresh: createQueue(),
    timer: undefined,
    slept: Number.NEGATIVE_INFINITY,
  };
  return {
    enter: (options) => enter(waiting, options),
    state: () => pacer.state(timeOf(waiting)),
  };
}

const timeOf = ({ clock, slept }: Waiting) => Math.max(clock.monotonic(), slept);

function enter(waiting: Waiting, { retry = false, signal }: Parameters<Gate['enter']>[0]): Promise<Permit> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const leave = () => {
      waiter.cancelled = true;
      reject(signal?.reason);
      admitAll(waiting);
    };
    const stay = signal && onAbort(signal, leave);
    const waiter: Waiter = {
      cancelled: false,
      admit(permit) {
        stay?.();
        resolve(permit);
      },
    };
    (retry ? waiting.retries : waiting.fresh).push(waiter);
    admitAll(waiting);
  });
}

/** Admits whoever may start now, and sets the timer for the next. */
function admitAll(waiting: Waiting): void {
  const { retries, fresh, pacer } = waiting;
  const now = timeOf(waiting);
  let readyAt: number;
  for (;;) {
    const waiter = retries.peek() ?? fresh.peek();
    readyAt = waiter ? pacer.readyAt() : Number.POSITIVE_INFINITY;
    if (!waiter || readyAt > now) break;
    if (!retries.shift(waiter)) fresh.shift(waiter);
    pacer.take(now);
    waiter.admit(permit(waiting));
  }
  wakeAt(waiting, readyAt, now);
}

function permit(waiting: Waiting): Permit {
  const { pacer, isBusy } = waiting;
  let sentAt = Number.NEGATIVE_INFINITY;
  return {
    cancel() {
      pacer.release();
      admitAll(waiting);
    },
    sent() {
      sentAt = timeOf(waiting);
      pacer.sent(sentAt);
    },
    answered(observation) {
      pacer.answered(sentAt, { ...observation, isLate: isBusy?.() }, timeOf(waiting));
      admitAll(waiting);
    },
  };
}

function wakeAt(waiting: Waiting, due: number, now: number): void {
  if (due === waiting.timer?.due) return;
  waiting.timer?.controller.abort();
  waiting.timer = undefined;
  if (due === Number.POSITIVE_INFINITY) return;
  const timer = { due, controller: new AbortController() };
  waiting.timer = timer;
  const wake = () => {
    if (waiting.timer !== timer) return;
    waiting.timer = undefined;
    waiting.slept = due;
    admitAll(waiting);
  };
  // The sleep is rejected when the timer is no longer wanted.
  waiting.clock.sleep(due - now, timer.controller.signal).then(wake, () => {});
}

type Queue = ReturnType<typeof createQueue>;

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

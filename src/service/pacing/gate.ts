/**
 * The gate that every request with the key passes. It decides when the next one may start, and reports answers to the pacer.
 * Retries go before new requests. The pacer decides; this file has the queue, the clock and the timer.
 */
import type { Clock } from '../../context.ts';
import type { Pacer, PacerState } from './pacer.ts';
import type { Observation } from './rate-limit.ts';

/** The right to send one request. Exactly one of `cancel` or `sent` followed by `answered` is called. */
export interface Permit {
  cancel(): void;
  sent(): void;
  answered(observation: Observation): void;
}

interface Waiter {
  readonly admit: (permit: Permit) => void;
  cancelled: boolean;
}

/** It costs nothing until the first `enter`: no file is read and no timer runs. */
export class Gate {
  private readonly retries = createQueue();
  private readonly fresh = createQueue();
  /** For the first waiter. */
  private timer: { readonly due: number } | undefined;
  /** Ends the sleep of `timer`. Reused for further sleeps: a new one for each would cost as much as a request. */
  private controller = new AbortController();
  /** The latest time slept until: a sleep may end slightly early by the clock, and the gate would spin. */
  private slept = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: {
      readonly clock: Clock;
      readonly pacer: Pacer;
    },
  ) {}

  /**
   * Resolves when one request may be sent.
   * @throws the signal's reason when aborted first
   */
  enter({ retry = false, signal }: { readonly retry?: boolean; readonly signal?: AbortSignal }): Promise<Permit> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => {
        waiter.cancelled = true;
        reject(signal?.reason);
        this.admitAll();
      };
      const waiter: Waiter = {
        cancelled: false,
        admit(permit) {
          signal?.removeEventListener('abort', leave);
          resolve(permit);
        },
      };
      signal?.addEventListener('abort', leave);
      (retry ? this.retries : this.fresh).push(waiter);
      this.admitAll();
    });
  }

  /** What the gate is doing now, for -v and the progress line. */
  state(): PacerState {
    return this.options.pacer.state(this.now());
  }

  private now(): number {
    return Math.max(this.options.clock.monotonic(), this.slept);
  }

  /** Admits all that may start at `time`, which is now, and sets the timer for the next. */
  private admitAll(time = this.now()): void {
    const { retries, fresh } = this;
    const { pacer } = this.options;
    let readyAt: number;
    for (;;) {
      const waiter = retries.peek() ?? fresh.peek();
      readyAt = waiter ? pacer.readyAt() : Number.POSITIVE_INFINITY;
      if (!waiter || readyAt > time) break;
      if (!retries.shift(waiter)) fresh.shift(waiter);
      pacer.take(time);
      waiter.admit(this.createPermit());
    }
    this.wakeAt(readyAt, time);
  }

  private createPermit(): Permit {
    const { pacer } = this.options;
    let sentAt = Number.NEGATIVE_INFINITY;
    return {
      cancel: () => {
        pacer.release();
        this.admitAll();
      },
      sent: () => {
        sentAt = this.now();
        pacer.sent(sentAt);
      },
      answered: (observation) => {
        const now = this.now();
        pacer.answered(sentAt, observation, now);
        this.admitAll(now);
      },
    };
  }

  private wakeAt(due: number, time: number): void {
    // An early timer sets the next one, and an expired one does no harm: to cancel either would take as long as a request.
    const needed = due === Number.POSITIVE_INFINITY ? time : due;
    if (this.timer && this.timer.due <= needed) return;
    if (this.timer) {
      this.controller.abort();
      this.controller = new AbortController();
    }
    this.timer = undefined;
    if (due === Number.POSITIVE_INFINITY) return;
    const own = { due };
    this.timer = own;
    const wake = () => {
      if (this.timer !== own) return;
      this.timer = undefined;
      this.slept = due;
      this.admitAll();
    };
    // The sleep is rejected when the timer is no longer wanted.
    this.options.clock.sleep(due - time, this.controller.signal).then(wake, () => {});
  }
}

/** Makes a FIFO queue of constant cost: entries that were taken are dropped in bulk. */
function createQueue() {
  let waiters: Waiter[] = [];
  let head = 0;
  return {
    push(waiter: Waiter): void {
      waiters.push(waiter);
    },
    /** The first that is still waiting. */
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

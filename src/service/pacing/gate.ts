/**
 * The gate that every request with the key passes. It decides when the next one may start, and
 * reports answers to the pacer. Retries go before new requests. The pacer decides; this file has
 * the queue, the clock and the timer.
 */
import type { Clock } from '../../context.ts';
import type { Pacer } from './pacer.ts';
import type { Observation } from './rate-limit.ts';

/**
 * The right to send one request. Exactly one of `cancel` or `sent` followed by `answered` is
 * called.
 */
export interface Permit {
  cancel(): void;
  sent(): void;
  answered(observation: Observation): void;
}

/** Called to admit one waiting request. */
type Admit = (permit: Permit) => void;

/** It costs nothing until the first `enter`: no timer runs before. */
export class Gate {
  private readonly retries: Admit[] = [];
  private readonly fresh: Admit[] = [];
  /** When the gate wakes; Infinity when it does not sleep. */
  private wakesAt = Number.POSITIVE_INFINITY;
  private sleepAbort = new AbortController();
  /**
   * The time until which the gate last slept; `now` is never before it. By the clock a sleep may
   * end slightly early, and the gate would spin.
   */
  private slept = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly pacer: Pacer,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when one request may be sent.
   * @throws the signal's reason when aborted first
   */
  enter({ retry = false, signal }: { readonly retry?: boolean; readonly signal?: AbortSignal }): Promise<Permit> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const queue = retry ? this.retries : this.fresh;
      const leave = () => {
        queue.splice(queue.indexOf(waiter), 1);
        reject(signal?.reason);
        this.admitAll();
      };
      const waiter = (permit: Permit) => {
        signal?.removeEventListener('abort', leave);
        resolve(permit);
      };
      signal?.addEventListener('abort', leave);
      queue.push(waiter);
      this.admitAll();
    });
  }

  /** The present state of the gate, for -v and the progress line. */
  state() {
    return this.pacer.state(this.now());
  }

  private now(): number {
    return Math.max(this.clock.monotonic(), this.slept);
  }

  /** Admits all that may start now, and sleeps until the next may. */
  private admitAll(): void {
    const { retries, fresh, pacer } = this;
    const time = this.now();
    while (retries.length + fresh.length > 0 && pacer.readyAt() <= time) {
      const waiter = retries.shift() ?? fresh.shift();
      pacer.take(time);
      waiter?.(this.createPermit());
    }
    this.sleepUntil(retries.length + fresh.length > 0 ? pacer.readyAt() : Number.POSITIVE_INFINITY);
  }

  private createPermit(): Permit {
    const { pacer } = this;
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
        pacer.answered(sentAt, observation, this.now());
        this.admitAll();
      },
    };
  }

  private sleepUntil(due: number): void {
    if (due === this.wakesAt) return;
    this.sleepAbort.abort();
    this.wakesAt = due;
    if (due === Number.POSITIVE_INFINITY) return;
    this.sleepAbort = new AbortController();
    const wake = () => {
      this.wakesAt = Number.POSITIVE_INFINITY;
      this.slept = due;
      this.admitAll();
    };
    // Rejected when another sleep takes its place.
    this.clock.sleep(due - this.now(), this.sleepAbort.signal).then(wake, () => {});
  }
}

/**
 * The one gate that every authenticated request passes: when the next one may start, and what was learned from the
 * answers. Retries pass before new requests. The pacer decides; this file keeps the queue, the clock and the timer.
 */
import type { Clock } from '../context.ts';
import type { Pacer, PacerState } from './pacer.ts';
import type { RateLimit } from './rate-limit.ts';

/** What one answer (or its absence) teaches about the limiter. */
export interface Observation {
  /** HTTP status; undefined when no answer came. */
  readonly status?: number;
  readonly rate: RateLimit;
  /** For a 429: the wait in milliseconds that the server named, undefined when it named none. */
  readonly retryAfterMs?: number;
}

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
  /** What the gate is doing now, for -v, the progress line and `riskcli limits`. */
  state(): PacerState;
}

export interface GateOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly pacer: Pacer;
}

interface Waiter {
  readonly admit: (permit: Permit) => void;
  gone: boolean;
}

/** Opens a gate. It costs nothing until the first `enter`: no file is read and no timer runs. */
export function openGate({ clock, pacer }: GateOptions): Gate {
  const retries = createQueue();
  const fresh = createQueue();
  let timer: AbortController | undefined;
  let timerDue = Number.POSITIVE_INFINITY;
  // A sleep may end a fraction early by the monotonic clock; what was slept counts as passed, or the gate would spin.
  let slept = Number.NEGATIVE_INFINITY;
  const time = () => Math.max(clock.monotonic(), slept);

  const first = () => retries.peek() ?? fresh.peek();

  function admitAll(): void {
    const now = time();
    let readyAt = Number.POSITIVE_INFINITY;
    for (let waiter = first(); waiter; waiter = first()) {
      readyAt = pacer.readyAt();
      if (readyAt > now) break;
      readyAt = Number.POSITIVE_INFINITY;
      if (!retries.shift(waiter)) fresh.shift(waiter);
      pacer.take(now);
      waiter.admit(permit());
    }
    wakeAt(readyAt, now);
  }

  function permit(): Permit {
    let sentAt = Number.NEGATIVE_INFINITY;
    return {
      cancel() {
        pacer.release();
        admitAll();
      },
      sent() {
        sentAt = time();
        pacer.sent(sentAt);
      },
      answered(observation) {
        pacer.answered(sentAt, observation, time());
        admitAll();
      },
    };
  }

  function stopTimer(): void {
    timer?.abort();
    timer = undefined;
    timerDue = Number.POSITIVE_INFINITY;
  }

  function wakeAt(due: number, now: number): void {
    if (due === timerDue) return;
    stopTimer();
    if (due === Number.POSITIVE_INFINITY) return;
    const controller = new AbortController();
    timer = controller;
    timerDue = due;
    clock.sleep(due - now, controller.signal).then(
      () => {
        if (timer !== controller) return;
        slept = due;
        timer = undefined;
        timerDue = Number.POSITIVE_INFINITY;
        admitAll();
      },
      () => {},
    );
  }

  return {
    enter({ retry = false, signal }) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = () => {
          waiter.gone = true;
          reject(signal?.reason);
          admitAll();
        };
        const waiter: Waiter = {
          gone: false,
          admit: (granted) => {
            signal?.removeEventListener('abort', leave);
            resolve(granted);
          },
        };
        signal?.addEventListener('abort', leave, { once: true });
        (retry ? retries : fresh).push(waiter);
        admitAll();
      });
    },
    state: () => pacer.state(time()),
  };
}

interface Queue {
  push(waiter: Waiter): void;
  /** The first that still waits. */
  peek(): Waiter | undefined;
  /** Takes `waiter` if it is the first. */
  shift(waiter: Waiter): boolean;
}

/** First in, first out, with constant cost: what has passed is dropped in bulk. */
function createQueue(): Queue {
  let waiters: Waiter[] = [];
  let head = 0;
  return {
    push: (waiter) => {
      waiters.push(waiter);
    },
    peek() {
      while (waiters[head]?.gone) head++;
      if (head > 1_000 && head * 2 > waiters.length) {
        waiters = waiters.slice(head);
        head = 0;
      }
      return waiters[head];
    },
    shift(waiter) {
      if (waiters[head] !== waiter) return false;
      head++;
      return true;
    },
  };
}

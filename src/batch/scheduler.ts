/**
 * Schedules the requests of a list: many are in flight at a time, and each answer is settled in the store as it arrives.
 * What one failure means for the list, a row or the end, is decided here.
 */

import type { Clock } from '../context.ts';
import { RefusedError, TemporaryError, UntrustedError } from '../errors.ts';
import type { AnswerStore } from '../journal/answer-store.ts';
import type { FirstLook } from '../row/paths/first-look.ts';
import type { RowError } from '../row/row.ts';
import type { Client } from '../service/client.ts';
import type { Gate, Permit } from '../service/pacing/gate.ts';
import type { Wallet } from '../wallet/address.ts';
import { createOutageDetector, outageError, type WalletError } from './outage.ts';
import type { Failure } from './outcome.ts';
import type { RecentAnswers } from './recent-answers.ts';
import type { Stop } from './stop.ts';
import type { Wakeup } from './wakeup.ts';

export interface SchedulerOptions {
  readonly store: AnswerStore;
  readonly client: Pick<Client, 'profile'>;
  readonly gate: Pick<Gate, 'enter'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How many wallets may be in flight at once, those that wait for their next attempt included. */
  readonly maxInFlight: number;
  readonly wakeup: Wakeup;
  readonly stop: Stop;
  readonly recent: Pick<RecentAnswers, 'keep'>;
  /** Until it is over only so many answers are paid for as it takes. */
  readonly firstLook?: FirstLook | undefined;
}

/** Answers that are paid for, or on their way, while nobody knows whether a path of the command line is mistyped. */
const MAX_UNPROVED = 40;

export interface WalletFailure {
  readonly failure: Failure;
  readonly error: RowError;
}

export interface Scheduler {
  /** How many wallets failed and will be requested again by the next run. */
  readonly failed: number;
  /** How many wallets have a request in flight. */
  readonly inFlight: number;
  isInFlight(id: string): boolean;
  failureOf(id: string): WalletFailure | undefined;
  /** Resolves when the request is on its way, or when a stop keeps it from being sent. */
  request(wallet: Wallet): Promise<void>;
  /** Call it when the list is through and nothing is in flight. */
  end(): void;
}

/** A wallet whose request is in flight. */
interface InFlight {
  readonly wallet: Wallet;
  /** Its number in the order of requests. */
  readonly nth: number;
}

export function createScheduler({
  store,
  client,
  gate,
  clock,
  maxInFlight,
  wakeup,
  stop,
  recent,
  firstLook,
}: SchedulerOptions): Scheduler {
  const inFlight = new Set<string>();
  const failures = new Map<string, WalletFailure>();
  const outage = createOutageDetector({ isKnown: store.known > 0 });
  let answered = 0;
  const hasRoom = () =>
    inFlight.size < maxInFlight && (!firstLook || firstLook.isOver || inFlight.size + answered < MAX_UNPROVED);

  function fail({ wallet: { id }, nth }: InFlight, error: unknown): void {
    if (stop.explains(error)) return;
    if (!isWalletError(error)) {
      stop.request(error);
      return;
    }
    failures.set(id, { failure: error.kind, error: rowError(error) });
    const answeredAt = clock.now();
    const settle = () => {
      store.append(id, { answeredAt, refusal: rowError(error) });
      failures.delete(id);
    };
    const refusal = error.kind === 'refused' ? { status: error.httpStatus, settle } : undefined;
    outage.failed(nth, { error, refusal });
    if (outage.isOutage) stop.request(outageError(error));
  }

  async function send(request: InFlight, permit: Permit): Promise<void> {
    const { address, id } = request.wallet;
    try {
      const call = { permit, signal: stop.deadline, dispatch: stop.dispatch };
      const { document, answeredAt, text } = await client.profile(address, call);
      store.append(id, { answeredAt, text });
      recent.keep(id, { document, answeredAt, text });
      outage.answered(request.nth);
      answered += 1;
      firstLook?.sawAnswer(id, document);
    } catch (error) {
      failSafely(request, error);
    } finally {
      inFlight.delete(id);
      wakeup.notify();
    }
  }

  /** A failure that cannot be settled stops the list, too. */
  function failSafely(request: InFlight, error: unknown): void {
    try {
      fail(request, error);
    } catch (unsettled) {
      stop.request(unsettled);
    }
  }

  /** Resolves to undefined when a stop comes first. */
  async function permitted(): Promise<Permit | undefined> {
    try {
      return await gate.enter({ signal: stop.dispatch });
    } catch (error) {
      stop.request(error);
      return undefined;
    }
  }

  return {
    get failed() {
      return failures.size;
    },
    get inFlight() {
      return inFlight.size;
    },
    isInFlight: (id) => inFlight.has(id),
    failureOf: (id) => failures.get(id),
    async request(wallet) {
      // Nothing is paid for that could not be kept: as long as answers are under way, one more may fit once they are there.
      const fits = () => inFlight.size === 0 || store.refusal(inFlight.size + 1) === undefined;
      const room = wakeup.waitUntil(() => stop.requested !== undefined || (hasRoom() && fits()));
      if (room) await room;
      if (stop.requested) return;
      const refusal = inFlight.size === 0 ? store.refusal(1) : undefined;
      if (refusal) return stop.request(refusal);
      const permit = await permitted();
      if (!permit) return;
      if (stop.requested) return permit.cancel();
      inFlight.add(wallet.id);
      void send({ wallet, nth: outage.sent() }, permit);
    },
    end() {
      try {
        if (!stop.requested) outage.end();
      } catch (error) {
        stop.request(error);
      }
    },
  };
}

function isWalletError(error: unknown): error is WalletError {
  return error instanceof RefusedError || error instanceof TemporaryError || error instanceof UntrustedError;
}

function rowError(error: WalletError): RowError {
  const { code, message, httpStatus } = error;
  return httpStatus === undefined ? { code, message } : { code, message, httpStatus };
}

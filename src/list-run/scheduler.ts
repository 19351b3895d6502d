/**
 * Schedules the requests of a list: many are in flight at a time, and each answer is stored as it arrives. Here it is decided
 * whether a failure is a row or the end of the list.
 */

import type { Clock } from '../context.ts';
import { LockedError, RefusedError, TemporaryError, UntrustedError } from '../errors.ts';
import type { AnswerStore } from '../journal/store.ts';
import type { FirstLook } from '../row/paths/first-look.ts';
import type { RowError } from '../row/row.ts';
import type { Client } from '../service/client.ts';
import type { Gate, Permit } from '../service/pacing/gate.ts';
import type { Wallet } from '../wallet/address.ts';
import { OutageDetector, outageError, type WalletError } from './outage.ts';
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
  /** Until it is over, at most MAX_UNPROVED answers are requested. */
  readonly firstLook?: FirstLook | undefined;
}

/** Answers requested before it is known whether a path of the command line is mistyped. */
const MAX_UNPROVED = 40;

export interface WalletFailure {
  readonly failure: Failure;
  readonly error: RowError;
}

interface InFlight {
  readonly wallet: Wallet;
  /** Its number in the order of requests. */
  readonly nth: number;
}

export class Scheduler {
  /** The ids of wallets whose requests are in flight. */
  private readonly wallets = new Set<string>();
  private readonly failures = new Map<string, WalletFailure>();
  private readonly outage: OutageDetector;
  private answered = 0;

  constructor(private readonly options: SchedulerOptions) {
    this.outage = new OutageDetector(options.store.size > 0);
  }

  /** How many wallets failed and will be requested again by the next run. */
  get failed(): number {
    return this.failures.size;
  }

  /** How many wallets have a request in flight. */
  get inFlight(): number {
    return this.wallets.size;
  }

  isInFlight(id: string): boolean {
    return this.wallets.has(id);
  }

  failureOf(id: string): WalletFailure | undefined {
    return this.failures.get(id);
  }

  /** Resolves when the request is sent, or when a stop prevents it. */
  async request(wallet: Wallet): Promise<void> {
    const { stop, wakeup, gate } = this.options;
    const room = wakeup.waitUntil(() => stop.requested !== undefined || this.hasRoom());
    if (room) await room;
    if (stop.requested) return;
    try {
      const permit = await gate.enter({ signal: stop.dispatch });
      if (stop.requested) return permit.cancel();
      this.wallets.add(wallet.id);
      void this.send({ wallet, nth: this.outage.sent() }, permit);
    } catch (error) {
      stop.request(error);
    }
  }

  /** To be called at the end of the list, when nothing is in flight. */
  end(): void {
    const { stop, store } = this.options;
    try {
      if (stop.requested) return;
      this.outage.end();
      store.checkLock();
    } catch (error) {
      stop.request(error);
    }
  }

  private hasRoom(): boolean {
    const { maxInFlight, firstLook } = this.options;
    if (this.inFlight >= maxInFlight) return false;
    return !firstLook || firstLook.isOver || this.inFlight + this.answered < MAX_UNPROVED;
  }

  private async send(request: InFlight, permit: Permit): Promise<void> {
    const { client, store, recent, firstLook, stop, wakeup } = this.options;
    const { address, id } = request.wallet;
    try {
      const call = { permit, signal: stop.deadline, dispatch: stop.dispatch };
      const { document, answeredAt, text } = await client.profile(address, call);
      store.append(id, { answeredAt, text });
      recent.keep(id, { document, answeredAt, text });
      this.outage.answered(request.nth);
      this.answered += 1;
      firstLook?.observeAnswer(id, document);
    } catch (error) {
      this.failSafely(request, error);
    } finally {
      this.wallets.delete(id);
      wakeup.notify();
    }
  }

  /** Handles a failure; if that fails too, the list stops. */
  private failSafely(request: InFlight, error: unknown): void {
    try {
      this.fail(request, error);
    } catch (unsettled) {
      this.options.stop.request(unsettled);
    }
  }

  private fail({ wallet: { id }, nth }: InFlight, error: unknown): void {
    const { stop, clock, store } = this.options;
    if (stop.explains(error)) return;
    if (!isWalletError(error)) {
      // Without the lock no answer can be kept, so none is awaited.
      stop.request(error, { drains: !(error instanceof LockedError) });
      return;
    }
    this.failures.set(id, { failure: error.kind, error: rowError(error) });
    const answeredAt = clock.now();
    const settle = () => {
      store.append(id, { answeredAt, refusal: rowError(error) });
      this.failures.delete(id);
    };
    if (this.outage.failed(nth, error, settle)) stop.request(outageError(error));
  }
}

function isWalletError(error: unknown): error is WalletError {
  return error instanceof RefusedError || error instanceof TemporaryError || error instanceof UntrustedError;
}

function rowError(error: WalletError): RowError {
  const { code, message, httpStatus } = error;
  return httpStatus === undefined ? { code, message } : { code, message, httpStatus };
}

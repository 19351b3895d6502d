/**
 * Asks the service for wallets, many at a time, and settles each answer in the store as it arrives. Decides what one
 * failure means for the list: a row, or the end.
 */

import type { AnswerStore } from '../answers/store.ts';
import type { Clock } from '../context.ts';
import { RefusedError, TemporaryError, UntrustedError } from '../errors.ts';
import type { RowError } from '../row/row.ts';
import type { Client } from '../service/client.ts';
import type { Gate, Permit } from '../service/pacing/gate.ts';
import type { Wallet } from '../wallet/reading.ts';
import { createOutageWatch, outageError, type WalletError } from './outage.ts';
import type { Failure } from './outcome.ts';
import type { RecentAnswers } from './recent-answers.ts';
import type { Stop } from './stop.ts';
import type { Wakeup } from './wakeup.ts';

export interface AskerOptions {
  readonly store: AnswerStore;
  readonly client: Pick<Client, 'profile'>;
  readonly gate: Pick<Gate, 'enter'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How many wallets may be asked for at once, those that wait for their next attempt included. */
  readonly maxInFlight: number;
  readonly wakeup: Wakeup;
  readonly stop: Stop;
  readonly recent: Pick<RecentAnswers, 'keep'>;
}

export interface WalletFailure {
  readonly failure: Failure;
  readonly error: RowError;
}

export interface Asker {
  /** Wallets that failed and are to be asked again by the next run. */
  readonly failed: number;
  /** Wallets that are being asked for. */
  readonly inFlight: number;
  isAsking(id: string): boolean;
  failureOf(id: string): WalletFailure | undefined;
  /** Resolves when the request is on its way, or will not be sent because of a stop. */
  ask(wallet: Wallet): Promise<void>;
  /** The list is through, and nothing is in flight. */
  end(): void;
}

/** A wallet that is being asked for. */
interface Flight {
  readonly wallet: Wallet;
  /** Its place in the order of asking. */
  readonly nth: number;
}

export function createAsker({ store, client, gate, clock, maxInFlight, wakeup, stop, recent }: AskerOptions): Asker {
  const inFlight = new Set<string>();
  const failures = new Map<string, WalletFailure>();
  const outage = createOutageWatch({ isKnown: store.known > 0 });

  function fail({ wallet: { id }, nth }: Flight, error: unknown): void {
    if (stop.explains(error)) return;
    if (!isWalletError(error)) {
      stop.request(error);
      return;
    }
    failures.set(id, { failure: failureOf(error), error: rowError(error) });
    const answeredAt = clock.now();
    const settle = () => {
      store.append(id, { answeredAt, refusal: rowError(error) });
      failures.delete(id);
    };
    const refusal = error instanceof RefusedError ? { status: error.httpStatus, settle } : undefined;
    outage.failed(nth, { error, refusal });
    if (outage.isOutage) stop.request(outageError(error));
  }

  async function fly(flight: Flight, permit: Permit): Promise<void> {
    const { address, id } = flight.wallet;
    try {
      const sent = { permit, signal: stop.flight, dispatch: stop.dispatch };
      const { document, answeredAt, text } = await client.profile(address, sent);
      store.append(id, { answeredAt, text });
      recent.keep(id, { document, answeredAt, text });
      outage.answered(flight.nth);
    } catch (error) {
      fail(flight, error);
    }
  }

  return {
    get failed() {
      return failures.size;
    },
    get inFlight() {
      return inFlight.size;
    },
    isAsking: (id) => inFlight.has(id),
    failureOf: (id) => failures.get(id),
    async ask(wallet) {
      await wakeup.until(() => stop.requested !== undefined || inFlight.size < maxInFlight);
      if (stop.requested) return;
      const permit = await gate.enter({ signal: stop.dispatch }).catch((error: unknown) => stop.request(error));
      if (!permit) return;
      if (stop.requested) return permit.cancel();
      inFlight.add(wallet.id);
      void fly({ wallet, nth: outage.asked() }, permit)
        .catch((error: unknown) => stop.request(error))
        .finally(() => {
          inFlight.delete(wallet.id);
          wakeup.notify();
        });
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

function failureOf(error: WalletError): Failure {
  if (error instanceof RefusedError) return 'refused';
  return error instanceof TemporaryError ? 'temporary' : 'untrusted';
}

function rowError(error: WalletError): RowError {
  const { code, message, httpStatus } = error;
  return httpStatus === undefined ? { code, message } : { code, message, httpStatus };
}

/**
 * Asks the service for wallets, many at a time, and settles each answer in the store as it arrives. Decides what one
 * failure means for the list: a row, or the end.
 */
import type { Clock } from '../context.ts';
import type { RowError } from '../document/row.ts';
import { RefusedError, type RiskcliError, TemporaryError, UntrustedError } from '../errors.ts';
import type { Client } from '../service/client.ts';
import type { Gate, Permit } from '../service/gate.ts';
import type { Wallet } from '../wallet/reading.ts';
import type { Failure } from './outcome.ts';
import type { Settled } from './record.ts';
import type { Stop } from './stop.ts';
import type { AnswerStore } from './store.ts';
import type { Wakeup } from './wakeup.ts';

export interface AskerOptions {
  readonly store: AnswerStore;
  readonly client: Pick<Client, 'profile'>;
  readonly gate: Pick<Gate, 'enter'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How many wallets may be asked for at once, now. */
  readonly maxInFlight: () => number;
  readonly wakeup: Wakeup;
  readonly stop: Stop;
}

export interface WalletFailure {
  readonly failure: Failure;
  readonly error: RowError;
}

export interface Asker {
  /** Wallets that failed and are to be asked again by the next run. */
  readonly failed: number;
  isAsking(id: string): boolean;
  failureOf(id: string): WalletFailure | undefined;
  /** Resolves when the request is on its way, or will not be sent because of a stop. */
  ask(wallet: Wallet): Promise<void>;
}

/** An outage must not turn a list into failures: as many wallets in a row are taken for one. */
const OUTAGE = 20;

export function createAsker({ store, client, gate, clock, maxInFlight, wakeup, stop }: AskerOptions): Asker {
  const inFlight = new Set<string>();
  const failures = new Map<string, WalletFailure>();
  const outage = createOutageWatch();

  function settle(id: string, answer: Settled): void {
    store.append(id, answer);
    outage.over();
  }

  function fail(id: string, error: unknown): void {
    if (stop.explains(error)) return;
    if (error instanceof RefusedError) {
      settle(id, { answeredAt: clock.now(), refusal: rowError(error) });
    } else if (error instanceof TemporaryError || error instanceof UntrustedError) {
      failures.set(id, {
        failure: error instanceof TemporaryError ? 'temporary' : 'untrusted',
        error: rowError(error),
      });
      if (outage.isOn(error)) stop.request(outageError(error));
    } else {
      stop.request(error);
    }
  }

  async function fly({ address, id }: Wallet, permit: Permit): Promise<void> {
    try {
      const { answeredAt, text } = await client.profile(address, { permit, signal: stop.flight });
      settle(id, { answeredAt, text });
    } catch (error) {
      fail(id, error);
    }
  }

  return {
    get failed() {
      return failures.size;
    },
    isAsking: (id) => inFlight.has(id),
    failureOf: (id) => failures.get(id),
    async ask(wallet) {
      await wakeup.until(() => stop.requested !== undefined || inFlight.size < maxInFlight());
      if (stop.requested) return;
      const permit = await gate.enter({ signal: stop.dispatch }).catch((error: unknown) => stop.request(error));
      if (!permit) return;
      if (stop.requested) return permit.cancel();
      inFlight.add(wallet.id);
      void fly(wallet, permit)
        .catch((error: unknown) => stop.request(error))
        .finally(() => {
          inFlight.delete(wallet.id);
          wakeup.notify();
        });
    },
  };
}

function rowError(error: RefusedError | TemporaryError | UntrustedError): RowError {
  const { code, message, httpStatus } = error;
  return httpStatus === undefined ? { code, message } : { code, message, httpStatus };
}

/** Counts wallets that failed one after the other for the same kind of cause; the order is that of the answers. */
function createOutageWatch() {
  let row = 0;
  let kind: RiskcliError['exitCode'] | undefined;
  return {
    over() {
      row = 0;
    },
    isOn(error: RiskcliError): boolean {
      row = error.exitCode === kind ? row + 1 : 1;
      kind = error.exitCode;
      return row >= OUTAGE;
    },
  };
}

function outageError(error: TemporaryError | UntrustedError): RiskcliError {
  const kind = error instanceof TemporaryError ? TemporaryError : UntrustedError;
  return new kind(`${OUTAGE} wallets in a row failed, the last one because ${error.message}`, {
    code: error.code,
    hint: error.hint ?? 'run the same command again later: it goes on where it stopped',
    cause: error,
  });
}

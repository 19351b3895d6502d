/**
 * Asks the service for wallets, many at a time, and settles each answer in the store as it arrives. Decides what one
 * failure means for the list: a row, or the end.
 */
import type { Clock } from '../context.ts';
import type { RowError } from '../document/row.ts';
import { RefusedError, type RiskcliError, SignalError, TemporaryError, UntrustedError } from '../errors.ts';
import type { Client } from '../service/client.ts';
import type { Gate, Permit } from '../service/gate.ts';
import type { Wallet } from '../wallet/reading.ts';
import type { Budget } from './budget.ts';
import type { Failure } from './outcome.ts';
import type { AnswerStore } from './store.ts';
import type { Wakeup } from './wakeup.ts';

export interface AskerOptions {
  readonly store: AnswerStore;
  readonly client: Pick<Client, 'profile'>;
  readonly gate: Pick<Gate, 'enter'>;
  /** The one that the client asks before each request: closing it holds retries back, too. */
  readonly budget: Pick<Budget, 'close'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** How many wallets may be asked for at once, now. */
  readonly maxInFlight: () => number;
  readonly wakeup: Wakeup;
}

export interface WalletFailure {
  readonly failure: Failure;
  readonly error: RowError;
}

export interface Asker {
  /** Wallets that failed and are to be asked again by the next run. */
  readonly failed: number;
  /** Why nothing more is asked; undefined as long as the list goes on. */
  readonly stopped: { readonly reason: unknown } | undefined;
  /** Whether an orderly stop has taken so long that whatever is left must be left. */
  readonly isLate: boolean;
  isAsking(id: string): boolean;
  failureOf(id: string): WalletFailure | undefined;
  /** Resolves when the request is on its way, or will not be sent because of a stop. */
  ask(wallet: Wallet): Promise<void>;
  /** Sends nothing more; what is in flight may still land for a moment, unless nobody would have it. */
  stop(reason: unknown, options?: { readonly lands: boolean }): void;
  /** Forgets its timer. */
  close(): void;
}

/** An outage must not turn a list into failures: as many wallets in a row are taken for one. */
const OUTAGE = 20;

/**
 * How long answers that are paid for may still arrive after a stop, and how long all of an orderly stop may take, in
 * milliseconds: together less than what context.ts allows for it.
 */
const LANDING_MS = 500;
const LATE_MS = 750;

export function createAsker(options: AskerOptions): Asker {
  const { store, client, gate, clock, wakeup } = options;
  const inFlight = new Set<string>();
  const failures = new Map<string, WalletFailure>();
  const dispatch = new AbortController();
  // One for each request: taking a listener off a signal that thousands listen to takes as many steps.
  const flights = new Set<AbortController>();
  const closing = new AbortController();
  const outage = createOutageWatch();
  let stopped: { readonly reason: unknown } | undefined;
  let isGrounded = false;
  let isLate = false;

  function settle(id: string, answer: Parameters<AnswerStore['append']>[1]): void {
    store.append(id, answer);
    outage.over();
  }

  function stop(reason: unknown, { lands = true } = {}): void {
    if (stopped) {
      if (reason instanceof SignalError) stopped = { reason };
      return;
    }
    stopped = { reason };
    options.budget.close(reason);
    dispatch.abort(reason);
    void land(reason, lands ? LANDING_MS : 0).catch(() => {});
    wakeup.notify();
  }

  async function land(reason: unknown, landingMs: number): Promise<void> {
    if (landingMs > 0) await clock.sleep(landingMs, closing.signal);
    isGrounded = true;
    for (const flight of flights) flight.abort(reason);
    await clock.sleep(LATE_MS - landingMs, closing.signal);
    isLate = true;
    wakeup.notify();
  }

  function fail(id: string, error: unknown): void {
    // A wallet that a stop kept from being asked, or from being answered, has not failed.
    if (isGrounded || (stopped && error === dispatch.signal.reason)) return;
    if (error instanceof RefusedError) {
      settle(id, { answeredAt: clock.now(), refusal: rowError(error) });
    } else if (error instanceof TemporaryError || error instanceof UntrustedError) {
      failures.set(id, {
        failure: error instanceof TemporaryError ? 'temporary' : 'untrusted',
        error: rowError(error),
      });
      if (outage.isOn(error)) stop(outageError(error));
    } else {
      stop(error);
    }
  }

  async function fly({ address, id }: Wallet, permit: Permit): Promise<void> {
    const flight = new AbortController();
    flights.add(flight);
    try {
      const { answeredAt, text } = await client.profile(address, { permit, signal: flight.signal });
      settle(id, { answeredAt, text });
    } catch (error) {
      fail(id, error);
    } finally {
      flights.delete(flight);
    }
  }

  return {
    get failed() {
      return failures.size;
    },
    get stopped() {
      return stopped;
    },
    get isLate() {
      return isLate;
    },
    isAsking: (id) => inFlight.has(id),
    failureOf: (id) => failures.get(id),
    async ask(wallet) {
      await wakeup.until(() => stopped !== undefined || inFlight.size < options.maxInFlight());
      if (stopped) return;
      const permit = await gate.enter({ signal: dispatch.signal }).catch((error: unknown) => stop(error));
      if (!permit) return;
      if (stopped) return permit.cancel();
      inFlight.add(wallet.id);
      void fly(wallet, permit)
        .catch((error: unknown) => stop(error))
        .finally(() => {
          inFlight.delete(wallet.id);
          wakeup.notify();
        });
    },
    stop,
    close: () => closing.abort(),
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

/**
 * Schedules the requests of a list: many are in flight at a time, and each answer, and each refusal
 * of one wallet, is stored as it arrives. It decides whether a failure concerns one wallet or ends
 * the list.
 */

import type { Clock } from '../context.ts';
import { LockedError, RefusedError, TemporaryError, UntrustedError } from '../errors.ts';
import type { ResultStore } from '../journal/store.ts';
import type { PathChecker } from '../paths/path-checker.ts';
import type { RowError } from '../row/row.ts';
import type { Client } from '../service/client.ts';
import type { Gate, Permit } from '../service/pacing/gate.ts';
import type { Wallet } from '../wallet/address.ts';
import { isGeneral, type WalletError } from './outage.ts';
import type { Stop } from './stop.ts';
import type { Wakeup } from './wakeup.ts';

export interface SchedulerOptions {
  readonly store: ResultStore;
  readonly client: Pick<Client, 'profile'>;
  readonly gate: Pick<Gate, 'enter'>;
  /** How many wallets may be in flight at once, those that wait for their next attempt included. */
  readonly maxInFlight: number;
  readonly clock: Clock;
  readonly wakeup: Wakeup;
  readonly stop: Stop;
  /** Until it is over, at most MAX_UNPROVED answers are requested. */
  readonly paths: PathChecker;
}

/** Answers requested before it is known whether a path of the command line is mistyped. */
const MAX_UNPROVED = 40;

export class Scheduler {
  /** The ids of wallets whose requests are in flight. */
  private readonly wallets = new Set<string>();
  /** Those that failed and will be requested again by the next run, by their ids. */
  readonly failures = new Map<string, WalletError>();
  /**
   * Those of them whose rows have not been emitted yet. Each takes the place of a request, so that
   * in an outage few more are sent.
   */
  readonly unjudged = new Set<string>();
  /** Wallets that were refused before any was answered: the address of the service may be wrong. */
  private readonly doubtful: string[] = [];
  private answered = 0;

  /** @param knowsService whether it has answered for a wallet in an earlier run */
  constructor(
    private readonly options: SchedulerOptions,
    private readonly knowsService: boolean,
  ) {}

  /** How many wallets have a request in flight. */
  get inFlight(): number {
    return this.wallets.size;
  }

  isInFlight(id: string): boolean {
    return this.wallets.has(id);
  }

  /** Resolves when the request is sent, or when a stop prevents it. */
  async request(wallet: Wallet): Promise<void> {
    const { stop, wakeup, gate } = this.options;
    await wakeup.waitUntil(() => stop.requested !== undefined || this.hasRoom());
    if (stop.requested) return;
    try {
      const permit = await gate.enter({ signal: stop.dispatch });
      if (stop.requested) return permit.cancel();
      this.wallets.add(wallet.id);
      void this.send(wallet, permit);
    } catch (error) {
      stop.request(error);
    }
  }

  /**
   * Keeps the refusal of a failed wallet for good: no run asks for it again. @throws IoError,
   * LockedError as the store does
   */
  private keepRefusal(id: string): void {
    const error = this.failures.get(id);
    if (!error) return;
    const { store, clock } = this.options;
    store.append(id, { answeredAt: clock.now(), refusal: rowError(error) });
    this.failures.delete(id);
    this.unjudged.delete(id);
  }

  private hasRoom(): boolean {
    const { maxInFlight, paths } = this.options;
    return (
      this.inFlight + this.unjudged.size < maxInFlight &&
      (paths.isDecided || this.inFlight + this.answered < MAX_UNPROVED)
    );
  }

  private async send({ address, id }: Wallet, permit: Permit): Promise<void> {
    const { client, store, stop, wakeup } = this.options;
    try {
      const call = { permit, signal: stop.deadline, dispatch: stop.dispatch };
      const answer = await client.profile(address, call).catch((error: unknown) => this.fail(id, error));
      if (!answer) return;
      store.append(id, answer);
      this.answered += 1;
      for (const refused of this.doubtful.splice(0)) this.keepRefusal(refused);
    } catch (error) {
      // Without the lock no answer can be kept, so none is awaited.
      if (!stop.explains(error)) stop.request(error, { drains: !(error instanceof LockedError) });
    } finally {
      this.wallets.delete(id);
      wakeup.notify();
    }
  }

  /**
   * Notes that a wallet has no answer. A refusal that is about this wallet is kept as it arrives.
   * @throws any other error; IoError, LockedError as the store does
   */
  private fail(id: string, error: unknown): void {
    if (this.options.stop.explains(error) || !isWalletError(error)) throw error;
    this.failures.set(id, error);
    this.unjudged.add(id);
    if (isGeneral(error)) return;
    if (this.knowsService || this.answered > 0) this.keepRefusal(id);
    else this.doubtful.push(id);
  }
}

function isWalletError(error: unknown): error is WalletError {
  return error instanceof RefusedError || error instanceof TemporaryError || error instanceof UntrustedError;
}

export function rowError({ code, message, httpStatus }: WalletError): RowError {
  return httpStatus === undefined ? { code, message } : { code, message, httpStatus };
}

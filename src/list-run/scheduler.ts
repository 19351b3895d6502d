/**
 * Schedules the requests of a list: many are in flight at a time, and each answer is stored as it arrives. Here it is decided
 * whether a failure is of one wallet, or the end of the list.
 */

import { LockedError, RefusedError, TemporaryError, UntrustedError } from '../errors.ts';
import type { AnswerStore } from '../journal/store.ts';
import type { PathWatch } from '../row/paths/path-watch.ts';
import type { Client } from '../service/client.ts';
import type { Gate, Permit } from '../service/pacing/gate.ts';
import type { Wallet } from '../wallet/address.ts';
import type { WalletError } from './outage.ts';
import type { Stop } from './stop.ts';
import type { Wakeup } from './wakeup.ts';

export interface SchedulerOptions {
  readonly store: AnswerStore;
  readonly client: Pick<Client, 'profile'>;
  readonly gate: Pick<Gate, 'enter'>;
  /** How many wallets may be in flight at once, those that wait for their next attempt included. */
  readonly maxInFlight: number;
  readonly wakeup: Wakeup;
  readonly stop: Stop;
  /** Until it is over, at most MAX_UNPROVED answers are requested. */
  readonly paths: PathWatch;
}

/** Answers requested before it is known whether a path of the command line is mistyped. */
const MAX_UNPROVED = 40;

export class Scheduler {
  /** The ids of wallets whose requests are in flight. */
  private readonly wallets = new Set<string>();
  /** Those that failed and will be requested again by the next run, by their ids. */
  readonly failures = new Map<string, WalletError>();
  /** Those of them whose rows have not come yet. Each takes the place of a request: in an outage few more are sent. */
  readonly unjudged = new Set<string>();
  private answered = 0;

  constructor(private readonly options: SchedulerOptions) {}

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

  private hasRoom(): boolean {
    const { maxInFlight, paths } = this.options;
    return (
      this.inFlight + this.unjudged.size < maxInFlight && (paths.isOver || this.inFlight + this.answered < MAX_UNPROVED)
    );
  }

  private async send({ address, id }: Wallet, permit: Permit): Promise<void> {
    const { client, store, stop, wakeup } = this.options;
    try {
      const call = { permit, signal: stop.deadline, dispatch: stop.dispatch };
      const { answeredAt, text } = await client.profile(address, call);
      store.append(id, { answeredAt, text });
      this.answered += 1;
    } catch (error) {
      this.fail(id, error);
    } finally {
      this.wallets.delete(id);
      wakeup.notify();
    }
  }

  private fail(id: string, error: unknown): void {
    const { stop } = this.options;
    if (stop.explains(error)) return;
    if (isWalletError(error)) {
      this.failures.set(id, error);
      this.unjudged.add(id);
      return;
    }
    // Without the lock no answer can be kept, so none is awaited.
    stop.request(error, { drains: !(error instanceof LockedError) });
  }
}

function isWalletError(error: unknown): error is WalletError {
  return error instanceof RefusedError || error instanceof TemporaryError || error instanceof UntrustedError;
}

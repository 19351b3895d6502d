/**
 * Tells failures of one wallet from failures of all: an outage, a spent plan or a wrong path must not turn a list into failures,
 * and a refusal may be kept only when it is known to be about its wallet.
 *
 * Answers do not come in the order of the requests: a refusal takes milliseconds and an answer seconds. So wallets are numbered
 * as they are requested. Failures are in a row when their numbers are, and an answer shows that a refusal is about its wallet
 * when it is to a later request.
 */
import { KeyError, type RefusedError, TemporaryError, UntrustedError } from '../errors.ts';
import { ABOUT_THE_KEY } from '../service/status.ts';

/** A wallet that got no answer. */
export type WalletError = RefusedError | TemporaryError | UntrustedError;

/** This many wallets in a row that fail in the same way are an outage. */
const MAX_CONSECUTIVE_FAILURES = 20;

interface Failed {
  readonly kind: string;
  readonly isAboutTheKey: boolean;
  /** Keeps a refusal for good. */
  readonly settle: (() => void) | undefined;
  /** The number of the first wallet that was requested after the failure. */
  readonly before: number;
}

export class OutageDetector {
  /** Failures by number, without the refusals that are settled. */
  private readonly open = new Map<number, Failed>();
  private requested = 0;
  /** The last number that was answered. */
  private newest = -1;

  /** @param hasAnswered whether the service has answered for a wallet, in an earlier run */
  constructor(private hasAnswered: boolean) {}

  /** Notes that one more wallet is requested, and returns its number. */
  sent(): number {
    return this.requested++;
  }

  /** Notes that the `nth` wallet was answered. */
  answered(nth: number): void {
    this.hasAnswered = true;
    this.newest = Math.max(this.newest, nth);
    for (const [number, { before }] of this.open) if (nth >= before) this.settle(number);
  }

  /**
   * Notes that the `nth` wallet failed.
   * @param settle keeps a refusal for good: called when it is known to be about the wallet
   * @returns whether so many have failed that the list has to stop
   */
  failed(nth: number, error: WalletError, settle: () => void): boolean {
    const isRefused = error.kind === 'refused';
    const isAboutTheKey = isRefused && ABOUT_THE_KEY.has(error.httpStatus);
    if (isRefused && this.hasAnswered && !isAboutTheKey) {
      settle();
      return false;
    }
    const before = this.requested;
    this.open.set(nth, { kind: kindOf(error), isAboutTheKey, settle: isRefused ? settle : undefined, before });
    return nth > this.newest && this.rowAt(nth) >= MAX_CONSECUTIVE_FAILURES;
  }

  /** Settles refusals at the end of a list: those about the key only if a later wallet was answered, others if any was. */
  end(): void {
    for (const [number, { isAboutTheKey }] of this.open) {
      if (isAboutTheKey ? number < this.newest : this.hasAnswered) this.settle(number);
    }
  }

  /** How many wallets around the `nth` one failed as it did. */
  private rowAt(nth: number): number {
    const { open } = this;
    const kind = open.get(nth)?.kind;
    let [from, to] = [nth, nth];
    while (open.get(from - 1)?.kind === kind) from--;
    while (open.get(to + 1)?.kind === kind) to++;
    return to - from + 1;
  }

  private settle(number: number): void {
    const { settle } = this.open.get(number) ?? {};
    this.open.delete(number);
    settle?.();
  }
}

/** Failures of network and server are mixed in an outage, refusals differ by status. */
function kindOf(error: WalletError): string {
  return error.kind === 'refused' ? `refused ${error.httpStatus}` : error.kind;
}

/** The error that stops the list; `error` is the last failure. A refusal of every wallet is due to the key or the path. */
export function outageError(error: WalletError): KeyError | TemporaryError | UntrustedError {
  const { code, httpStatus } = error;
  const message = `${MAX_CONSECUTIVE_FAILURES} wallets in a row failed, the last one because ${error.message}`;
  if (error.kind !== 'refused') {
    const kind = error.kind === 'temporary' ? TemporaryError : UntrustedError;
    const hint = error.hint ?? 'rerun the same command later to resume';
    const isResumable = error.hint === undefined || error.isResumable;
    return new kind(message, { code, httpStatus, hint, isResumable, cause: error });
  }
  const isKey = ABOUT_THE_KEY.has(httpStatus);
  const kind = isKey ? KeyError : UntrustedError;
  const hint = isKey ? 'check what the key and its plan allow' : 'check the base URL';
  return new kind(message, { code: isKey ? 'key_refused' : 'refused', httpStatus, hint, cause: error });
}

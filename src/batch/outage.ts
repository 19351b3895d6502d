/**
 * Tells failures of one wallet from failures of all: an outage, a spent plan or a wrong path must not turn a list into failures,
 * and a refusal may be kept only when it is known to be about its wallet.
 *
 * Answers do not come in the order of the requests. A refusal takes milliseconds and an answer seconds: when a plan is used up,
 * answers to earlier requests still arrive among the refusals, and do not show that these are about their wallets. So wallets are
 * numbered as they are requested, and a refusal is kept when a wallet requested after it is answered.
 */
import { KeyError, type RefusedError, TemporaryError, UntrustedError } from '../errors.ts';
import { MAX_IN_FLIGHT } from '../service/pacing/pacer.ts';
import { ABOUT_THE_KEY, ABOUT_THE_WALLET } from '../service/status.ts';

/** A wallet that got no answer. */
export type WalletError = RefusedError | TemporaryError | UntrustedError;

/** This many wallets in a row that fail in the same way are an outage. */
const MAX_CONSECUTIVE_FAILURES = 20;

/** A refusal that may still turn out to be about all wallets. */
export interface HeldRefusal {
  readonly status: number | undefined;
  /** Keeps the refusal for good. */
  readonly settle: () => void;
}

interface Open {
  readonly failureKey: string;
  readonly refusal: HeldRefusal | undefined;
  /** The number of the first wallet that was requested after this one failed. */
  readonly before: number;
}

export class OutageDetector {
  private readonly inFlight = new Set<number>();
  /** Failures that may still be part of an outage, by number. */
  private readonly open = new Map<number, Open>();
  private last = { failureKey: '', count: 0, first: 0 };
  private requested = 0;
  private newest = -1;
  private isStopped = false;

  /** @param hasAnswered whether the service has answered for a wallet, in an earlier run */
  constructor(private hasAnswered: boolean) {}

  /** Whether so many failed that the list has to stop. */
  get isOutage(): boolean {
    return this.isStopped;
  }

  /** Notes that one more wallet is requested, and returns its number. */
  sent(): number {
    this.inFlight.add(this.requested);
    return this.requested++;
  }

  /** Notes that the `nth` wallet was answered: refusals that came before it was requested are settled. */
  answered(nth: number): void {
    this.inFlight.delete(nth);
    this.last = { failureKey: '', count: 0, first: 0 };
    this.hasAnswered = true;
    this.newest = Math.max(this.newest, nth);
    for (const [number, { refusal, before }] of this.open) {
      if (nth >= before || this.isAboutWallet(refusal)) this.settle(number);
    }
  }

  /** Notes that the `nth` wallet failed; a refusal is held back, or settled when it is known to be about the wallet. */
  failed(nth: number, error: WalletError, refusal?: HeldRefusal): void {
    const failureKey = failureKeyOf(error);
    this.inFlight.delete(nth);
    this.open.set(nth, { failureKey, refusal, before: this.requested });
    if (this.isAboutWallet(refusal)) {
      this.settle(nth);
      return;
    }
    const isRow = this.isRowOfAnswers(nth, failureKey) || this.isRowOfRequests(nth, failureKey);
    // Failures in a row, even of different kinds, stop the list when they are as many as can be in flight.
    this.isStopped ||= isRow || this.open.size >= MAX_IN_FLIGHT;
  }

  /** Settles, at the end of the list, the few refusals that came among the last answers. */
  end(): void {
    const { open, newest } = this;
    if (open.size >= MAX_CONSECUTIVE_FAILURES) return;
    // Failures like those after the last answer may be the beginning of an outage.
    const atTheEnd = new Set([...open].filter(([number]) => number > newest).map(([, { failureKey }]) => failureKey));
    for (const [number, { failureKey }] of open) if (!atTheEnd.has(failureKey)) this.settle(number);
  }

  /** Whether enough wallets around the `nth` one failed as it did. */
  private isRowOfRequests(nth: number, failureKey: string): boolean {
    const { open } = this;
    let [from, to] = [nth, nth];
    while (open.get(from - 1)?.failureKey === failureKey) from--;
    while (open.get(to + 1)?.failureKey === failureKey) to++;
    return nth > this.newest && to - from + 1 >= MAX_CONSECUTIVE_FAILURES;
  }

  /** Whether enough of the last answers failed so, and none requested before them is in flight: refusals are only faster. */
  private isRowOfAnswers(nth: number, failureKey: string): boolean {
    const { last } = this;
    this.last =
      last.failureKey === failureKey
        ? { failureKey, count: last.count + 1, first: Math.min(last.first, nth) }
        : { failureKey, count: 1, first: nth };
    const [oldest = Number.POSITIVE_INFINITY] = this.inFlight;
    return this.last.count >= MAX_CONSECUTIVE_FAILURES && oldest > this.last.first;
  }

  private isAboutWallet(refusal: HeldRefusal | undefined): boolean {
    return this.hasAnswered && refusal !== undefined && ABOUT_THE_WALLET.has(refusal.status);
  }

  private settle(nth: number): void {
    const { refusal } = this.open.get(nth) ?? {};
    this.open.delete(nth);
    refusal?.settle();
  }
}

/** The kind of a failure: failures of network and server are mixed in an outage, refusals differ by status. */
function failureKeyOf(error: WalletError): string {
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

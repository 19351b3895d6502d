/**
 * Tells failures of one wallet from failures of all: an outage, a spent plan or a wrong path must not turn a list into failures,
 * nor replace an output or be kept as a review. A refusal may be kept only when it is known to be about its wallet: by an answer
 * to a wallet further down.
 */
import { graverError } from '../cli/messages.ts';
import { KeyError, type RefusedError, TemporaryError, UntrustedError } from '../errors.ts';
import { ABOUT_THE_KEY } from '../service/status.ts';

/** A wallet that got no answer. */
export type WalletError = RefusedError | TemporaryError | UntrustedError;

/** This many wallets in a row that fail in the same way are an outage. */
const MAX_CONSECUTIVE_FAILURES = 20;

/** Hears of the wallets of this run in the order of the rows, each once. */
export class OutageCounter {
  private kind: string | undefined;
  private inARow = 0;
  /** Each keeps a refusal for good. */
  private readonly unsettled: (() => void)[] = [];
  /** The gravest error that is not about its wallet. */
  private gravest: unknown;
  /** Whether a refusal may be about its wallet. */
  private hasRefused = false;

  /** @param hasAnswered whether the service has answered for a wallet, in an earlier run */
  constructor(private hasAnswered: boolean) {}

  answered(): void {
    this.hasAnswered = true;
    this.inARow = 0;
    for (const settle of this.unsettled.splice(0)) settle();
  }

  /**
   * @param settle keeps a refusal for good: called when it is known to be about the wallet
   * @returns the error that stops the list, when so many have failed
   */
  failed(error: WalletError, settle: () => void): Error | undefined {
    const isRefused = error.kind === 'refused';
    const isOfAll = !isRefused || ABOUT_THE_KEY.has(error.httpStatus);
    if (isOfAll) this.gravest = graverError(this.gravest, outageError(error, 'no wallet got an answer: '));
    else this.hasRefused = true;
    if (isRefused && this.hasAnswered && !isOfAll) {
      this.inARow = 0;
      settle();
      return undefined;
    }
    if (isRefused) this.unsettled.push(settle);
    const kind = kindOf(error);
    this.inARow = kind === this.kind ? this.inARow + 1 : 1;
    this.kind = kind;
    if (this.inARow < MAX_CONSECUTIVE_FAILURES) return undefined;
    return outageError(error, `${MAX_CONSECUTIVE_FAILURES} wallets in a row failed, the last one because `);
  }

  /** The error of a list that is through without an answer, of an earlier run either: its rows say nothing of its wallets. */
  withoutAnswer(): unknown {
    return this.hasRefused ? undefined : this.gravest;
  }
}

/** Failures of network and server are mixed in an outage, refusals differ by status. */
function kindOf(error: WalletError): string {
  return error.kind === 'refused' ? `refused ${error.httpStatus}` : error.kind;
}

/** A refusal of every wallet is due to the key or the path. @param what happened, in front of the reason of one wallet */
function outageError(error: WalletError, what: string): KeyError | TemporaryError | UntrustedError {
  const { code, httpStatus } = error;
  const message = what + error.message;
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

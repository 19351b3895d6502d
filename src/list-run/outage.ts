/**
 * Distinguishes failures of one wallet from failures of all: an outage, a spent plan or a wrong
 * path must not turn a list into failures, replace an output or be kept as a review. A refusal is
 * kept only when it is known to be about its wallet: once any wallet was answered, and never if it
 * may be about the key, whose plan can be paid for tomorrow.
 */

import { graverError, KeyError, type RefusedError, TemporaryError, UntrustedError } from '../errors.ts';
import { KEY_STATUSES, WALLET_STATUSES } from '../service/status.ts';

/** A wallet that got no answer. */
export type WalletError = RefusedError | TemporaryError | UntrustedError;

/** This many wallets in a row that fail in the same way are an outage. */
const MAX_CONSECUTIVE_FAILURES = 20;

/**
 * Whether a failure says nothing about its wallet: the network, the service, the key and its plan,
 * the request as such.
 */
export const isGeneral = ({ kind, httpStatus }: WalletError) => kind !== 'refused' || !WALLET_STATUSES.has(httpStatus);

/** Is notified of each wallet of this run once, in the order of the rows. */
export class OutageCounter {
  private kind: string | undefined;
  private inARow = 0;
  /** The gravest error that is not about its wallet. */
  private gravest: unknown;
  /** Whether a refusal may be about its wallet. */
  private hasRefused = false;

  answered(): void {
    this.inARow = 0;
  }

  /** For a wallet whose refusal was kept when it arrived. */
  refused(): void {
    this.hasRefused = true;
    this.inARow = 0;
  }

  /**
   * For a wallet whose failure may concern all wallets; before any was answered, a refusal may do
   * so, too.
   * @returns the error that stops the list, when so many have failed
   */
  failed(error: WalletError): Error | undefined {
    if (isGeneral(error)) this.gravest = graverError(this.gravest, outageError(error, 'no wallet got an answer: '));
    else this.hasRefused = true;
    // Failures of network and server are mixed in an outage, refusals differ by status.
    const kind = error.kind === 'refused' ? `refused ${error.httpStatus}` : error.kind;
    this.inARow = kind === this.kind ? this.inARow + 1 : 1;
    this.kind = kind;
    if (this.inARow < MAX_CONSECUTIVE_FAILURES) return undefined;
    return outageError(error, `${MAX_CONSECUTIVE_FAILURES} wallets in a row failed, the last one because `);
  }

  /**
   * The error of a list that has ended without any answer, even from an earlier run: its rows say
   * nothing about its wallets.
   */
  withoutAnswer(): unknown {
    return this.hasRefused ? undefined : this.gravest;
  }
}

/**
 * A refusal of every wallet is due to the key or the path.
 * @param what happened, in front of the reason of one wallet
 */
function outageError(error: WalletError, what: string): KeyError | TemporaryError | UntrustedError {
  const { code, httpStatus } = error;
  const message = what + error.message;
  if (error.kind !== 'refused') {
    const kind = error.kind === 'temporary' ? TemporaryError : UntrustedError;
    const hint = error.hint ?? 'run the same command again later to resume';
    const isResumable = error.hint === undefined || error.isResumable;
    return new kind(message, { code, httpStatus, hint, isResumable, cause: error });
  }
  const isKey = KEY_STATUSES.has(httpStatus);
  const kind = isKey ? KeyError : UntrustedError;
  const hint = isKey ? 'check what the key and its plan allow' : 'check the base URL';
  return new kind(message, { code: isKey ? 'key_refused' : 'refused', httpStatus, hint, cause: error });
}

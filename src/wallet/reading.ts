import type { WalletErrorCode } from '../error-codes.ts';

/** The result of judging a text as a wallet address, offline. */
export type WalletReading = Wallet | NotWallet;

export interface Wallet {
  readonly ok: true;
  /** As it was typed, always with a lower-case `0x`, or a name: what is sent and shown. */
  readonly address: string;
  /** The address in lower case: equal for all spellings of one wallet. */
  readonly id: string;
}

export interface NotWallet {
  readonly ok: false;
  /** Stable machine name. A list takes an address out of other text, so that two of them are never the code of a row. */
  readonly code: WalletErrorCode | 'not_alone' | 'chain_prefix';
  /** What is wrong, without saying a possible secret back. */
  readonly message: string;
  readonly hint: string;
}

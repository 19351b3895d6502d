/** Wallets on the command line: judged before anything is sent. */
import { UsageError } from '../errors.ts';
import { quotedWord } from '../output/escape.ts';
import { readWallet } from '../wallet/address.ts';
import type { Wallet } from '../wallet/reading.ts';
import type { ProfileOptions } from './profile.ts';

/** @throws UsageError when `text` is no wallet; a text that may be a private key is not said back. */
export function judgeArgument(text: string, { walletFormat, checksum }: ProfileOptions): Wallet {
  const reading = readWallet(text, { format: walletFormat, checksum });
  if (reading.ok) return reading;
  const what = reading.code === 'secret' ? 'the wallet named' : quotedWord(text);
  throw new UsageError(`${what} is not a wallet: ${reading.message}`, { code: 'invalid_wallet', hint: reading.hint });
}

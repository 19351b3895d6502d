/**
 * The source of the wallets, from the arguments and --file; decided before anything that reads
 * a list is loaded.
 */
import { UsageError } from '../errors.ts';

export type WalletSource =
  | { readonly kind: 'one'; readonly wallet: string }
  | { readonly kind: 'arguments'; readonly wallets: readonly string[] }
  | { readonly kind: 'file'; readonly file: string };

/** The source of the wallets. @throws UsageError if none are named, or in two ways */
export function walletSource(args: readonly string[], file: string | undefined): WalletSource {
  const [first, ...more] = args;
  if (file !== undefined) {
    if (first === undefined) return { kind: 'file', file };
    throw new UsageError('both wallets and --file were given', { hint: 'use one or the other' });
  }
  if (first === undefined) {
    throw new UsageError('no wallet was given', { hint: 'give one, or a list with -f FILE or - for stdin' });
  }
  if (first === '-' && more.length === 0) return { kind: 'file', file: '-' };
  if (args.includes('-')) {
    throw new UsageError('both wallets and - were given', { hint: 'use one or the other' });
  }
  return more.length === 0 ? { kind: 'one', wallet: first } : { kind: 'arguments', wallets: args };
}

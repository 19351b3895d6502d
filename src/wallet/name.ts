/**
 * Names of wallets, such as those of ENS, for a service that looks them up (`--wallet-format name`). They may have only the
 * characters of host names, so that nothing in one has a meaning in a URL or a terminal.
 */

// RFC 1035, 2.3.4: labels of up to 63 characters, 253 in all; ENS has underscores as well. The last label has letters only.
const NAME = /^(?=.{3,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z]{2,24}$/i;
export const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;

export function isWalletName(text: string): boolean {
  return NAME.test(text);
}

/** Whether an answer about `address` is one for `wallet`. For a name, the address that the service found counts as well. */
export function isAnswerFor(wallet: string, address: string): boolean {
  if (address === wallet || address.toLowerCase() === wallet.toLowerCase()) return true;
  return isWalletName(wallet) && EVM_ADDRESS.test(address);
}

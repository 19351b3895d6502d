/**
 * Finds the wallet in a cell of a list. Lists come out of explorers, sheets and chats, so that an address may be wrapped in
 * a link, quotes or markdown; as long as there is only one, there is no doubt which wallet is meant.
 */

import type { WalletReading } from '../wallet/address.ts';
import { addressesIn, isAddress, readWallet, refuseSeveral, type WalletRules } from '../wallet/address.ts';

/** Reads `cell`: an address, or exactly one address (in any number of spellings) inside other text. */
export function findWallet(cell: string, rules: WalletRules): WalletReading {
  const text = cell.trim();
  if (isAddress(text, rules.format)) return readWallet(text, rules);
  const inside = addressesIn(text, rules.format);
  const distinct = new Set(inside.map((address) => address.toLowerCase())).size;
  if (distinct === 0) return readWallet(text, rules);
  if (distinct > 1) return refuseSeveral(distinct);
  // A link often has the lower-case spelling and its text the mixed one: one good spelling vouches for the address.
  const readings = inside.map((address) => readWallet(address, rules));
  return readings.find((reading) => reading.ok) ?? readings[0] ?? readWallet(text, rules);
}

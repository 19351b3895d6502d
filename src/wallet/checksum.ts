/** The checksum that EIP-55 hides in the case of an address's letters. Nothing else in riskcli hashes. */
import { keccak_256 } from '@noble/hashes/sha3.js';

const encoder = new TextEncoder();

/**
 * The EIP-55 spelling of `address`, which is `0x` and 40 hex digits in any case: a letter is a capital where the same
 * nibble of keccak-256 of the lower-case digits is 8 or more.
 */
export function toChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(encoder.encode(digits));
  let out = '0x';
  for (let i = 0; i < digits.length; i++) {
    const byte = hash[i >> 1] ?? 0;
    const nibble = i % 2 === 0 ? byte >> 4 : byte & 15;
    const digit = digits.charAt(i);
    out += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return out;
}

/** Whether the case of `address` says nothing (all lower or all upper) or says what EIP-55 demands. */
export function hasValidChecksum(address: string): boolean {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return toChecksum(address).slice(2) === digits;
}

/**
 * Finds what may be a private key by its shape. 64 hex digits can be a transaction hash, an address of another chain or a key,
 * and there is no way to tell: they are withheld from every output, note and file.
 */

/** Replaces a private key. */
export const WITHHELD = '<withheld: may be a private key>';

// 64 hex digits, from the first digit of a run; base 58 as wallets export a key (WIF, 51 or 52 characters).
const PRIVATE_KEY =
  /(?<![0-9A-Fa-f])(?:0[xX])?[0-9A-Fa-f]{64}|(?<![0-9A-Za-z])(?:[59][1-9A-HJ-NP-Za-km-z]{50}|[KLc][1-9A-HJ-NP-Za-km-z]{51})(?![0-9A-Za-z])/g;

/** `text` with a marker in place of each private key; one with more hex digits on either side is withheld with them. */
export function withholdPrivateKeys(text: string): string {
  let out = '';
  let end = 0;
  for (const { 0: key, index } of text.matchAll(PRIVATE_KEY)) {
    out += text.slice(end, index) + WITHHELD;
    end = index + key.length;
    // Not `{64,}`, which overflows the regular expression's stack on a text of some megabytes.
    while (isHexDigit(text.charCodeAt(end))) end++;
  }
  return out + text.slice(end);
}

export function holdsPrivateKey(text: string): boolean {
  return text.search(PRIVATE_KEY) >= 0;
}

/** For a UTF-16 unit; NaN, from beyond the end, is none. */
function isHexDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
}

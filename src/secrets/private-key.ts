/**
 * Finds what may be a private key by its shape. 64 hex digits can be a transaction hash, an address
 * of another chain or a key, and the shape does not show which. So they are redacted from every
 * output, note and file, unless they are under a name that says that they are a hash.
 */

/** Replaces a private key. */
export const PRIVATE_KEY_MARKER = '<withheld: may be a private key>';

// 64 hex digits, from the first digit of a run.
const HEX_KEY = /(?<![0-9A-Fa-f])(?:0[xX])?[0-9A-Fa-f]{64}/g;
// Base 58 as wallets export a key: WIF, 51 or 52 characters.
const WIF = /(?<![0-9A-Za-z])(?:[59][1-9A-HJ-NP-Za-km-z]{50}|[KLc][1-9A-HJ-NP-Za-km-z]{51})(?![0-9A-Za-z])/g;
const PRIVATE_KEY = new RegExp(`${HEX_KEY.source}|${WIF.source}`, 'g');

/**
 * `text` with a marker in place of each private key; one with more hex digits on either side is
 * redacted with them.
 */
export const redactPrivateKeys = (text: string): string => without(PRIVATE_KEY, text);

// `txhash` and `transactions` as well.
const HASH_WORD = /^(?:transaction|txid|txn|tx|hash)+(?:e?s)?$/;

/** Whether what is called `name` is a hash and no key: `tx_hash`, `Txn Hash`, `transactionHash`. */
function isHashName(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.split(/[^a-z]+/).some((word) => HASH_WORD.test(word));
}

/** `text` as it may be shown under `name`: a hash is not redacted. */
export function redactUnder(name: string, text: string): string {
  const safe = redactPrivateKeys(text);
  return safe !== text && isHashName(name) ? without(WIF, text) : safe;
}

function without(pattern: RegExp, text: string): string {
  let out = '';
  let end = 0;
  for (const { 0: key, index } of text.matchAll(pattern)) {
    out += text.slice(end, index) + PRIVATE_KEY_MARKER;
    end = index + key.length;
    // Not `{64,}`, which overflows the regular expression's stack on a text of some megabytes.
    while (isHexDigit(text.charCodeAt(end))) end++;
  }
  return out + text.slice(end);
}

export function holdsPrivateKey(text: string): boolean {
  return text.search(PRIVATE_KEY) >= 0;
}

/** Whether a UTF-16 unit is a hex digit; NaN, which is read beyond the end, is not. */
function isHexDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
}

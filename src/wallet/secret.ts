/**
 * Takes out what may be a private key. 64 hex digits can be a transaction hash, an address of another chain or a key, and
 * nobody can tell which: they go into no output, no note and no file.
 */

export type WalletFormat = 'evm' | 'hex';

export const WITHHELD = '<64 hex digits withheld>';

// In `hex` lists 0x and 64 digits are a wallet (Aptos, Sui, Starknet), so that only digits without 0x are taken out.
// {64,} would be shorter, but overflows the stack of the regular expression on a text of some megabytes.
const SECRET = { evm: /(?:0x)?[0-9a-f]{64}/gi, hex: /(?<!0x|[0-9a-f])[0-9a-f]{64}/gi } as const;

/**
 * `text` with every run of 64 or more hex digits replaced by a fixed marker: a key with something joined to it is still
 * a key.
 */
export function withhold(text: string, format: WalletFormat = 'evm'): string {
  if (text.length < 64) return text;
  const secret = new RegExp(SECRET[format]);
  let out = '';
  let from = 0;
  for (let found = secret.exec(text); found; found = secret.exec(text)) {
    out += text.slice(from, found.index) + WITHHELD;
    from = secret.lastIndex;
    while (isHexDigit(text.charCodeAt(from))) from++;
    secret.lastIndex = from;
  }
  return out + text.slice(from);
}

/** `texts` with what may be a key withheld from each; the same array when there is none. */
export function withholdEach(texts: readonly string[], format: WalletFormat = 'evm'): readonly string[] {
  const safe = texts.map((text) => withhold(text, format));
  return safe.some((text, i) => text !== texts[i]) ? safe : texts;
}

/** For a UTF-16 unit; NaN, which stands behind the end, is none. */
function isHexDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
}

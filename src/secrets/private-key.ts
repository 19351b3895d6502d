/**
 * Finds what may be a private key by its shape. 64 hex digits can be a transaction hash, an address of another chain or a key,
 * and there is no way to tell: they are withheld from every output, note and file, also with a digit missing, in groups, or
 * as a wallet exports them. Mnemonics need a word list: see mnemonic.ts.
 */

import type { WalletFormat } from '../wallet-format.ts';

/** Replaces a secret. */
export const WITHHELD = '<withheld: may be a private key>';

/** A secret's place in UTF-16 units; `to` is exclusive. */
export type TextRange = readonly [from: number, to: number];

// The shortest secret, 12 words of three letters with blanks, has 47 characters. No secret contains an address, and the texts
// on either side of one cannot form a secret together. Most lines and records are no longer, and need no search.
const MIN_SECRET_LENGTH = 47;
const ONE_ADDRESS = /^.{0,46}?(?<![0-9A-Za-z])0x[0-9A-Fa-f]{40}(?![0-9A-Za-z]).{0,46}$/s;

/** Whether there is no room in `text` for a secret, a mnemonic included. */
export function isTooShortForSecret(text: string): boolean {
  return text.length < MIN_SECRET_LENGTH || ONE_ADDRESS.test(text);
}

/** `text` with a marker in place of each secret; a key that is joined to other text is one, too. */
export function withholdPrivateKeys(text: string, format: WalletFormat = 'evm'): string {
  return replaceRanges(text, secretsIn(text, format));
}

/** The secrets in `text`, in order; they may overlap. */
export function secretsIn(text: string, format: WalletFormat): readonly TextRange[] {
  if (isTooShortForSecret(text)) return [];
  const ranges = [...hexRuns(text, format), ...exportedKeys(text), ...groupedHex(text)];
  return ranges.sort(([a], [b]) => a - b);
}

export function replaceRanges(text: string, ranges: readonly TextRange[]): string {
  let out = '';
  let end = 0;
  for (const [from, to] of ranges) {
    if (from >= end) out += text.slice(end, from) + WITHHELD;
    end = Math.max(end, to);
  }
  return out + text.slice(end);
}

// One digit fewer than a key has: one may be lost in copying, or be a leading zero. In `hex` lists 0x and 64 digits are a
// wallet (Aptos, Sui, Starknet), so only digits without 0x are a secret.
// It matches only at the first digit, or each digit would be tried; both cases are spelled out, which is three times faster
// than the flag i. {63,} would be shorter, but overflows the regular expression's stack on a text of some megabytes.
const ANY_LONG_HEX = /(?<![0-9A-Fa-f])(?:0[xX])?[0-9A-Fa-f]{63}/g;
const LONG_HEX = {
  evm: ANY_LONG_HEX,
  name: ANY_LONG_HEX,
  hex: /(?<!0[xX]|[0-9A-Fa-f])[0-9A-Fa-f]{63}/g,
} as const;

function* hexRuns(text: string, format: WalletFormat): Generator<TextRange> {
  const pattern = new RegExp(LONG_HEX[format]);
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    let to = pattern.lastIndex;
    while (isHexDigit(text.charCodeAt(to))) to++;
    pattern.lastIndex = to;
    yield [found.index, to];
  }
}

/** For a UTF-16 unit; NaN, from beyond the end, is none. */
function isHexDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
}

// Base 58 as wallets export it: WIF (51 or 52 characters), BIP-38 (58), BIP-32 extended private keys (111).
const EXPORTED =
  /(?<![0-9A-Za-z])(?:[59][1-9A-HJ-NP-Za-km-z]{50}|[KLc][1-9A-HJ-NP-Za-km-z]{51}|6P[1-9A-HJ-NP-Za-km-z]{56}|[tuvxyz]prv[1-9A-HJ-NP-Za-km-z]{107})(?![0-9A-Za-z])/g;

function* exportedKeys(text: string): Generator<TextRange> {
  for (const { 0: key, index } of text.matchAll(EXPORTED)) yield [index, index + key.length];
}

// A word of hex digits that is not an address: an address beside a balance of 24 digits would add up to the length of a key.
const HEX_WORD = /(?<![0-9A-Za-z])(?:0[xX])?(?![0-9A-Fa-f]{40}(?![0-9A-Fa-f]))[0-9A-Fa-f]{1,62}(?![0-9A-Za-z])/g;

interface Group {
  readonly from: number;
  readonly to: number;
  readonly digits: string;
}

const MAX_LETTERS_BETWEEN = 3;

/** Digits in groups: `ab12 cd34 ...`, `ab:12:...`, or a key in two or three pieces. */
function* groupedHex(text: string): Generator<TextRange> {
  let chain: Group[] = [];
  for (const { 0: word, index } of text.matchAll(HEX_WORD)) {
    if (index - (chain.at(-1)?.to ?? index) > MAX_LETTERS_BETWEEN) {
      yield* keysIn(chain);
      chain = [];
    }
    chain.push({ from: index, to: index + word.length, digits: word.replace(/^0x/i, '') });
  }
  yield* keysIn(chain);
}

const KEY_DIGITS = 64;
const MIN_PIECE_LENGTH = 8;

function* keysIn(chain: readonly Group[]): Generator<TextRange> {
  for (const [i, { digits }] of chain.entries()) {
    if (digits.length < MIN_PIECE_LENGTH) continue;
    for (const count of [2, 3]) {
      const pieces = chain.slice(i, i + count);
      const isWhole = pieces.every((piece) => piece.digits.length >= MIN_PIECE_LENGTH);
      if (isWhole && Math.abs(lengthOf(pieces) - KEY_DIGITS) <= 1) yield* rangeOf(pieces);
    }
  }
  for (let from = 0, to = 0; from < chain.length; from = to) {
    const size = chain[from]?.digits.length ?? 0;
    while (chain[to]?.digits.length === size) to++;
    // The last group may be shorter.
    const end = (chain[to]?.digits.length ?? size) < size ? to + 1 : to;
    const row = chain.slice(from, end);
    if (row.length > 3 && lengthOf(row) >= KEY_DIGITS - 1) yield* rangeOf(row);
  }
}

const lengthOf = (groups: readonly Group[]) => groups.reduce((sum, { digits }) => sum + digits.length, 0);

/** 64 random hex digits hold about 24 letters. Digits with fewer than 8 letters among them are a row of numbers. */
const MIN_LETTERS = 8;

function* rangeOf(groups: readonly Group[]): Generator<TextRange> {
  const [first] = groups;
  const last = groups.at(-1);
  const letters = groups.map(({ digits }) => digits.replace(/[0-9]/g, '')).join('');
  if (first && last && letters.length >= MIN_LETTERS) yield [first.from, last.to];
}

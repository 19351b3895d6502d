/**
 * Finds what may be a private key by its shape. 64 hex digits can be a transaction hash, an address of another chain or a
 * key, and nobody can tell which: they go into no output, no note and no file, nor do they with a digit lost, in groups,
 * or as a wallet exports them. Mnemonics need a word list: see mnemonic.ts.
 */

import type { WalletFormat } from '../wallet-format.ts';

/** What stands in the place of a secret. */
export const WITHHELD = '<withheld: may be a private key>';

/** Where a secret is: from the first of its UTF-16 units to the one behind its last. */
export type TextRange = readonly [from: number, to: number];

// The shortest secret there is, 12 words of three letters and their gaps, has 47 characters. An address is part of none and
// parts what stands on either side of it. Most lines and records are no more than that, and need no search.
const MIN_SECRET_LENGTH = 47;
const ONE_ADDRESS = /^.{0,46}?(?<![0-9A-Za-z])0x[0-9A-Fa-f]{40}(?![0-9A-Za-z]).{0,46}$/s;

/** Whether there is no room in `text` for a secret, a mnemonic included. */
export function isTooShortForSecret(text: string): boolean {
  return text.length < MIN_SECRET_LENGTH || ONE_ADDRESS.test(text);
}

/** `text` with a marker in the place of each secret: a key with something joined to it is still a key. */
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

// One digit less than a key has: it was lost when the key was copied, or it was a zero in front. In `hex` lists 0x and 64
// digits are a wallet (Aptos, Sui, Starknet), so that only digits without 0x are a secret.
// It begins where the digits do, or each of them would be tried; the letters' case is spelled out, as it is three times
// faster than the flag. {63,} would be shorter, but overflows the stack of the regular expression on a text of some megabytes.
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

/** For a UTF-16 unit; NaN, which stands behind the end, is none. */
function isHexDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
}

// Base 58 as wallets export it: WIF (51 or 52 characters), BIP-38 (58), BIP-32 extended private keys (111).
const EXPORTED =
  /(?<![0-9A-Za-z])(?:[59][1-9A-HJ-NP-Za-km-z]{50}|[KLc][1-9A-HJ-NP-Za-km-z]{51}|6P[1-9A-HJ-NP-Za-km-z]{56}|[tuvxyz]prv[1-9A-HJ-NP-Za-km-z]{107})(?![0-9A-Za-z])/g;

function* exportedKeys(text: string): Generator<TextRange> {
  for (const { 0: key, index } of text.matchAll(EXPORTED)) yield [index, index + key.length];
}

// A word of hex digits that is no address. An address beside a balance of 24 digits would add up to the length of a key.
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

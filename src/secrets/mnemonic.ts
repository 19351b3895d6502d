/**
 * Mnemonics (BIP-39): 12 to 24 words that encode a wallet's private keys; the last one carries a checksum. The word list takes
 * time to load: only readers of lists, wallet arguments and outputs of earlier runs import this file.
 */
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { crypto } from '../host/builtin.ts';
import type { WalletFormat } from '../wallet-format.ts';
import { isTooShortForSecret, replaceRanges, secretsIn, type TextRange } from './private-key.ts';

export function isSecret(text: string, format: WalletFormat): boolean {
  return secretsIn(text, format).length > 0 || mnemonicsIn(text).length > 0;
}

/**
 * `texts` with what may be a private key withheld, also one that is spread over several texts, as words or digits over cells;
 * the same array when there is none.
 */
export function withholdEach(texts: readonly string[], format: WalletFormat = 'evm'): readonly string[] {
  const all = texts.length === 1 ? (texts[0] ?? '') : texts.join(' ');
  if (isTooShortForSecret(all)) return texts;
  const ranges = [...secretsIn(all, format), ...mnemonicsIn(all)];
  if (ranges.length === 0) return texts;
  let start = 0;
  return texts.map((text) => {
    const from = start;
    start += text.length + 1;
    const own = ranges.filter(([a, b]) => a < from + text.length && b > from);
    const inside = own.map(([a, b]) => [Math.max(0, a - from), Math.min(text.length, b - from)] as const);
    return replaceRanges(
      text,
      inside.sort(([a], [b]) => a - b),
    );
  });
}

/** `text` with what may be a private key withheld, mnemonics included. */
export function withholdText(text: string, format: WalletFormat): string {
  return withholdEach([text], format)[0] ?? '';
}

// Any twelve words of a sentence; they may be numbered.
const WORDS = /(?<![a-z])(?:[a-z]{3,8}[^a-z]{1,8}){11}[a-z]{3,8}(?![a-z])/i;

const MAX_LETTERS_BETWEEN = 8;

function mnemonicsIn(text: string): readonly TextRange[] {
  if (!WORDS.test(text)) return [];
  const ranges: TextRange[] = [];
  let run: { readonly number: number; readonly from: number; readonly to: number }[] = [];
  const close = () => {
    const [first] = run;
    const last = run.at(-1);
    if (first && last && holdsMnemonic(run.map(({ number }) => number))) ranges.push([first.from, last.to]);
    run = [];
  };
  for (const { 0: word, index } of text.matchAll(/[a-z]+/gi)) {
    const number = numberOf(word.toLowerCase());
    if (number < 0 || index - (run.at(-1)?.to ?? index) > MAX_LETTERS_BETWEEN) close();
    if (number >= 0) run.push({ number, from: index, to: index + word.length });
  }
  close();
  return ranges;
}

/** The place of a word in the list; -1 when it has none. */
const numberOf = createNumbers();

/** The word list is parsed when a text first has enough words for a mnemonic. */
function createNumbers(): (word: string) => number {
  let numbers: ReadonlyMap<string, number> | undefined;
  return (word) => {
    numbers ??= new Map([...wordlist].map((each, number) => [each, number]));
    return numbers.get(word) ?? -1;
  };
}

const LENGTHS = [12, 15, 18, 21, 24];
// More words of the list in a row are not a sentence, and to test each position would take long.
const MAX_WORDS = 64;

/** Whether some of the words, which are numbers of the list, are a mnemonic. */
function holdsMnemonic(words: readonly number[]): boolean {
  if (words.length > MAX_WORDS) return true;
  return words.some((_, from) =>
    LENGTHS.some((length) => from + length <= words.length && hasChecksum(words.slice(from, from + length))),
  );
}

/** BIP-39: each word is 11 bits; the entropy is followed by one bit of its SHA-256 for each 32 bits of entropy. */
function hasChecksum(words: readonly number[]): boolean {
  const bits = words.map((number) => number.toString(2).padStart(11, '0')).join('');
  const size = Math.floor(bits.length / 33) * 32;
  const bytes = Buffer.from((bits.slice(0, size).match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const [first = 0] = crypto().createHash('sha256').update(bytes).digest();
  return first.toString(2).padStart(8, '0').startsWith(bits.slice(size));
}

/**
 * Wallet ids as small numbers, 0, 1, 2, ... in order of arrival. A Set of a million id strings weighs about 100 MB; here
 * a wallet costs 20 bytes of key and about 8 of table, outside the JavaScript heap.
 */
import { createHash, randomFillSync } from 'node:crypto';

export interface WalletIndex {
  readonly size: number;
  /** The wallet's number, or -1. */
  find(id: string): number;
  /** The wallet's number; a new wallet gets the next one. */
  add(id: string): number;
}

const WORDS = 5;
const EVM_ID_LENGTH = 42;
const isEvm = (id: string) => id.length === EVM_ID_LENGTH && !id.includes('.');
/** Wallets in a block of keys. Blocks are added, not copied: the old beside the new would be the peak of a long list. */
const BLOCK = 2_048;

/** The id as five 32-bit words: an EVM address is exactly that long, anything else is hashed. */
function readWords(id: string, words: Uint32Array): void {
  if (isEvm(id)) {
    for (let i = 0; i < WORDS; i++) words[i] = readWord(id, 2 + 8 * i);
    return;
  }
  const digest = createHash('sha256').update(id).digest();
  for (let i = 0; i < WORDS; i++) words[i] = digest.readUInt32BE(4 * i);
}

const DIGIT_0 = 0x30;
const LETTER_A = 0x61;

/** The eight hex digits at `at`, in lower case. Number.parseInt would need a text of its own for each word. */
function readWord(id: string, at: number): number {
  let word = 0;
  for (let i = at; i < at + 8; i++) {
    const unit = id.charCodeAt(i);
    word = (word << 4) | (unit < LETTER_A ? unit - DIGIT_0 : unit - LETTER_A + 10);
  }
  return word;
}

/**
 * Simple tabulation: a random number for each value of each byte, all of an id's xored. Nobody who does not know the
 * numbers, new in each index, can make addresses that collide, and linear probing stays short (Patrascu and Thorup, The
 * Power of Simple Tabulation Hashing, 2012). A seed for a multiplicative hash would not do: differences of high bits go
 * through it whatever the seed is.
 */
function createHasher(): (words: Uint32Array, from: number) => number {
  const table = new Uint32Array(4 * WORDS * 256);
  randomFillSync(table);
  return (words, from) => {
    let mixed = 0;
    for (let i = 0; i < WORDS; i++) {
      const word = words[from + i] ?? 0;
      const at = i * 1024;
      mixed ^= table[at + (word & 255)] ?? 0;
      mixed ^= table[at + 256 + ((word >>> 8) & 255)] ?? 0;
      mixed ^= table[at + 512 + ((word >>> 16) & 255)] ?? 0;
      mixed ^= table[at + 768 + (word >>> 24)] ?? 0;
    }
    return mixed >>> 0;
  };
}

/** An empty index: open addressing with linear probing, never more than half full. */
export function createWalletIndex(): WalletIndex {
  let size = 0;
  const keys: Uint32Array[] = [];
  // Each slot holds a wallet's number plus one; 0 is a free slot. The length is a power of two.
  let slots = new Uint32Array(2048);
  const sought = new Uint32Array(WORDS);
  const hash = createHasher();

  const blockOf = (number: number) => keys[Math.floor(number / BLOCK)] ?? sought;
  const startOf = (number: number) => (number % BLOCK) * WORDS;

  function isSought(number: number): boolean {
    const block = blockOf(number);
    const start = startOf(number);
    for (let i = 0; i < WORDS; i++) if (block[start + i] !== sought[i]) return false;
    return true;
  }

  /** The slot of the sought wallet, or the free slot where it belongs. */
  function probe(): number {
    const mask = slots.length - 1;
    let slot = hash(sought, 0) & mask;
    for (let held = slots[slot]; held && !isSought(held - 1); held = slots[slot]) slot = (slot + 1) & mask;
    return slot;
  }

  function grow(): void {
    slots = new Uint32Array(slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < size; number++) {
      let slot = hash(blockOf(number), startOf(number)) & mask;
      while (slots[slot]) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
  }

  return {
    get size() {
      return size;
    },
    find(id) {
      readWords(id, sought);
      return (slots[probe()] ?? 0) - 1;
    },
    add(id) {
      readWords(id, sought);
      const held = slots[probe()];
      if (held) return held - 1;
      if (size * 2 === slots.length) grow();
      if (size % BLOCK === 0) keys.push(new Uint32Array(WORDS * BLOCK));
      blockOf(size).set(sought, startOf(size));
      slots[probe()] = size + 1;
      size += 1;
      return size - 1;
    },
  };
}

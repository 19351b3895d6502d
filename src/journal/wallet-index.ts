/**
 * Numbers wallet ids 0, 1, 2, ... in order of arrival. A Set of a million id strings takes about 100 MB; here a wallet takes 20
 * bytes of key and about 8 of table, outside the JavaScript heap.
 */
import { createHash, randomFillSync } from 'node:crypto';

const WORDS = 5;
const KEY_BYTES = 4 * WORDS;
const isEvm = (id: string) => id.length === 2 + 2 * KEY_BYTES && id.startsWith('0x');
/** Wallets in a block of keys. Blocks are added: copying to a larger array would be the peak of memory in a long list. */
const BLOCK = 2_048;

/** Writes the id into the 20 bytes of `key`: an EVM address is exactly that long, anything else is hashed. */
function writeKey(id: string, key: Buffer): void {
  // A name may begin and be as long as an address.
  if (isEvm(id) && key.write(id.slice(2), 'hex') === KEY_BYTES) return;
  createHash('sha256').update(id).digest().copy(key);
}

/**
 * Simple tabulation: a random number for each value of each byte; those of an id are xored. Without knowing the numbers, which
 * differ in each index, nobody can make addresses that collide, and linear probing stays short (Patrascu and Thorup, The Power
 * of Simple Tabulation Hashing, 2012). A seeded multiplicative hash would not do: differences in high bits pass through it with
 * any seed.
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

/** Open addressing with linear probing, never more than half full. */
export class WalletIndex {
  private count = 0;
  private readonly keys: Uint32Array[] = [];
  /** Each slot holds a wallet's number plus one; 0 is a free slot. The length is a power of two. */
  private slots = new Uint32Array(2048);
  private readonly sought = new Uint32Array(WORDS);
  private readonly soughtBytes = Buffer.from(this.sought.buffer);
  private readonly hash = createHasher();

  get size(): number {
    return this.count;
  }

  /** The wallet's number, or -1. */
  find(id: string): number {
    writeKey(id, this.soughtBytes);
    return (this.slots[this.probe()] ?? 0) - 1;
  }

  /** The wallet's number; a new wallet gets the next one. */
  add(id: string): number {
    writeKey(id, this.soughtBytes);
    const held = this.slots[this.probe()];
    if (held) return held - 1;
    if (this.count * 2 === this.slots.length) this.grow();
    if (this.count % BLOCK === 0) this.keys.push(new Uint32Array(WORDS * BLOCK));
    this.blockOf(this.count).set(this.sought, startOf(this.count));
    this.slots[this.probe()] = this.count + 1;
    this.count += 1;
    return this.count - 1;
  }

  private blockOf(number: number): Uint32Array {
    return this.keys[Math.floor(number / BLOCK)] ?? this.sought;
  }

  private isSought(number: number): boolean {
    const { sought } = this;
    const block = this.blockOf(number);
    const start = startOf(number);
    for (let i = 0; i < WORDS; i++) if (block[start + i] !== sought[i]) return false;
    return true;
  }

  /** The slot of the sought wallet, or the free slot where it belongs. */
  private probe(): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = this.hash(this.sought, 0) & mask;
    for (let held = slots[slot]; held && !this.isSought(held - 1); held = slots[slot]) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.count; number++) {
      let slot = this.hash(this.blockOf(number), startOf(number)) & mask;
      while (slots[slot]) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.slots = slots;
  }
}

/** Where the wallet's key begins in its block. */
const startOf = (number: number) => (number % BLOCK) * WORDS;

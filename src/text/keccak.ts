// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array
/**
 * SHA3-256 (FIPS 202), and Keccak-256, the hash of Ethereum, which differs in one byte of the padding. node has only the first,
 * and takes 4 ms to load it; libraries have all of the family, and one wallet would load 2 ms of code for two short hashes.
 */

/** SHA3-256 of the UTF-8 bytes of `text`, in hex digits. */
export const sha3 = (text: string): string => hash(text, 0x06);

/** Keccak-256 of the UTF-8 bytes of `text`, in hex digits. */
export const keccak256 = (text: string): string => hash(text, 0x01);

/** The bytes of the state that a block fills, for hashes of this length (FIPS 202, 6.1). */
const BLOCK_BYTES = 136;
const HASH_BYTES = 32;

function hash(text: string, suffix: number): string {
  const length = Buffer.byteLength(text);
  const padded = new Int32Array((length + BLOCK_BYTES - (length % BLOCK_BYTES)) / 4);
  const bytes = Buffer.from(padded.buffer);
  bytes.write(text);
  bytes[length] = suffix;
  bytes[bytes.length - 1]! |= 0x80;
  const state = new Int32Array(2 * LANES);
  for (let at = 0; at < padded.length; at += BLOCK_BYTES / 4) {
    for (let i = 0; i < BLOCK_BYTES / 4; i++) state[i]! ^= padded[at + i]!;
    permute(state);
  }
  return Buffer.from(state.buffer, 0, HASH_BYTES).toString('hex');
}

/** Lanes of 64 bits, five planes of five: each is its low half and then its high one. */
const LANES = 25;
const PLANE = 10;

/** For each step of rho and pi: by how many bits its lane is rotated, and to which it moves (FIPS 202, 3.2.2 and 3.2.3). */
const ROTATIONS = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44];
const MOVES = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1];

/** The constants of the 24 rounds (FIPS 202, 3.2.5). */
const ROUNDS = roundConstants();

function roundConstants(): Int32Array {
  const constants = new Int32Array(2 * 24);
  let register = 1;
  for (let round = 0; round < constants.length; round += 2) {
    for (let j = 0; j < 7; j++) {
      const bit = (1 << j) - 1;
      const half = round + (bit >> 5);
      if (register & 1) constants[half]! ^= 1 << (bit & 31);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
  }
  return constants;
}

/**
 * Keccak-f[1600] (FIPS 202, 3.3): each round is theta, rho and pi, chi, iota. One lean function, since V8 would optimise smaller
 * ones for two hashes, which takes longer than the hashes do.
 */
function permute(s: Int32Array): void {
  const c = new Int32Array(PLANE + 2);
  for (let round = 0; round < ROUNDS.length; round += 2) {
    for (let x = 0; x < PLANE; x++) c[x] = s[x]! ^ s[x + 10]! ^ s[x + 20]! ^ s[x + 30]! ^ s[x + 40]!;
    c[PLANE] = c[0]!;
    c[PLANE + 1] = c[1]!;
    for (let x = 0; x < PLANE; x++) {
      const d = c[x < 2 ? x + 8 : x - 2]! ^ (c[x + 2]! << 1) ^ (c[(x + 2) ^ 1]! >>> 31);
      s[x]! ^= d;
      s[x + 10]! ^= d;
      s[x + 20]! ^= d;
      s[x + 30]! ^= d;
      s[x + 40]! ^= d;
    }
    let low = s[2]!;
    let high = s[3]!;
    for (let step = 0; step < ROTATIONS.length; step++) {
      const bits = ROTATIONS[step]!;
      const to = 2 * MOVES[step]!;
      const first = bits < 32 ? low : high;
      const second = bits < 32 ? high : low;
      low = s[to]!;
      high = s[to + 1]!;
      // Shifts count modulo 32.
      s[to] = (first << bits) | (second >>> -bits);
      s[to + 1] = (second << bits) | (first >>> -bits);
    }
    for (let from = 0; from < s.length; from += PLANE) {
      const low0 = s[from]!;
      const high0 = s[from + 1]!;
      const low1 = s[from + 2]!;
      const high1 = s[from + 3]!;
      for (let at = from; at < from + 6; at++) s[at]! ^= ~s[at + 2]! & s[at + 4]!;
      s[from + 6]! ^= ~s[from + 8]! & low0;
      s[from + 7]! ^= ~s[from + 9]! & high0;
      s[from + 8]! ^= ~low0 & low1;
      s[from + 9]! ^= ~high0 & high1;
    }
    s[0]! ^= ROUNDS[round]!;
    s[1]! ^= ROUNDS[round + 1]!;
  }
}

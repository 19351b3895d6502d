/**
 * Repeatable randomness: the same seed gives the same keys, faults and profiles on every machine.
 * Not for secrets.
 */

/** Uniform in [0, 1). */
export type Random = () => number;

/**
 * Mulberry32: 32 bits of state, a handful of multiplications a draw, good enough to look natural.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * FNV-1a over 32 bits, blind to the case of ASCII letters: one wallet, one hash, however it is
 * spelled.
 */
export function hashIgnoringCase(text: string): number {
  let hash = 0x811c9dc5;
  // Bit 5 tells a from A and is set in every digit already.
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ (text.charCodeAt(i) | 0x20), 0x01000193);
  return hash >>> 0;
}

/** Chance from a seed: the same numbers each time, and streams that do not disturb each other. */

export type Random = () => number;

/**
 * A well mixed 32-bit number out of any number of parts (FNV-1a, then a finaliser of MurmurHash3).
 */
export function hash(...parts: readonly (string | number)[]): number {
  let h = 0x811c9dc5;
  for (const part of parts) {
    const text = `${part}|`;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** mulberry32: each stream is named, so that one that is asked more often moves no other. */
export function randomOf(...name: readonly (string | number)[]): Random {
  let state = hash(...name);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A whole number from `least` up to and with `most`. */
export const between = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));

/** A number between the two, small ones as likely as large ones by their logarithm. */
export const spread = (random: Random, least: number, most: number) => least * (most / least) ** random();

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

export const chance = (random: Random, share: number) => random() < share;

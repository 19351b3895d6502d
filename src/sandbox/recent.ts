/**
 * Which wallets were answered within the last 30 seconds (contract, section 4.2). Answers are a function of the wallet,
 * so only the time is kept. Memory is bounded by two generations: when the young one is full it becomes the old one,
 * and what was in the old one is forgotten, possibly before its time.
 */
const CACHED_MS = 30_000;
const GENERATION = 20_000;

export interface Recent {
  /** The age of the cached answer in milliseconds; undefined when there is none: then one starts at `now`. */
  age(wallet: string, now: number): number | undefined;
}

export function createRecent(): Recent {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  return {
    age(wallet, now) {
      const answeredAt = young.get(wallet) ?? old.get(wallet);
      if (answeredAt !== undefined && now - answeredAt < CACHED_MS) return now - answeredAt;
      if (young.size >= GENERATION) {
        old = young;
        young = new Map();
      }
      young.set(wallet, now);
      return undefined;
    },
  };
}

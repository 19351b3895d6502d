/** Keeps the first `limit` of many items in the order of `compare`. */
export function createTop<K, T>(limit: number, compare: (a: K, b: K) => number) {
  const kept: { readonly key: K; readonly item: T }[] = [];
  let count = 0;
  /** After all items that are not greater than `key`. */
  function insertionIndex(key: K): number {
    let [low, high] = [0, kept.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = kept[middle];
      if (other && compare(other.key, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  return {
    /** How many were offered. */
    get count() {
      return count;
    },
    /** `make` is called when the item is kept. Equal items stay in the order in which they came. */
    offer(key: K, make: () => T): void {
      count += 1;
      const at = insertionIndex(key);
      if (at === limit) return;
      kept.splice(at, 0, { key, item: make() });
      if (kept.length > limit) kept.pop();
    },
    all: (): readonly T[] => kept.map(({ item }) => item),
  };
}

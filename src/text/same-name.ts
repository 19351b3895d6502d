/** Which of the names in a list somebody means. */

/**
 * The indexes of the `names` equal to `wanted`; if none is, of those that differ only in case, in
 * blanks at either end, or in how an accent is encoded: macOS decomposes a letter with one, and a
 * keyboard does not.
 */
export function matchNames(names: readonly string[], wanted: string): readonly number[] {
  const same = indexesOf(names, (name) => name === wanted);
  const folded = fold(wanted);
  return same.length > 0 ? same : indexesOf(names, (name) => fold(name) === folded);
}

const fold = (name: string) => name.normalize().trim().toLowerCase();

const indexesOf = (names: readonly string[], is: (name: string) => boolean): readonly number[] =>
  names.flatMap((name, i) => (is(name) ? [i] : []));

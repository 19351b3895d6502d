/**
 * Which of the names in a list somebody means. A letter with an accent has two spellings in
 * Unicode: macOS and some exports decompose it (NFD), a keyboard composes it (NFC), and nobody sees
 * the difference.
 */

/**
 * The indexes of the `names` equal to `wanted`; if none is, of those that are equal when composed.
 */
export function sameNames(names: readonly string[], wanted: string): readonly number[] {
  const exact = indexesOf(names, (name) => name === wanted);
  const composed = wanted.normalize();
  return exact.length > 0 ? exact : indexesOf(names, (name) => name.normalize() === composed);
}

/** The same; if there are none, of those that differ only in case or in blanks at either end. */
export function matchNames(names: readonly string[], wanted: string): readonly number[] {
  const same = sameNames(names, wanted);
  const folded = fold(wanted);
  return same.length > 0 ? same : indexesOf(names, (name) => fold(name) === folded);
}

const fold = (name: string) => name.normalize().trim().toLowerCase();

const indexesOf = (names: readonly string[], is: (name: string) => boolean): readonly number[] =>
  names.flatMap((name, i) => (is(name) ? [i] : []));

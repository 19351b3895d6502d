/**
 * Suggestions for a mistyped name: the names that are spelled most like it, and the words of the
 * hint.
 */
import { distance } from 'fastest-levenshtein';

/** `names` by edit distance from `typed`, the nearest first. */
export const nearestFirst = (typed: string, names: readonly string[]): readonly string[] =>
  names.toSorted((a, b) => distance(a, typed) - distance(b, typed));

/**
 * The one of `names` in which two neighbouring letters are exchanged (two edits, and one slip),
 * else the nearest to `typed`; undefined when its edit distance is above `mayDiffer` of it.
 */
export function nearestName(
  typed: string,
  names: readonly string[],
  mayDiffer: (nearest: string) => number,
): string | undefined {
  const exchanged = names.find((name) => isExchanged(typed, name));
  if (exchanged !== undefined) return exchanged;
  const [nearest] = nearestFirst(typed, names);
  return nearest !== undefined && distance(nearest, typed) <= mayDiffer(nearest) ? nearest : undefined;
}

export const didYouMean = (suggested: readonly string[]): string => `did you mean ${suggested.join(' or ')}?`;

/** The same for a path into answers. */
export const didYouMeanPath = (suggested: readonly string[]): string =>
  `${didYouMean(suggested)} If it may be absent, put '?' after the path`;

function isExchanged(typed: string, name: string): boolean {
  const at = [...typed].findIndex((letter, i) => letter !== name[i]);
  if (at < 0) return false;
  return name === `${typed.slice(0, at)}${typed[at + 1]}${typed[at]}${typed.slice(at + 2)}`;
}

/** What may have been meant by what was typed: the names that are spelled most like it, and how a hint offers them. */
import { distance } from 'fastest-levenshtein';

/** `names`, the one that is spelled most like `typed` first. */
export const nearestFirst = (typed: string, names: readonly string[]): readonly string[] =>
  names.toSorted((a, b) => distance(a, typed) - distance(b, typed));

/** The one of `names` that is spelled most like `typed`; undefined when more letters of it differ than `mayDiffer` says. */
export function nearestName(
  typed: string,
  names: readonly string[],
  mayDiffer: (nearest: string) => number,
): string | undefined {
  const [nearest] = nearestFirst(typed, names);
  return nearest !== undefined && distance(nearest, typed) <= mayDiffer(nearest) ? nearest : undefined;
}

export const didYouMean = (meant: readonly string[]): string => `did you mean ${meant.join(' or ')}?`;

/** The same for a path into answers. */
export const didYouMeanPath = (meant: readonly string[]): string =>
  `${didYouMean(meant)} If it may be absent, put '?' after the path`;

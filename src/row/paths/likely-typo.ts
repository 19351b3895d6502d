/**
 * Paths that are probably mistyped, found before an answer is paid for. What the service calls its fields is open, so this is
 * a guess and stops nothing: only names next to one that every row has are taken for a slip.
 */
import { distance } from 'fastest-levenshtein';
import type { Path } from '../../document/path.ts';
import { FIELD_PATHS, formatRowPath, META, OWN_NAMES } from './own-names.ts';
import { parseRowPath } from './row-path.ts';

/** The known paths that `path` may have been meant as; none where it is known, or may well be the service's own. */
export function likelyMeant(path: Path): readonly string[] {
  const [first] = path;
  const known = FIELD_PATHS.map(parseRowPath);
  // `["status"]` is what it says: the document's own.
  if (OWN_NAMES.some((name) => name === first) || known.some(([key]) => key === first)) return [];
  const meant = known.flatMap((one) => {
    if (isNear(first, one[0])) return [[one[0] ?? META, ...path.slice(1)]];
    return isNear(first, one.at(-1)) ? [one] : [];
  });
  return [...new Set(meant.map(formatRowPath))];
}

type Key = Path[number] | undefined;

/** Whether `typed` may be a slip for `meant`: how many letters may be wrong before a name is another one. */
function isNear(typed: Key, meant: Key): boolean {
  const name = String(meant);
  return distance(String(typed).toLowerCase(), name) <= (name.length < 8 ? 1 : 2);
}

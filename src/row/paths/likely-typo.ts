/**
 * Finds paths that are probably mistyped before an answer is paid for. The service's field names are not known, so this is a
 * guess and only a warning: names similar to one that every row has.
 */
import { distance } from 'fastest-levenshtein';
import type { Path } from '../../document/path.ts';
import { FIELD_PATHS, formatRowPath, META, OWN_NAMES } from './own-names.ts';
import { parseRowPath } from './row-path.ts';

/** The known paths that `path` may be a misspelling of; none if it is known, or similar to none. */
export function likelyMeant(path: Path): readonly string[] {
  const [first] = path;
  const known = FIELD_PATHS.map(parseRowPath);
  // `["status"]` is meant: the document's own.
  if (OWN_NAMES.some((name) => name === first) || known.some(([key]) => key === first)) return [];
  const meant = known.flatMap((one) => {
    if (isNear(first, one[0])) return [[one[0] ?? META, ...path.slice(1)]];
    return isNear(first, one.at(-1)) ? [one] : [];
  });
  return [...new Set(meant.map(formatRowPath))];
}

type Key = Path[number] | undefined;

/** Whether `typed` may be a misspelling of `meant`: one wrong letter in a short name, two in a longer one. */
function isNear(typed: Key, meant: Key): boolean {
  const name = String(meant);
  return distance(String(typed).toLowerCase(), name) <= (name.length < 8 ? 1 : 2);
}

/** Suggests paths that answers have for a path that they do not have. */
import { distance } from 'fastest-levenshtein';
import type { Node } from '../document/node.ts';
import { parsePath } from '../document/parse-path.ts';
import { formatPath, type Path } from '../document/path.ts';
import { ownCopy } from '../text/own-copy.ts';
import { formatRowPath } from './meta-shortcuts.ts';

/** Paths remembered: enough for any real answer, and a bound for maps keyed by token or wallet. */
const MAX_SEEN_PATHS = 1_000;
/** Longer paths are not useful as suggestions. */
const MAX_PATH_LENGTH = 200;
/** More wrong letters make it a different name. */
const MAX_WRONG_LETTERS = 2;

/**
 * Adds the paths in `root` to `found`, breadth first so that a large part cannot crowd out the
 * rest. Only the first item of an array is added, since the others differ only in the index.
 */
export function collectPaths(root: Node, found: Set<string>): void {
  const queue: { readonly path: Path; readonly node: Node }[] = [{ path: [], node: root }];
  for (const { path, node } of queue) {
    if (found.size >= MAX_SEEN_PATHS) return;
    const text = formatRowPath(path);
    if (text.length > MAX_PATH_LENGTH) continue;
    if (path.length > 0 && !found.has(text)) found.add(ownCopy(text));
    if (node.kind === 'array' && node.items[0]) queue.push({ path: [...path, 0], node: node.items[0] });
    if (node.kind === 'object')
      for (const [key, value] of node.members) queue.push({ path: [...path, key], node: value });
  }
}

/**
 * The paths in `found` that are near to `path`. `isLikely`: whether `path` misspells them or ends
 * them (users leave out parents, too). If false, they only share the last key, or one like it.
 */
export function nearPaths(
  path: Path,
  found: Iterable<string>,
): { readonly paths: readonly string[]; readonly isLikely: boolean } {
  const all = [...found];
  const text = formatRowPath(path);
  const typed = parsePath(text);
  const end = text.startsWith('[') ? text : `.${text}`;
  const likely = all.filter((one) => one.endsWith(end) || isMisspelled(typed, parsePath(one)));
  if (likely.length > 0) return { paths: likely, isLikely: true };
  const key = formatPath(path.slice(-1));
  const endOf = (one: string) => formatPath(parsePath(one).slice(-1));
  const sameLastKey = all.filter((one) => endOf(one).toLowerCase() === key.toLowerCase());
  return {
    paths: sameLastKey.length > 0 ? sameLastKey : all.filter((one) => isNearKey(key, endOf(one))),
    isLikely: false,
  };
}

/**
 * Whether the keys of `typed` are the keys of `path` apart from typing errors; positions in arrays
 * do not matter.
 */
function isMisspelled(typed: Path, path: Path): boolean {
  if (typed.length !== path.length) return false;
  const typos = typed.flatMap((key, i) => {
    const other = path[i];
    return typeof key === 'number' && typeof other === 'number' ? [] : key === other ? [] : [[key, other] as const];
  });
  return typos.length > 0 && typos.every(([key, other]) => isNearKey(String(key), String(other)));
}

/**
 * Whether `typed` may be a misspelling of `key`. Keys that differ only in digits are
 * different: `tier_1`, `tier_2`.
 */
function isNearKey(typed: string, key: string): boolean {
  const [a, b] = [typed.toLowerCase(), key.toLowerCase()];
  if (Math.abs(a.length - b.length) > MAX_WRONG_LETTERS) return false;
  const wrong = distance(a, b);
  if (wrong > MAX_WRONG_LETTERS || wrong >= Math.min(a.length, b.length)) return false;
  return typed !== key && (wrong === 0 || a.replace(/\d/g, '') !== b.replace(/\d/g, ''));
}

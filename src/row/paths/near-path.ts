/** Suggests paths that answers have for a path that they do not have. */
import { distance } from 'fastest-levenshtein';
import type { Node } from '../../document/node.ts';
import { parsePath } from '../../document/parse-path.ts';
import { childrenOf, formatPath, type Located, type Path } from '../../document/path.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { documentPathText, formatRowPath, META } from './own-names.ts';

/** Paths remembered: enough for any real answer, and a bound for maps keyed by token or wallet. */
const MAX_SEEN_PATHS = 1_000;
/** Longer paths are not useful as suggestions. */
const MAX_PATH_LENGTH = 200;
/** More wrong letters make it a different name. */
const MAX_WRONG_LETTERS = 2;

/**
 * Adds the paths in `root` to `seen`, breadth first so that a large part cannot crowd out the rest. Of an array only the first
 * item is added, since the others differ only in the index.
 */
export function collectPaths(root: Node, seen: Set<string>): void {
  const queue: Located[] = [{ path: '', node: root }];
  for (const located of queue) {
    if (seen.size >= MAX_SEEN_PATHS) return;
    const text = shownText(located.path);
    if (located.path !== '' && !seen.has(text)) seen.add(ownCopy(text));
    const inner = childrenOf(located);
    for (const child of located.node.kind === 'array' ? inner.slice(0, 1) : inner) {
      if (child.path.length <= MAX_PATH_LENGTH) queue.push(child);
    }
  }
}

const OWN_PREFIX = `${META}.`;

/** The text of the path in a row. */
function shownText(path: string): string {
  const short = path.startsWith(OWN_PREFIX) ? path.slice(OWN_PREFIX.length) : undefined;
  if (short === undefined) return documentPathText(path);
  return documentPathText(short) === short ? path : short;
}

/** The paths in `seen` that `path` is a misspelling of, or the end of: users leave out the parents of a value as well. */
export function pathsMeant(path: Path, seen: Iterable<string>): readonly string[] {
  const text = formatRowPath(path);
  const typed = parsePath(text);
  const end = text.startsWith('[') ? text : `.${text}`;
  return [...seen].filter((one) => one.endsWith(end) || isMisspelled(typed, parsePath(one)));
}

/** The same, or else the paths that end in a similar key: for a path that nobody can have meant. */
export function pathsAlike(path: Path, seen: Iterable<string>): readonly string[] {
  const all = [...seen];
  const meant = pathsMeant(path, all);
  if (meant.length > 0) return meant;
  const key = formatPath(path.slice(-1));
  const endOf = (text: string) => formatPath(parsePath(text).slice(-1));
  const same = all.filter((text) => endOf(text).toLowerCase() === key.toLowerCase());
  return same.length > 0 ? same : all.filter((text) => isNearKey(key, endOf(text)));
}

/** Whether the keys of `typed` are the keys of `meant` apart from typing errors; positions in arrays do not matter. */
function isMisspelled(typed: Path, meant: Path): boolean {
  if (typed.length !== meant.length) return false;
  const slips = typed.flatMap((key, i) => {
    const other = meant[i];
    return typeof key === 'number' && typeof other === 'number' ? [] : key === other ? [] : [[key, other] as const];
  });
  return slips.length > 0 && slips.every(([key, other]) => isNearKey(String(key), String(other)));
}

/** Whether `typed` may be a misspelling of the key `meant`. Keys that differ only in digits are different: `tier_1`, `tier_2`. */
export function isNearKey(typed: string, meant: string): boolean {
  const [a, b] = [typed.toLowerCase(), meant.toLowerCase()];
  if (Math.abs(a.length - b.length) > MAX_WRONG_LETTERS) return false;
  const wrong = distance(a, b);
  if (wrong > MAX_WRONG_LETTERS || wrong >= Math.min(a.length, b.length)) return false;
  return typed !== meant && (wrong === 0 || a.replace(/\d/g, '') !== b.replace(/\d/g, ''));
}

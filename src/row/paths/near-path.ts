/** Suggestions for a path that no answer had, among the paths that answers had. */
import { distance } from 'fastest-levenshtein';
import type { Node } from '../../document/node.ts';
import { childrenOf, formatPath, type Located, type Path } from '../../document/path.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { documentPathText, formatRowPath, META } from './own-names.ts';

/** Paths remembered for suggestions: enough for any real answer, and a bound for maps keyed by token or wallet. */
const MAX_SEEN_PATHS = 1_000;
/** Longer paths are not useful as suggestions. */
const MAX_PATH_LENGTH = 200;
const MAX_SUGGESTIONS = 3;
/** More wrong letters make it a different name. */
const MAX_WRONG_LETTERS = 2;

/**
 * Adds the paths in `root`, which is at `path`, to `seen`, breadth first so that a large part cannot crowd out the rest. Of an
 * array only the first item is added, since the others differ only in the index.
 */
export function collectPaths(root: Node, seen: Set<string>, path = ''): void {
  const queue: Located[] = [{ path, node: root }];
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

/** Whether `typed` may be a misspelling of the key `meant`. Keys that differ only in digits are different: `tier_1`, `tier_2`. */
export function isNearKey(typed: string, meant: string): boolean {
  const [a, b] = [typed.toLowerCase(), meant.toLowerCase()];
  if (Math.abs(a.length - b.length) > MAX_WRONG_LETTERS) return false;
  const wrong = distance(a, b);
  if (wrong > MAX_WRONG_LETTERS || wrong >= Math.min(a.length, b.length)) return false;
  return typed !== meant && (wrong === 0 || a.replace(/\d/g, '') !== b.replace(/\d/g, ''));
}

/** The paths in `seen` that end in `path`: users leave out the parents of a value more often than they misspell it. */
export function pathsEndingIn(path: Path, seen: Iterable<string>): readonly string[] {
  const end = formatPath(path);
  const joined = end.startsWith('[') ? end : `.${end}`;
  return [...seen].filter((text) => text.endsWith(joined));
}

/** The nearest of `seen`, best first, at most three: those that end in the same key, else those with a similar spelling. */
export function nearestPaths(path: Path, seen: Iterable<string>): readonly string[] {
  const wanted = formatRowPath(path).toLowerCase();
  const lastKey = formatPath(path.slice(-1)).toLowerCase();
  const ranked = [...seen].map((text) => {
    const candidate = text.toLowerCase();
    const sameKey = candidate.endsWith(`.${lastKey}`);
    const [whole, key] = [wrongLetters(candidate, wanted), wrongLetters(lastKeyOf(candidate), lastKey)];
    return { text, sameKey, whole, steps: Math.min(whole, key) };
  });
  ranked.sort((a, b) => Number(b.sameKey) - Number(a.sameKey) || a.steps - b.steps || a.whole - b.whole);
  const [best] = ranked;
  return ranked
    .filter(({ sameKey, steps }) => sameKey || (!best?.sameKey && steps === best?.steps && Number.isFinite(steps)))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ text }) => text);
}

const lastKeyOf = (text: string) => text.slice(text.lastIndexOf('.') + 1);

/** The edit distance of the two; infinite when it is above two, or a third of a long name. */
function wrongLetters(one: string, wanted: string): number {
  const wrong = distance(one, wanted);
  const limit = Math.max(MAX_WRONG_LETTERS, Math.floor(wanted.length / 3));
  return wrong <= limit && wrong < wanted.length ? wrong : Number.POSITIVE_INFINITY;
}

/**
 * Paths into a document, as output names values and users type them (parse-path.ts):
 * `a.b[0]["c.d"]`. A key that contains a character with a meaning in a path, in --fields or in
 * --fail-if is written as a JSON string in brackets.
 */
import { UNSAFE } from '../text/escape.ts';
import type { Node, ObjectNode } from './node.ts';
import { writeString } from './write.ts';

/** Keys are strings, positions in an array are numbers from 0. */
export type Path = readonly (string | number)[];

/** The text of `path`, which parsePath reads back. */
export const formatPath = (path: Path): string => path.reduce<string>(joinPath, '');

/** The text of the path `path` with one more step; `''` is the document itself. */
export function joinPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (!isBare(step)) return `${path}[${writeString(step)}]`;
  return path === '' ? step : `${path}.${step}`;
}

/**
 * The value at `path`, or undefined. If a key is given twice, the last one counts, as in every JSON
 * library.
 */
export function lookup(node: Node, path: Path): Node | undefined {
  let found: Node | undefined = node;
  for (const step of path) {
    if (found?.kind === 'object' && typeof step === 'string') found = memberOf(found, step);
    else if (found?.kind === 'array' && typeof step === 'number') found = found.items[step];
    else return undefined;
  }
  return found;
}

/**
 * The value of `key` in `object`, the last one when there are several. Without a function for each
 * member, and without destructuring, which allocates an iterator and its results: V8 optimises
 * nothing of a list that waits.
 */
export function memberOf({ members }: ObjectNode, key: string): Node | undefined {
  for (let at = members.length - 1; at >= 0; at--) {
    const member = members[at];
    if (member?.[0] === key) return member[1];
  }
  return undefined;
}

export interface Located {
  readonly path: string;
  readonly node: Node;
}

/**
 * Every scalar of `root` with its path, in the document's order; an empty object or array counts as
 * one. `path` is the path of `root`. Memory holds one container for each level.
 */
export function* leaves(root: Node, path = ''): Generator<Located> {
  const open: { readonly within: Located; next: number }[] = [];
  for (let located: Located | undefined = { path, node: root }; located; ) {
    if (childAt(located, 0)) open.push({ within: located, next: 0 });
    else yield located;
    located = undefined;
    for (let inner = open.at(-1); inner && !located; inner = open.at(-1)) {
      located = childAt(inner.within, inner.next++);
      if (!located) open.pop();
    }
  }
}

function childAt({ path, node }: Located, index: number): Located | undefined {
  if (node.kind === 'object') {
    const member = node.members[index];
    return member && { path: joinPath(path, member[0]), node: member[1] };
  }
  const item = node.kind === 'array' ? node.items[index] : undefined;
  return item && { path: joinPath(path, index), node: item };
}

/**
 * `? * < >` have a meaning after a path in --fields and --fail-if; a colon followed by white space
 * ends a name there; white space at either end would be trimmed; a line that begins with `::` is
 * run by GitHub Actions.
 */
const isBare = (key: string) =>
  !/^::|:(?:\s|$)/.test(key) &&
  /^[^\s.[\],="?*<>](?:[^.[\],="?*<>]*[^\s.[\],="?*<>])?$/.test(key) &&
  key.search(UNSAFE) < 0;

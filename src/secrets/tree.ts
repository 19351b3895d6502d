/** Withholds what may be a private key in a JSON document; everything else stays as it was spelled. */

import type { WalletFormat } from '../wallet-format.ts';
import { withholdEach } from './mnemonic.ts';
import { isTooShortForSecret } from './private-key.ts';

/** The same type as `Node` of the room `document`, which this room must not import. */
type Tree =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [key: string, value: Tree])[] }
  | { readonly kind: 'number'; readonly spelling: string }
  | { readonly kind: 'literal'; readonly value: boolean | null };

/** `node` without secrets in its keys and strings; `node` itself when it has none. Numbers are never private keys. */
export function withholdTree(node: Tree, format: WalletFormat): Tree {
  // Most values are one scalar, and need no search.
  if (node.kind === 'number' || node.kind === 'literal') return node;
  if (node.kind === 'string' && isTooShortForSecret(node.value)) return node;
  const [strings, keys]: [string[], string[]] = [[], []];
  collect(node, strings, keys);
  const [safeStrings, safeKeys] = [withholdEach(strings, format), withholdEach(keys, format)];
  if (safeStrings === strings && safeKeys === keys) return node;
  return rebuilt(node, taker(safeStrings), taker(safeKeys));
}

function collect(node: Tree, strings: string[], keys: string[]): void {
  if (node.kind === 'string') strings.push(node.value);
  else if (node.kind === 'array') for (const item of node.items) collect(item, strings, keys);
  else if (node.kind === 'object') {
    for (const [key, value] of node.members) {
      keys.push(key);
      collect(value, strings, keys);
    }
  }
}

function taker(texts: readonly string[]): () => string {
  let next = 0;
  return () => texts[next++] ?? '';
}

/** `node` with strings from `nextString` and keys from `nextKey`, in the order of `collect`. */
function rebuilt(node: Tree, nextString: () => string, nextKey: () => string): Tree {
  const inner = (child: Tree) => rebuilt(child, nextString, nextKey);
  switch (node.kind) {
    case 'string':
      return { kind: 'string', value: nextString() };
    case 'array':
      return { kind: 'array', items: node.items.map(inner) };
    case 'object':
      return { kind: 'object', members: node.members.map(([, value]) => [nextKey(), inner(value)] as const) };
    default:
      return node;
  }
}

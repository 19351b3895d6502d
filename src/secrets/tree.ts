/** Takes what may be a private key out of a JSON document; all else of it stays as it was spelled. */
import { withholdEach } from './mnemonic.ts';
import { isTooShortForSecret, type WalletFormat } from './private-key.ts';

/** A document as far as it matters here: what `Node` of the room document is, which stands above this one. */
type Tree =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [key: string, value: Tree])[] }
  | { readonly kind: 'number'; readonly spelling: string }
  | { readonly kind: 'literal'; readonly value: boolean | null };

/** `node` without secrets in its keys and strings; `node` itself when it holds none. Numbers are no keys, however long. */
export function withholdTree(node: Tree, format: WalletFormat): Tree {
  // Most values are one scalar, and need no search.
  if (node.kind === 'number' || node.kind === 'literal') return node;
  if (node.kind === 'string' && isTooShortForSecret(node.value)) return node;
  const found: Texts = { strings: [], keys: [] };
  collect(node, found);
  const strings = withholdEach(found.strings, format);
  const keys = withholdEach(found.keys, format);
  if (strings === found.strings && keys === found.keys) return node;
  return rebuilt(node, { string: taker(strings), key: taker(keys) });
}

interface Texts {
  readonly strings: string[];
  readonly keys: string[];
}

function collect(node: Tree, found: Texts): void {
  if (node.kind === 'string') found.strings.push(node.value);
  else if (node.kind === 'array') for (const item of node.items) collect(item, found);
  else if (node.kind === 'object') {
    for (const [key, value] of node.members) {
      found.keys.push(key);
      collect(value, found);
    }
  }
}

function taker(texts: readonly string[]): () => string {
  let next = 0;
  return () => texts[next++] ?? '';
}

/** What stands for the next string and the next key, in the order in which they were collected. */
interface Replacement {
  readonly string: () => string;
  readonly key: () => string;
}

function rebuilt(node: Tree, next: Replacement): Tree {
  switch (node.kind) {
    case 'string':
      return { kind: 'string', value: next.string() };
    case 'array':
      return { kind: 'array', items: node.items.map((item) => rebuilt(item, next)) };
    case 'object':
      return { kind: 'object', members: node.members.map(([, value]) => [next.key(), rebuilt(value, next)] as const) };
    default:
      return node;
  }
}

/** Withholds what may be a private key in a JSON document; everything else stays as it was spelled. */

import { withholdPrivateKeys } from './private-key.ts';

/** The same type as `Node` of the room `document`, which this room must not import. */
type Tree =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [key: string, value: Tree])[] }
  | { readonly kind: 'number'; readonly spelling: string }
  | { readonly kind: 'literal'; readonly value: boolean | null };

/** `node` without private keys in its keys and strings. Numbers never are one. */
export function withholdTree(node: Tree): Tree {
  switch (node.kind) {
    case 'string':
      return { kind: 'string', value: withholdPrivateKeys(node.value) };
    case 'array':
      return { kind: 'array', items: node.items.map(withholdTree) };
    case 'object':
      return {
        kind: 'object',
        members: node.members.map(([key, value]) => [withholdPrivateKeys(key), withholdTree(value)] as const),
      };
    default:
      return node;
  }
}

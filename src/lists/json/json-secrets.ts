/** Takes what may be a private key out of an element of a JSON list; all else of it stays as it was spelled. */
import type { Node } from '../../document/node.ts';
import type { WalletFormat } from '../../text/secret.ts';
import { withholdEach } from '../../wallet/mnemonic.ts';

/** `node` without secrets in its keys and strings; `node` itself when it holds none. Numbers are no keys, however long. */
export function withholdNode(node: Node, format: WalletFormat): Node {
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

function collect(node: Node, found: Texts): void {
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

function rebuilt(node: Node, next: Replacement): Node {
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

/** Takes what may be a private key out of an element of a JSON list; all else of it stays as it was spelled. */
import type { Node } from '../document/node.ts';
import { type WalletFormat, withhold, withholdEach } from '../wallet/secret.ts';

/** `node` without secrets in its keys and strings; `node` itself when it holds none. Numbers are no keys, however long. */
export function withholdNode(node: Node, format: WalletFormat): Node {
  const strings: string[] = [];
  const keys: string[] = [];
  collect(node, { strings, keys });
  const safe = withholdEach(strings, format);
  if (safe === strings && keys.every((key) => withhold(key, format) === key)) return node;
  const left = safe.values();
  return rebuilt(node, { next: () => left.next().value ?? '', format });
}

interface Found {
  readonly strings: string[];
  readonly keys: string[];
}

function collect(node: Node, found: Found): void {
  if (node.kind === 'string') found.strings.push(node.value);
  else if (node.kind === 'array') for (const item of node.items) collect(item, found);
  else if (node.kind === 'object') {
    for (const [key, value] of node.members) {
      found.keys.push(key);
      collect(value, found);
    }
  }
}

interface Replacement {
  /** What stands for the next string, in the order in which they were collected. */
  readonly next: () => string;
  readonly format: WalletFormat;
}

function rebuilt(node: Node, replacement: Replacement): Node {
  switch (node.kind) {
    case 'string':
      return { kind: 'string', value: replacement.next() };
    case 'array':
      return { kind: 'array', items: node.items.map((item) => rebuilt(item, replacement)) };
    case 'object': {
      const { format } = replacement;
      const members = node.members.map(([key, value]) => [withhold(key, format), rebuilt(value, replacement)] as const);
      return { kind: 'object', members };
    }
    default:
      return node;
  }
}

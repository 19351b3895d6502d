/** A document as ordinary values, for a schema to judge. What is shown or stored always comes from the document itself. */
import type { Node } from './node.ts';

/**
 * `node` as JSON.parse would give it, but for three things: objects have no prototype, so `__proto__` and
 * `constructor` are data; of a key given twice the last counts; a number beyond a double's range is the largest
 * finite double, because schemas refuse Infinity and 1e400 is a number all the same.
 */
export function toPlain(node: Node): unknown {
  switch (node.kind) {
    case 'object': {
      const plain: Record<string, unknown> = Object.create(null);
      for (const [key, value] of node.members) plain[key] = toPlain(value);
      return plain;
    }
    case 'array':
      return node.items.map(toPlain);
    case 'number':
      return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(node.spelling)));
    default:
      return node.value;
  }
}

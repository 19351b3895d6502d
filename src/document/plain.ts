/** The fields of a document that a schema judges, as ordinary values. What is shown or stored always comes from the document itself. */
import { isScalar, type Node, type ScalarNode } from './node.ts';
import { memberOf } from './path.ts';

/**
 * The members `names` of `node` as JSON.parse would give them, but that a container is empty: whether there is one is all
 * that is judged. Of a key given twice the last counts. Undefined when `node` is no object.
 */
export function plainFields(node: Node, names: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (node.kind !== 'object') return undefined;
  const plain: Record<string, unknown> = {};
  for (const name of names) {
    const value = memberOf(node, name);
    if (value) plain[name] = isScalar(value) ? plainScalar(value) : value.kind === 'object' ? {} : [];
  }
  return plain;
}

/** A number beyond a double's range is the largest finite double: schemas refuse Infinity, and 1e400 is a number all the same. */
function plainScalar(node: ScalarNode): unknown {
  if (node.kind !== 'number') return node.value;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(node.spelling)));
}

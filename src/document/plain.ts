/** Plain values as a document: what riskcli says itself, with values of the service among it. */
import { type Node, NULL, numberNode, textNode } from './node.ts';

/**
 * An undefined value becomes null; a node stays as it is, so that numbers of the service keep their
 * digits. It is known by its `kind`, which no other object may have.
 */
export type PlainValue = Node | string | number | boolean | null | undefined | readonly PlainValue[] | PlainObject;
export interface PlainObject {
  readonly [name: string]: PlainValue;
}

export function nodeOf(value: PlainValue): Node {
  if (value === null || value === undefined) return NULL;
  if (typeof value === 'string') return textNode(value);
  if (typeof value === 'number') return numberNode(value);
  if (typeof value === 'boolean') return { kind: 'literal', value };
  if (isPlainArray(value)) return { kind: 'array', items: value.map(nodeOf) };
  if (isNode(value)) return value;
  return { kind: 'object', members: Object.entries(value).map(([name, one]) => [name, nodeOf(one)] as const) };
}

const isPlainArray = (value: PlainValue): value is readonly PlainValue[] => Array.isArray(value);
const isNode = (value: Node | PlainObject): value is Node => 'kind' in value;

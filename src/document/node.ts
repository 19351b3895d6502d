/**
 * A JSON document kept as it was spelled. JSON.parse loses what matters here: the order of keys
 * that look like integers, a key given twice, numbers past 2^53, 1e400, 30 decimals. Arrays of
 * members keep all of it, and a key named `__proto__` is data like any other.
 */
export interface ObjectNode {
  readonly kind: 'object';
  readonly members: readonly (readonly [key: string, value: Node])[];
}
export interface ArrayNode {
  readonly kind: 'array';
  readonly items: readonly Node[];
}
export interface StringNode {
  readonly kind: 'string';
  readonly value: string;
}
/** `spelling` is the number's own text: `1e400`, `-0`, `1.10`. */
export interface NumberNode {
  readonly kind: 'number';
  readonly spelling: string;
}
export interface LiteralNode {
  readonly kind: 'literal';
  readonly value: true | false | null;
}
export type ScalarNode = StringNode | NumberNode | LiteralNode;
export type Node = ObjectNode | ArrayNode | ScalarNode;

export const NULL: LiteralNode = { kind: 'literal', value: null };
/** @param value a number, or the spelling of one */
export const numberNode = (value: number | string): NumberNode => ({ kind: 'number', spelling: String(value) });
export const textNode = (value: string): StringNode => ({ kind: 'string', value });
export const textsNode = (values: readonly string[]): ArrayNode => ({ kind: 'array', items: values.map(textNode) });

/** Whether `node` has no content: null, {}, [] or a blank string. */
export function isEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'object':
      return node.members.length === 0;
    case 'array':
      return node.items.length === 0;
    case 'string':
      return node.value.trim() === '';
    default:
      return node.kind === 'literal' && node.value === null;
  }
}

export function isScalar(node: Node): node is ScalarNode {
  return node.kind !== 'object' && node.kind !== 'array';
}

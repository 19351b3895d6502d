/**
 * Arbitrary documents: every kind of node, hostile keys, numbers in every spelling, strings with
 * lone surrogates.
 */

import type { Node, ObjectNode } from '../../../src/document/node.ts';
import { anyText, fc } from '../../fixtures/properties.ts';

const digits = (constraints: { minLength: number }) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 30, ...constraints });

/** RFC 8259, section 6. */
const numbers = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.integer({ min: 1, max: 9 }), digits({ minLength: 0 })).map((parts) => parts.join('')),
    ),
    fc.oneof(
      fc.constant(''),
      digits({ minLength: 1 }).map((fraction) => `.${fraction}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits({ minLength: 1 })).map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''));

const strings = fc.oneof(
  anyText(),
  fc.array(fc.nat(0xffff), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: fc.constantFrom(...'.[]",=?*<> \\a1') }),
);

const keys = fc.oneof(
  strings,
  fc.constantFrom('__proto__', 'constructor', 'toString', '1', '137', '', 'a', 'b', '_meta'),
);

const { node } = fc.letrec<{ node: Node; object: ObjectNode; array: Node; scalar: Node }>((tie) => ({
  node: fc.oneof({ depthSize: 'small' }, tie('scalar'), tie('array'), tie('object')),
  object: fc.array(fc.tuple(keys, tie('node')), { maxLength: 6 }).map((members) => ({ kind: 'object', members })),
  array: fc.array(tie('node'), { maxLength: 6 }).map((items) => ({ kind: 'array', items })),
  scalar: fc.oneof(
    strings.map((value): Node => ({ kind: 'string', value })),
    numbers.map((spelling): Node => ({ kind: 'number', spelling })),
    fc.constantFrom(true, false, null).map((value): Node => ({ kind: 'literal', value })),
  ),
}));

export { node as documents, numbers };

/**
 * `node` as JSON.parse would give it, but that objects have no prototype and a number beyond a
 * double is the largest one.
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

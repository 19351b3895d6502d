/**
 * Redacts what may be a private key in a JSON document; everything else stays as it was spelled.
 */

import { redactPrivateKeys, redactUnder } from '../secrets/private-key.ts';
import type { Node, ObjectNode } from './node.ts';

type Member = ObjectNode['members'][number];

/**
 * `node` without private keys in its keys and strings: the same node if there are none. A number is
 * never one.
 * @param name what the strings of `node` are called, if not by the key of a member of it
 */
export function redactTree(node: Node, name = ''): Node {
  switch (node.kind) {
    case 'string': {
      const value = redactUnder(name, node.value);
      return value === node.value ? node : { kind: 'string', value };
    }
    case 'array': {
      const items = node.items.map((item) => redactTree(item, name));
      return items.every((item, i) => item === node.items[i]) ? node : { kind: 'array', items };
    }
    case 'object': {
      const members = node.members.map(redactMember);
      return members.every((member, i) => member === node.members[i]) ? node : { kind: 'object', members };
    }
    default:
      return node;
  }
}

function redactMember(member: Member): Member {
  const [key, value] = member;
  const [safeKey, safe] = [redactPrivateKeys(key), redactTree(value, key)];
  return safeKey === key && safe === value ? member : [safeKey, safe];
}

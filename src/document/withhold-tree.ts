/**
 * Withholds what may be a private key in a JSON document; everything else stays as it was spelled.
 */

import { withholdPrivateKeys, withholdUnder } from '../secrets/private-key.ts';
import type { Node, ObjectNode } from './node.ts';

type Member = ObjectNode['members'][number];

/**
 * `node` without private keys in its keys and strings: the same node if there are none. A number is
 * never one.
 * @param name what the strings of `node` are called, if not by the key of a member of it
 */
export function withholdTree(node: Node, name = ''): Node {
  switch (node.kind) {
    case 'string': {
      const value = withholdUnder(name, node.value);
      return value === node.value ? node : { kind: 'string', value };
    }
    case 'array': {
      const items = node.items.map((item) => withholdTree(item, name));
      return items.every((item, i) => item === node.items[i]) ? node : { kind: 'array', items };
    }
    case 'object': {
      const members = node.members.map(withholdMember);
      return members.every((member, i) => member === node.members[i]) ? node : { kind: 'object', members };
    }
    default:
      return node;
  }
}

function withholdMember(member: Member): Member {
  const [key, value] = member;
  const [safeKey, safe] = [withholdPrivateKeys(key), withholdTree(value, key)];
  return safeKey === key && safe === value ? member : [safeKey, safe];
}

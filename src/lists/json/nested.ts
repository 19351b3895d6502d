/** Finds wallets that are deeper than the members of a JSON list's elements. */

import type { Node } from '../../document/node.ts';
import { formatPath, type Path } from '../../document/path.ts';
import { redactPrivateKeys } from '../../secrets/private-key.ts';
import { posixQuoted } from '../../text/shell.ts';
import { addressesIn, isAddress } from '../../wallet/address.ts';
import { ListSyntaxError } from '../syntax-error.ts';
import type { JsonElement } from './json.ts';

/** Values that are searched: in what people export, a wallet is near the beginning. */
const MAX_VALUES = 1_000;
/** The first items of an array are like the others. */
const MAX_ITEMS = 3;

interface Place {
  readonly node: Node;
  /** As jq writes it: `.result[]`. */
  readonly jq: string;
  /** The same for --column; undefined below an array, which has many values. */
  readonly path: Path | undefined;
}

/**
 * @param isArray whether the list is an array, and not JSON Lines
 * @throws ListSyntaxError if one of the elements has its wallets deeper
 */
export function refuseNested(elements: readonly JsonElement[], { isArray }: { readonly isArray: boolean }): void {
  for (const { node } of elements) {
    const open: Place[] = [{ node, jq: isArray ? '.[]' : '', path: [] }];
    for (let count = 0; open.length > 0 && count < MAX_VALUES; count++) {
      const place = open.pop() as Place;
      const found = walletsAt(place);
      if (found !== undefined) throw placeError(found, place.path);
      open.push(...placesInside(place).toReversed());
    }
  }
}

/** Where wallets are as jq writes it, if `node` is one, or has them as its keys. */
function walletsAt({ node, jq }: Place): string | undefined {
  if (node.kind === 'object') {
    const isKeyed = node.members.some(([key]) => isAddress(key));
    return isKeyed ? `${jq}${jq === '' ? '' : ' | '}keys[]` : undefined;
  }
  if (node.kind !== 'string' || addressesIn(node.value).length === 0) return undefined;
  // All members of an object in an array are wanted, since they are columns.
  return /^(.+\[\])(?:\.\w+|\["[^"\\]*"\])$/.exec(jq)?.[1] ?? jq;
}

function placesInside({ node, jq, path }: Place): readonly Place[] {
  if (node.kind === 'array')
    return node.items.slice(0, MAX_ITEMS).map((item) => ({ node: item, jq: `${jq || '.'}[]`, path: undefined }));
  if (node.kind !== 'object') return [];
  return node.members.map(([key, value]) => ({ node: value, jq: stepInto(jq, key), path: path && [...path, key] }));
}

function stepInto(jq: string, key: string): string {
  // A table that was written column by column has the numbers of its rows as keys.
  if (/^\d+$/.test(key)) return `${jq || '.'}[]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `${jq}.${key}` : `${jq || '.'}[${JSON.stringify(key)}]`;
}

function placeError(jq: string, path: Path | undefined): ListSyntaxError {
  const isColumn = path !== undefined && !jq.endsWith('[]');
  return new ListSyntaxError(`its wallets are in ${redactPrivateKeys(jq)}, and not in its elements`, {
    hint: isColumn
      ? `name the member: --column ${posixQuoted(redactPrivateKeys(formatPath(path)))}`
      : 'extract them with jq: jq -c PATH FILE > list.jsonl',
  });
}

/**
 * Finds wallets that are deeper than the elements of a JSON list, and the jq command that takes
 * them out.
 */
import type { Node } from '../../document/node.ts';
import { redactPrivateKeys } from '../../secrets/private-key.ts';
import { shellWord } from '../../text/shell.ts';
import { addressesIn, isAddress } from '../../wallet/address.ts';
import { ListSyntaxError } from '../syntax-error.ts';

/** Values that are looked at: in what people export, a wallet is near the beginning. */
const MAX_PLACES = 1_000;
/** Of an array the first items are like the others. */
const MAX_ITEMS = 3;
/** Of wallets in more places the message does not name all. */
const MAX_NAMED = 3;

interface NestedPlace {
  /** As jq writes it: `.result[]`. */
  readonly path: string;
  readonly node: Node;
}

/**
 * The error for a list whose elements have their wallets deeper; undefined if `node`, one of them,
 * has none there.
 * @param isArray whether the list is an array, and not JSON Lines
 */
export function nestedError(node: Node, { isArray }: { readonly isArray: boolean }): ListSyntaxError | undefined {
  const places: NestedPlace[] = [{ path: isArray ? '.[]' : '', node }];
  const filters: string[] = [];
  for (const place of places) {
    const filter = filterAt(place);
    // What lies within the objects of an array is taken out with them.
    const isTaken = filters.some((found) => filter === found || (found.endsWith('[]') && filter?.startsWith(found)));
    if (filter !== undefined && !isTaken) filters.push(filter);
    if (filter === undefined && places.length < MAX_PLACES) places.push(...placesInside(place));
  }
  return filters.length > 0 ? filterError(filters) : undefined;
}

/** The jq filter for wallets that are keys of an object, in an array, or in objects of an array. */
function filterAt({ path, node }: NestedPlace): string | undefined {
  if (node.kind === 'object')
    return node.members.some(([key]) => isAddress(key)) ? (path === '' ? 'keys[]' : `${path} | keys[]`) : undefined;
  if (node.kind !== 'string' || addressesIn(node.value).length === 0) return undefined;
  // Of an object in an array all members are wanted, since they are columns.
  return /^(.+\[\])(?:\.\w+|\["[^"\\]*"\])$/.exec(path)?.[1] ?? path;
}

function placesInside({ path, node }: NestedPlace): readonly NestedPlace[] {
  if (node.kind === 'array')
    return node.items.slice(0, MAX_ITEMS).map((item) => ({ path: `${path || '.'}[]`, node: item }));
  if (node.kind !== 'object') return [];
  return node.members.map(([key, value]) => ({ path: stepInto(path, key), node: value }));
}

function stepInto(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path || '.'}[${JSON.stringify(key)}]`;
}

function filterError(filters: readonly string[]): ListSyntaxError {
  const safe = filters.slice(0, MAX_NAMED).map(redactPrivateKeys);
  const [first = '', ...others] = safe;
  const isKeys = others.length === 0 && first.endsWith('keys[]');
  const hasMore = filters.length > MAX_NAMED;
  const places = [...safe, ...(hasMore ? ['other places'] : [])].join(' and ');
  const what = isKeys ? 'its wallets are the keys of an object' : `its wallets are in ${places}`;
  // A comma binds tighter than a pipe.
  const all = others.length === 0 ? first : safe.map((one) => (one.includes(' | ') ? `(${one})` : one)).join(', ');
  return new ListSyntaxError(`${what}, and not in its elements`, {
    hint:
      `take them out: jq -c ${shellWord(all, 'posix')} FILE > ` +
      `list.jsonl${hasMore ? ', and the others in the same way' : ''}`,
  });
}

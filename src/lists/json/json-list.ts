/** JSON as a wallet list: which field has the wallets, and which are columns. */
import { isScalar, type Node } from '../../document/node.ts';
import { pathOfName } from '../../document/parse-path.ts';
import { lookup, type Path } from '../../document/path.ts';
import { redactTree } from '../../document/redact-tree.ts';
import { cellText, writeCompact } from '../../document/write.ts';
import type { RowInput } from '../../row/row.ts';
import { matchNames } from '../../text/same-name.ts';
import { addressesIn, findWallet } from '../../wallet/address.ts';
import { isKnownName, namedColumn, walletColumn } from '../csv/columns.ts';
import { checkWidth, missingCounter } from '../lines.ts';
import type { ListRecord, ReadListOptions } from '../list.ts';
import type { ListReading } from '../remarks.ts';
import { type Batches, map, type Rows, sample } from '../rows.ts';
import { ListSyntaxError } from '../syntax-error.ts';
import type { JsonElement } from './json.ts';
import { refuseNested } from './nested.ts';

/**
 * @throws ListSyntaxError when there is no element, or it is unclear which field has the wallets
 */
export async function openJson(
  kind: 'json' | 'jsonl',
  elements: Batches<JsonElement>,
  options: ListReading,
): Promise<Rows> {
  const reading = { ...options, isArray: kind === 'json' };
  const { items, all } = await sample(elements, {
    lengthOf: ({ node }) => writeCompact(node).length,
    decide(taken) {
      const path = walletPath(taken, reading);
      return taken.some(({ node }) => findWallet(walletText(node, path), options).ok) && 'for now';
    },
    pause: options.pause,
  });
  const path = walletPath(items, reading);
  const first = items[0] && scalars(redactTree(items[0].node));
  const columns = first && [...first.keys()];
  checkWidth(columns?.length ?? 0);
  const walletColumn = columns && path?.length === 1 ? columns.indexOf(String(path[0])) : -1;
  const record = (element: JsonElement) => jsonRecord(element, path, columns, options);
  const cells = items.map((element) => record(element).cells ?? []);
  const { remarks } = options;
  const count = missingCounter();
  return {
    head: columns ? { kind, columns, walletColumn, sample: cells } : { kind },
    batches: map(all, (element) => {
      count(element.node.kind === 'object' ? element.node.members.length : 1, columns?.length ?? 0);
      const read = record(element);
      for (const name of redactedIn(element.node, read.input)) remarks.redacted(name);
      return read;
    }),
  };
}

interface JsonReading extends ReadListOptions {
  readonly isArray: boolean;
}

/**
 * The path of the wallet in each element; undefined when the first elements are not objects.
 * @throws ListSyntaxError when there is none, it is unclear, or the wallets are deeper
 */
function walletPath(elements: readonly JsonElement[], options: JsonReading): Path | undefined {
  const objects = elements.map(({ node }) => scalars(node)).filter((members) => members !== undefined);
  if (objects.length === 0) return undefined;
  const keys = [...new Set(objects.flatMap((members) => [...members.keys()]))];
  const cells = objects.map((members) => keys.map((key) => members.get(key) ?? ''));
  const isFlat = cells.some((row) => row.some((cell) => addressesIn(cell).length > 0));
  const { column } = options;
  const isNamed = column !== undefined ? matchNames(keys, column).length > 0 : keys.some(isKnownName);
  const path = column === undefined || isNamed ? [] : pathOfName(column);
  if (path.length > 1 && elements.some(({ node }) => scalarAt(node, path) !== undefined)) return path;
  if (!isNamed && (!isFlat || column !== undefined)) refuseNested(elements, options);
  if (keys.length === 0) {
    throw new ListSyntaxError('its objects hold no texts or numbers, so no wallets', {
      hint: 'give an array of wallets or of objects; jq can take one out of an object',
    });
  }
  const index = column === undefined ? walletColumn(keys, cells, options) : namedColumn(keys, column);
  return [keys[index] ?? ''];
}

/** @param path of the wallet; it and `columns` are undefined if the elements are not objects */
function jsonRecord(
  { line, node }: JsonElement,
  path: Path | undefined,
  columns: readonly string[] | undefined,
  options: ReadListOptions,
): ListRecord {
  const wallet = findWallet(walletText(node, path), options);
  const safe = redacted(node, wallet.ok || wallet.code !== 'secret' ? undefined : path?.[0]);
  const shown = membersByName(safe);
  const cells = columns?.map((name) => cellText(shown?.get(name)));
  return { line, input: safe.kind === 'string' ? safe.value : safe, ...(cells && { cells }), wallet };
}

/**
 * `node` without what may be a private key.
 * @param secret the member that holds one in the place of a wallet
 */
function redacted(node: Node, secret: Path[number] | undefined): Node {
  if (secret === undefined || node.kind !== 'object') return redactTree(node);
  const members = node.members.map(([key, value]) => [key, key === secret ? redactTree(value) : value] as const);
  return redactTree({ kind: 'object', members });
}

/**
 * The members of which `shown` lacks a part; an element without members counts as one without a
 * name.
 */
function redactedIn(node: Node, shown: RowInput): readonly (string | undefined)[] {
  if (shown === node || (node.kind === 'string' && shown === node.value)) return [];
  if (node.kind !== 'object' || typeof shown === 'string' || !('kind' in shown) || shown.kind !== 'object')
    return [undefined];
  return node.members.flatMap(([key, value], i) => (shown.members[i]?.[1] === value ? [] : [key]));
}

/** The text that should be a wallet: the scalar at `path` in an object, else the whole element. */
function walletText(node: Node, path: Path | undefined): string {
  if (node.kind !== 'object') return cellText(node);
  return (path && scalarAt(node, path)) ?? '';
}

function scalarAt(node: Node, path: Path): string | undefined {
  const found = lookup(node, path);
  return found && isScalar(found) ? cellText(found) : undefined;
}

/**
 * The members of an object by their keys. If a key is given twice, its last value counts, as for
 * every reader of JSON.
 */
function membersByName(node: Node): ReadonlyMap<string, Node> | undefined {
  return node.kind === 'object' ? new Map(node.members) : undefined;
}

/** The members that are neither objects nor arrays, as text. */
function scalars(node: Node): ReadonlyMap<string, string> | undefined {
  const members = membersByName(node);
  if (!members) return undefined;
  return new Map([...members].filter(([, value]) => isScalar(value)).map(([key, value]) => [key, cellText(value)]));
}

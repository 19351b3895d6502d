/** JSON as a wallet list: which field holds the wallets, what is carried along. */
import type { Node } from '../document/node.ts';
import { writeCompact } from '../document/write.ts';
import { findWallet } from '../wallet/find.ts';
import type { ListOptions, ListRecord } from './list.ts';
import { namedColumn, walletColumn } from './read-columns.ts';
import type { JsonElement } from './read-json.ts';
import { withholdNode } from './read-json-secrets.ts';
import { type Batches, map, type Rows, sample } from './read-rows.ts';

interface Json {
  readonly kind: 'json' | 'jsonl';
  readonly elements: Batches<JsonElement>;
}

/** @throws ListDamage when there is no element, or no telling which field is meant. */
export async function openJson({ kind, elements }: Json, options: ListOptions): Promise<Rows> {
  const { rows, all } = await sample(elements, ({ node }) => writeCompact(node).length);
  const objects = rows.map(({ node }) => scalars(node)).filter((members) => members !== undefined);
  const keys = [...new Set(objects.flatMap((members) => [...members.keys()]))];
  const choose = () => {
    if (options.column !== undefined) return namedColumn(keys, options.column);
    const cells = objects.map((members) => keys.map((key) => members.get(key) ?? ''));
    return walletColumn(keys, cells, options);
  };
  const key = objects.length > 0 ? keys[choose()] : undefined;
  const first = rows[0] && scalars(withholdNode(rows[0].node, options.format));
  const columns = first && [...first.keys()];
  const head = columns ? { kind, columns } : { kind };
  return { head, batches: map(all, (element) => jsonRecord(element, { key, columns, options })) };
}

interface JsonRules {
  /** The field with the wallet; undefined when the first elements are no objects. */
  readonly key: string | undefined;
  /** The scalars of the first element, which csv carries. */
  readonly columns: readonly string[] | undefined;
  readonly options: ListOptions;
}

function jsonRecord({ line, node }: JsonElement, { key, columns, options }: JsonRules): ListRecord {
  const safe = withholdNode(node, options.format);
  const members = scalars(node);
  const wallet = members ? (key === undefined ? '' : (members.get(key) ?? '')) : cellOf(node);
  const shown = columns && membersOf(safe);
  return {
    line,
    input: safe.kind === 'string' ? safe.value : safe,
    ...(columns && { cells: columns.map((name) => cellOf(shown?.get(name))) }),
    wallet: findWallet(wallet, options),
  };
}

/** The members of an object by their keys; of a key given twice the last value counts, as for every reader of JSON. */
function membersOf(node: Node): ReadonlyMap<string, Node> | undefined {
  return node.kind === 'object' ? new Map(node.members) : undefined;
}

/** Those of them that are no objects or arrays, as text. */
function scalars(node: Node): ReadonlyMap<string, string> | undefined {
  const members = membersOf(node);
  if (!members) return undefined;
  const texts = [...members].flatMap(([key, value]) => {
    return value.kind === 'object' || value.kind === 'array' ? [] : [[key, cellOf(value)] as const];
  });
  return new Map(texts);
}

/** `node` as the text of one cell: nothing for null, JSON for what is no scalar. */
function cellOf(node: Node | undefined): string {
  if (!node) return '';
  if (node.kind === 'string') return node.value;
  return node.kind === 'literal' ? String(node.value ?? '') : writeCompact(node);
}

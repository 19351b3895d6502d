/** JSON as a wallet list: which field holds the wallets, what is carried along. */
import type { Node } from '../document/node.ts';
import { writeCompact } from '../document/write.ts';
import { findWallet } from '../wallet/find.ts';
import { withhold } from '../wallet/secret.ts';
import type { ListOptions, ListRecord } from './list.ts';
import { namedColumn, walletColumn } from './read-columns.ts';
import type { JsonElement } from './read-json.ts';
import { type Batches, map, type Rows, sample } from './read-rows.ts';

interface Json {
  readonly kind: 'json' | 'jsonl';
  readonly elements: Batches<JsonElement>;
}

/** @throws ListDamage when there is no element, or no telling which field is meant. */
export async function openJson({ kind, elements }: Json, options: ListOptions): Promise<Rows> {
  const { rows, all } = await sample(elements, ({ node }) => writeCompact(node).length);
  const objects = rows.map(({ node }) => scalars(node)).filter((pairs) => pairs !== undefined);
  const keys = [...new Set(objects.flat().map(([key]) => key))];
  const choose = () =>
    options.column === undefined
      ? walletColumn(
          keys,
          objects.map((pairs) => keys.map((key) => memberOf(pairs, key))),
          options,
        )
      : namedColumn(keys, options.column);
  const key = objects.length > 0 ? keys[choose()] : undefined;
  return { head: { kind }, batches: map(all, (element) => jsonRecord(element, { key, options })) };
}

type Pairs = readonly (readonly [key: string, value: string])[];

interface JsonRules {
  /** The field with the wallet; undefined when the first elements are no objects. */
  readonly key: string | undefined;
  readonly options: ListOptions;
}

function jsonRecord({ line, node }: JsonElement, { key, options }: JsonRules): ListRecord {
  const safe = (text: string) => withhold(text, options.format);
  const pairs = scalars(node);
  if (pairs) {
    const wallet = findWallet(key === undefined ? '' : memberOf(pairs, key), options);
    return { line, input: pairs.map(([name, value]) => [safe(name), safe(value)]), wallet };
  }
  const text = textOf(node) ?? writeCompact(node);
  return { line, input: safe(text), wallet: findWallet(text, options) };
}

/** The members of an object that are no objects or arrays, as text; undefined for what is no object. */
function scalars(node: Node): Pairs | undefined {
  if (node.kind !== 'object') return undefined;
  return node.members.flatMap(([key, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[key, text] as const];
  });
}

function textOf(node: Node): string | undefined {
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number') return node.spelling;
  return node.kind === 'literal' ? String(node.value ?? '') : undefined;
}

/** Of a key given twice the last value counts, as for every reader of JSON. */
const memberOf = (pairs: Pairs, key: string) => pairs.findLast(([name]) => name === key)?.[1] ?? '';

/**
 * The order of rows by one of their values. It is total: first numbers, also those sent as strings,
 * compared exactly; then text, by UTF-16 units, as ISO dates and addresses sort in every language;
 * then false and true; last rows without a value. `descending` reverses each of these groups, but
 * not their order: with the highest score first, texts and empty values are still last. The page of
 * a report uses this too, so it has few imports.
 */
import { isEmpty, type Node } from '../document/node.ts';
import { compareDecimals, type Decimal, decimalOf } from './decimal.ts';

/** The value by which a row is sorted: plain data, so that it can be copied. */
export type SortKey =
  | { readonly kind: 'number'; readonly value: Decimal }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'none' };

const NONE: SortKey = { kind: 'none' };

/**
 * The key of a row that has `node` at the path. Objects, arrays and unreadable numbers have no
 * order.
 */
export function sortKey(node: Node | undefined): SortKey {
  if (!node || isEmpty(node)) return NONE;
  const value = decimalOf(node);
  if (value) return { kind: 'number', value };
  if (node.kind === 'string') return { kind: 'text', value: node.value };
  return node.kind === 'literal' && node.value !== null ? { kind: 'boolean', value: node.value } : NONE;
}

const GROUPS: readonly SortKey['kind'][] = ['number', 'text', 'boolean', 'none'];

/** Below 0 when `a` comes first, 0 when they are equal, above 0 when `b` does. */
export function compareKeys(a: SortKey, b: SortKey, { descending }: { readonly descending: boolean }): number {
  if (a.kind !== b.kind) return GROUPS.indexOf(a.kind) - GROUPS.indexOf(b.kind);
  const order = compareAlike(a, b);
  return descending ? 0 - order : order;
}

/** Compares two keys of the same kind. */
function compareAlike(a: SortKey, b: SortKey): number {
  if (a.kind === 'number' && b.kind === 'number') return compareDecimals(a.value, b.value);
  if (a.kind === 'text' && b.kind === 'text') return a.value === b.value ? 0 : a.value < b.value ? -1 : 1;
  return a.kind === 'boolean' && b.kind === 'boolean' ? Number(a.value) - Number(b.value) : 0;
}

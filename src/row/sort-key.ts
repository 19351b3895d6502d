/**
 * The order of rows by one of their values. It is total: first numbers, also those sent as strings, compared exactly; then text,
 * by UTF-16 units, as ISO dates and addresses sort in every language; then false and true; last rows without a value.
 * `descending` reverses each of these groups, but not their order: with the highest score first, texts and empty values are still
 * last. The page of a report uses this too, so it has few imports.
 */
import { isEmpty, type Node } from '../document/node.ts';
import type { KeyOrder } from '../files/lines/sort-runs.ts';
import { compareDecimals, type Decimal, decimalOf } from './decimal.ts';

/** What is compared of a row: plain data, so that it can be stored on disk. */
export type SortKey =
  | { readonly kind: 'number'; readonly value: Decimal }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'none' };

const NONE: SortKey = { kind: 'none' };

/** The key of a row that has `node` at the path. Objects, arrays and unreadable numbers have no order. */
export function sortKey(node: Node | undefined): SortKey {
  if (!node || isEmpty(node)) return NONE;
  const value = decimalOf(node);
  if (value) return { kind: 'number', value };
  if (node.kind === 'string') return { kind: 'text', value: node.value };
  return node.kind === 'literal' && node.value !== null ? { kind: 'boolean', value: node.value } : NONE;
}

const GROUPS: readonly SortKey['kind'][] = ['number', 'text', 'boolean', 'none'];

/**
 * Below 0 when `a` comes first, 0 when they are equal, above 0 when `b` does. `compareRests` compares what was cut off their
 * texts, if anything.
 */
export function compareKeys(
  a: SortKey,
  b: SortKey,
  {
    descending,
    compareRests = () => 0,
  }: { readonly descending: boolean; readonly compareRests?: (() => number) | undefined },
): number {
  if (a.kind !== b.kind) return GROUPS.indexOf(a.kind) - GROUPS.indexOf(b.kind);
  const order = compareAlike(a, b, compareRests);
  return descending ? 0 - order : order;
}

/** The order of the keys of `sort`, for more rows than memory holds. */
export const keyOrder = ({ descending }: { readonly descending: boolean }): KeyOrder<SortKey> => ({
  compare: (a, b, compareRests) => compareKeys(a, b, { descending, compareRests }),
  cut: cutKey,
});

/** The digits of numbers are compared as text if sign and exponent are equal. */
function cutKey(key: SortKey, length: number) {
  if (key.kind === 'text' && key.value.length > length) {
    return { key: { ...key, value: key.value.slice(0, length) }, rest: key.value.slice(length) };
  }
  if (key.kind !== 'number' || key.value.digits.length <= length) return undefined;
  const { digits } = key.value;
  return { key: { ...key, value: { ...key.value, digits: digits.slice(0, length) } }, rest: digits.slice(length) };
}

/** Compares two keys of the same kind. */
function compareAlike(a: SortKey, b: SortKey, compareRests: () => number): number {
  if (a.kind === 'number' && b.kind === 'number')
    return compareDecimals(a.value, b.value) || a.value.sign * compareRests();
  if (a.kind === 'text' && b.kind === 'text') {
    return a.value === b.value ? compareRests() : a.value < b.value ? -1 : 1;
  }
  return a.kind === 'boolean' && b.kind === 'boolean' ? Number(a.value) - Number(b.value) : 0;
}

/** Selects and sorts the rows of a page by search, filters and column. Does not use the DOM. */
import { compareKeys, type SortKey, sortKey } from '../../../row/sort-key.ts';
import { type Filter, type PageData, type PageRow, passes } from '../page-data.ts';
import { h, type Markup } from './markup.ts';
import { type WalletColumn, walletColumns, walletRow } from './table.ts';

export interface TableQuery {
  /** A case-insensitive phrase; if no row contains it, rows must contain all of its words. */
  readonly search: string;
  /** As JSON: one that several elements offer is one. */
  readonly filters: ReadonlySet<string>;
  readonly sort?: { readonly key: WalletColumn['key']; readonly descending: boolean } | undefined;
}

/** Returns a function that gives the indexes of the rows that a query selects. */
export function createSelection(data: PageData): (query: TableQuery) => readonly number[] {
  const columns = walletColumns(data);
  // What the table shows is searched, and an amount without its commas.
  const texts = data.rows.map((row) =>
    searchable([textIn(h('tr', {}, walletRow(row, data, columns))), row.collateral].join('\n')),
  );
  return ({ search, filters, sort }) => {
    const isFound = finderOf(searchable(search).trim(), texts);
    const groups = filterGroups([...filters].map(filterIn));
    const isSelected = (row: PageRow, number: number) =>
      isFound(texts[number] ?? '') && groups.every((group) => group.some((filter) => passes(row, filter)));
    const found = [...data.rows.entries()].flatMap(([number, row]) => (isSelected(row, number) ? [number] : []));
    const sorted = sort && columns.find(({ key }) => key === sort.key);
    if (!sorted) return found;
    const keyOf = (row: PageRow): SortKey => {
      const value = sorted.value(row, data);
      return sortKey(value === undefined ? undefined : { kind: 'string', value });
    };
    const keys = data.rows.map(keyOf);
    const none: SortKey = { kind: 'none' };
    return found.sort((a, b) => compareKeys(keys[a] ?? none, keys[b] ?? none, sort) || a - b);
  };
}

const textIn = (markup: Markup): string =>
  typeof markup === 'string' ? markup : markup.children.map(textIn).join(markup.name === 'tr' ? '\n' : ' ');

const searchable = (text: string) => text.replace(/[^\S\n]+/g, ' ').toLowerCase();

export const filterIn = (json: string): Filter => JSON.parse(json);

function filterGroups(filters: readonly Filter[]): readonly (readonly Filter[])[] {
  const groups = new Map<string, Filter[]>();
  for (const filter of filters) groups.set(filter.group, [...(groups.get(filter.group) ?? []), filter]);
  return [...groups.values()];
}

/** Whether a text matches the search. */
function finderOf(search: string, texts: readonly string[]): (text: string) => boolean {
  const words = search.split(' ');
  if (words.length < 2) return (text) => text.includes(search);
  // A number is not split: `customer 79` is not in `customer 790`.
  const start = /^\d/.test(search) ? '(?<!\\d)' : '';
  const end = /\d$/.test(search) ? '(?!\\d)' : '';
  const phrase = new RegExp(start + search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + end);
  if (texts.some((text) => phrase.test(text))) return (text) => phrase.test(text);
  return (text) => words.every((word) => text.includes(word));
}

/** Selects and sorts the rows of a page by search, filters and column. Does not use the DOM. */
import { compareKeys, type SortKey, sortKey } from '../../../row/sort-key.ts';
import { type Filter, type PageData, type PageRow, passes } from '../page-data.ts';
import { remarkOf, rowLevel, statusText, type WalletColumn } from './table.ts';

export interface TableQuery {
  /** A case-insensitive phrase; if no row contains it, rows must contain all of its words. */
  readonly search: string;
  /** As JSON: one that several elements offer is one. */
  readonly filters: ReadonlySet<string>;
  readonly sort?: { readonly key: WalletColumn['key']; readonly descending: boolean } | undefined;
}

/** Returns a function that gives the indexes of the rows that a query selects. */
export function createSelection(data: PageData): (query: TableQuery) => readonly number[] {
  const texts = data.rows.map(searchText);
  const keys = new Map<WalletColumn['key'], readonly SortKey[]>();
  return ({ search, filters, sort }) => {
    const isFound = finderOf(search, texts);
    const groups = filterGroups([...filters].map(filterIn));
    const found: number[] = [];
    for (const [number, row] of data.rows.entries()) {
      if (isFound(number) && groups.every((group) => group.some((filter) => passes(row, filter)))) found.push(number);
    }
    if (!sort) return found;
    const sortKeys = keys.get(sort.key) ?? data.rows.map((row) => columnSortKey(row, sort.key, data));
    keys.set(sort.key, sortKeys);
    const none: SortKey = { kind: 'none' };
    return found.sort((a, b) => compareKeys(sortKeys[a] ?? none, sortKeys[b] ?? none, sort) || a - b);
  };
}

export const filterIn = (json: string): Filter => JSON.parse(json);

function filterGroups(filters: readonly Filter[]): readonly (readonly Filter[])[] {
  const groups = new Map<string, Filter[]>();
  for (const filter of filters) groups.set(filter.group, [...(groups.get(filter.group) ?? []), filter]);
  return [...groups.values()];
}

/** The text of a row that is searched, in lower case. */
function searchText({
  matched = [],
  watched = [],
  unjudged = [],
  excused = [],
  columns = [],
  texts = [],
  ...row
}: PageRow): string {
  const own = [row.label, row.wallet, row.status && statusText(row.status), row.score, row.collateral, row.at];
  const rules = [...matched, ...watched, ...unjudged, ...excused.map(({ text }) => text)];
  const all = [
    ...own,
    row.error,
    row.warning,
    ...rules,
    ...texts.map(([, text]) => text),
    ...columns.map((one) => one.join(' ')),
  ];
  return all
    .filter(Boolean)
    .join('\n')
    .replace(/[^\S\n]+/g, ' ')
    .toLowerCase();
}

/** Whether the row with an index matches the search. */
function finderOf(search: string, texts: readonly string[]): (row: number) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const phrase = words.join(' ');
  const textOf = (row: number) => texts[row] ?? '';
  if (words.length < 2) return (row) => textOf(row).includes(phrase);
  const found = new Set([...texts.keys()].filter((row) => holdsPhrase(textOf(row), phrase)));
  return found.size > 0 ? (row) => found.has(row) : (row) => words.every((word) => textOf(row).includes(word));
}

const isDigit = (character: string | undefined) => character !== undefined && character >= '0' && character <= '9';

/**
 * Whether `text` contains `phrase` without splitting a number: `customer 79` is not in `customer
 * 790`.
 */
function holdsPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const end = at + phrase.length;
    const isCut = (isDigit(phrase[0]) && isDigit(text[at - 1])) || (isDigit(phrase.at(-1)) && isDigit(text[end]));
    if (!isCut) return true;
  }
  return false;
}

function columnSortKey(row: PageRow, key: WalletColumn['key'], data: PageData): SortKey {
  const text = columnText(row, key, data);
  return sortKey(text === undefined ? undefined : { kind: 'string', value: text });
}

function columnText(row: PageRow, key: WalletColumn['key'], data: PageData): string | undefined {
  switch (key) {
    case 'level':
      return rowLevel(row, data);
    case 'rules': {
      const { matched = [], watched = [], unjudged = [], excused = [] } = row;
      const count = matched.length + watched.length + unjudged.length + excused.length;
      return count > 0 ? String(count) : undefined;
    }
    case 'remark':
      return remarkOf(row);
    default:
      return row[key];
  }
}

/** Which rows of a page are shown, and in what order: search, filters and sorting, without a document. */
import { compareKeys, type SortKey, sortKey } from '../../../row/sort-key.ts';
import { type Filter, type PageData, type PageRow, passes } from '../page-data.ts';
import { STATUS_WORDS } from '../statement.ts';
import { type PageColumn, remarkOf } from './table.ts';

export interface TableQuery {
  /** Words that a row must have, all of them, in any place and case. */
  readonly search: string;
  /** Numbers of filters. */
  readonly filters: ReadonlySet<number>;
  readonly sort?: { readonly key: PageColumn['key']; readonly descending: boolean } | undefined;
}

/** The numbers of the rows of `data` that a query asks for. What every query needs is made once. */
export function createSelection(data: PageData): (query: TableQuery) => readonly number[] {
  const texts = data.rows.map((row) => searchText(row, data));
  const keys = new Map<PageColumn['key'], readonly SortKey[]>();
  return ({ search, filters, sort }) => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const groups = grouped([...filters].flatMap((number) => data.filters[number] ?? []));
    const found: number[] = [];
    for (const [number, row] of data.rows.entries()) {
      const text = texts[number] ?? '';
      if (
        words.every((word) => text.includes(word)) &&
        groups.every((group) => group.some((filter) => passes(row, filter)))
      ) {
        found.push(number);
      }
    }
    if (!sort) return found;
    const made = keys.get(sort.key) ?? data.rows.map((row) => keyOf(row, sort.key));
    keys.set(sort.key, made);
    const none: SortKey = { kind: 'none' };
    return found.sort((a, b) => compareKeys(made[a] ?? none, made[b] ?? none, sort) || a - b);
  };
}

function grouped(filters: readonly Filter[]): readonly (readonly Filter[])[] {
  const groups = new Map<string, Filter[]>();
  for (const filter of filters) groups.set(filter.group, [...(groups.get(filter.group) ?? []), filter]);
  return [...groups.values()];
}

/** What a row can be found by, in lower case. */
function searchText(row: PageRow, { rules, filters }: PageData): string {
  const shares = row.shares
    ? filters.filter((filter) => filter.kind === 'share' && passes(row, filter)).map(({ label }) => label)
    : [];
  const named = [...(row.matched ?? []), ...(row.unjudged ?? [])].map((rule) => rules[rule]);
  const excuses = (row.excused ?? []).map(({ text }) => text);
  const texts = [
    row.wallet,
    row.label,
    row.others,
    row.status && STATUS_WORDS[row.status],
    row.score,
    row.collateral,
    row.change,
  ];
  return [...texts, row.error, row.warning, row.at, ...named, ...excuses, ...shares]
    .filter(Boolean)
    .join('\n')
    .toLowerCase();
}

function keyOf(row: PageRow, key: PageColumn['key']): SortKey {
  const text = textOf(row, key);
  return sortKey(text === undefined ? undefined : { kind: 'string', value: text });
}

function textOf(row: PageRow, key: PageColumn['key']): string | undefined {
  switch (key) {
    case 'change':
      return row.delta ?? row.change;
    case 'rules': {
      const { matched = [], unjudged = [], excused = [] } = row;
      const count = matched.length + unjudged.length + excused.length;
      return count > 0 ? String(count) : undefined;
    }
    case 'remark':
      return remarkOf(row);
    default:
      return row[key];
  }
}

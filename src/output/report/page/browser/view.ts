/** What the reader of a page has asked for, and who has to know when that changes. */
import type { TableQuery } from '../selection.ts';

export interface TableView {
  readonly query: TableQuery;
  /** The page of the table, from 0. */
  readonly page: number;
  readonly size: number;
}

export interface Store {
  readonly view: TableView;
  /** Another search, filter or order goes back to the first page. */
  change(part: Partial<TableView>): void;
  /** Chooses a filter, or takes it back; of several, all or none are then chosen. Says whether they are. */
  toggle(filters: readonly number[]): boolean;
  onChange(listener: (view: TableView) => void): void;
}

export function createStore(): Store {
  const listeners: ((view: TableView) => void)[] = [];
  let view: TableView = { query: { search: '', filters: new Set() }, page: 0, size: 50 };
  const change = (part: Partial<TableView>) => {
    view = { ...view, ...(part.query && { page: 0 }), ...part };
    for (const listener of listeners) listener(view);
  };
  return {
    get view() {
      return view;
    },
    change,
    toggle(filters) {
      const chosen = new Set(view.query.filters);
      const isChosen = filters.every((filter) => chosen.has(filter));
      for (const filter of filters) isChosen ? chosen.delete(filter) : chosen.add(filter);
      change({ query: { ...view.query, filters: chosen } });
      return !isChosen;
    },
    onChange: (listener) => listeners.push(listener),
  };
}

/** The state of the table (query, page, size), and its listeners. */
import type { TableQuery } from '../selection.ts';

export interface TableView {
  readonly query: TableQuery;
  /** Index of the page. */
  readonly page: number;
  readonly size: number;
}

export interface Store {
  readonly view: TableView;
  /** A new query resets the page to 0. */
  change(part: Partial<TableView>): void;
  /** Adds the filters, or removes them if all are chosen. @returns whether they are chosen now */
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

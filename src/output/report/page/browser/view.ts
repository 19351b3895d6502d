/** What the reader of a page has asked for, and who has to know when that changes. */
import type { Wish } from '../selection.ts';

export interface View {
  readonly wish: Wish;
  /** The page of the table, from 0. */
  readonly page: number;
  readonly size: number;
}

export interface Store {
  readonly view: View;
  /** A change of the wish goes back to the first page. */
  change(part: Partial<View>): void;
  /** Chooses a filter, or takes it back; of several, all or none are then chosen. */
  toggle(filters: readonly number[]): void;
  onChange(listener: (view: View) => void): void;
}

export function createStore(): Store {
  const listeners: ((view: View) => void)[] = [];
  let view: View = { wish: { search: '', filters: new Set() }, page: 0, size: 50 };
  const change = (part: Partial<View>) => {
    view = { ...view, ...(part.wish && { page: 0 }), ...part };
    for (const listener of listeners) listener(view);
  };
  return {
    get view() {
      return view;
    },
    change,
    toggle(filters) {
      const chosen = new Set(view.wish.filters);
      const isChosen = filters.every((filter) => chosen.has(filter));
      for (const filter of filters) isChosen ? chosen.delete(filter) : chosen.add(filter);
      change({ wish: { ...view.wish, filters: chosen } });
    },
    onChange: (listener) => listeners.push(listener),
  };
}

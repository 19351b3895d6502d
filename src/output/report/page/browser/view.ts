/** What the table shows. */
import type { TableQuery } from '../selection.ts';

export interface View extends TableQuery {
  /** Index of the page. */
  readonly page: number;
  readonly size: number;
}

export type Store = ReturnType<typeof createStore>;

/** @param show called after each change */
export function createStore(show: () => void) {
  let view: View = { search: '', filters: new Set(), page: 0, size: 50 };
  /** Anything but a page or a size leads to the first page. */
  const change = (part: Partial<View>) => {
    view = { ...view, page: 0, ...part };
    show();
  };
  return {
    get view(): View {
      return view;
    },
    change,
    /** Adds the filters, or removes them if all are chosen. @returns whether they are chosen now */
    toggle(filters: readonly string[]): boolean {
      const chosen = new Set(view.filters);
      const isChosen = filters.every((filter) => chosen.has(filter));
      for (const filter of filters) isChosen ? chosen.delete(filter) : chosen.add(filter);
      change({ filters: chosen });
      return !isChosen;
    },
  };
}

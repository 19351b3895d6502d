/** What the table shows. */
import type { TableQuery } from '../selection.ts';

export interface View extends TableQuery {
  /** Index of the page. */
  readonly page: number;
}

export type Store = ReturnType<typeof createStore>;

/** @param show called after each change */
export function createStore(show: () => void) {
  let view: View = { search: '', filters: new Set(), page: 0 };
  /** Anything but a page leads to the first page. */
  const change = (part: Partial<View>) => {
    view = { ...view, page: 0, ...part };
    show();
  };
  return {
    get view(): View {
      return view;
    },
    change,
    /** Adds the filter, or removes it if it is chosen. @returns whether it is chosen now */
    toggle(filter: string): boolean {
      const chosen = new Set(view.filters);
      const isNew = !chosen.delete(filter);
      if (isNew) chosen.add(filter);
      change({ filters: chosen });
      return isNew;
    },
  };
}

/** The filters of a page, by number: what is drawn refers to them, and the page's script applies them. */
import type { Filter } from '../page-data.ts';

export interface Filters {
  readonly all: readonly Filter[];
  /** Its number. */
  add(filter: Filter): number;
}

export function createFilters(): Filters {
  const all: Filter[] = [];
  return { all, add: (filter) => all.push(filter) - 1 };
}

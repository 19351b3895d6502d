/** Which rows of a list or a diff are wanted, and in what order: --where, --sort and --top as they were typed. */
import type { ParsedArgs } from '../cli/flag.ts';
import { parseSort, parseTop, type Sort } from './order.ts';
import { type Expression, parseWhere } from './rules.ts';

export interface Shape {
  /** Rows for which it does not hold are left out, and so are those of which nobody can tell. */
  readonly where?: Expression | undefined;
  readonly sort?: Sort | undefined;
  /** How many rows there are at most. */
  readonly top?: number | undefined;
}

/** What was typed of it. @throws UsageError */
export function parseShape(typed: Pick<ParsedArgs, 'text' | 'all'>): Shape {
  const [sort, top] = [typed.text('sort'), typed.text('top')];
  return {
    where: parseWhere(typed.all('where')),
    sort: sort === undefined ? undefined : parseSort(sort),
    top: top === undefined ? undefined : parseTop(top),
  };
}

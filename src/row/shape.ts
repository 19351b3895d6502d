/** Which rows of a list or a diff are wanted, and in what order: --where, --sort and --top. */
import type { Sort } from './order.ts';
import type { Expression } from './rules.ts';

export interface Shape {
  /** Rows for which it does not hold are left out, and so are those of which nobody can tell. */
  readonly where?: Expression | undefined;
  readonly sort?: Sort | undefined;
  /** How many rows there are at most. */
  readonly top?: number | undefined;
}

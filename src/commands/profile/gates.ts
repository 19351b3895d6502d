/** What the --fail-if conditions find in the rows of a list. */
import { type Condition, findMatch } from '../../row/conditions.ts';
import type { Row } from '../../row/row.ts';
import type { Stage } from './options.ts';
import type { View } from './view.ts';

/** What the --fail-if conditions found. */
export interface Gates {
  /** Rows that matched. */
  readonly matches: number;
  /** The first of them, and what it matched. */
  readonly first: { readonly row: Row; readonly condition: Condition } | undefined;
  judge(row: Row): void;
}

/** Nothing found yet. */
export function createGates({ view, options }: Pick<Stage, 'options'> & { readonly view: View }): Gates {
  let matches = 0;
  let first: Gates['first'];
  return {
    get matches() {
      return matches;
    },
    get first() {
      return first;
    },
    judge(row) {
      const condition = findMatch(view.conditions, { row, accept: options.accept });
      if (!condition) return;
      matches += 1;
      first ??= { row, condition };
    },
  };
}

/** What the --fail-if conditions find in the rows of a list. */
import type { Row } from '../../row/row.ts';
import { type Rule, rulesOfRow } from '../../row/rules.ts';
import type { ProfileRun } from './options.ts';
import type { View } from './view.ts';

/** What the --fail-if conditions found. */
export interface Matches {
  /** Rows that matched. */
  readonly count: number;
  /** The first of them, and what it matched. */
  readonly first: { readonly row: Row; readonly rule: Rule } | undefined;
  judge(row: Row): void;
}

/** Nothing found yet. */
export function createMatches({ view, options }: Pick<ProfileRun, 'options'> & { readonly view: View }): Matches {
  let count = 0;
  let first: Matches['first'];
  return {
    get count() {
      return count;
    },
    get first() {
      return first;
    },
    judge(row) {
      const [rule] = rulesOfRow(view.rules, { row, accept: options.accept });
      if (!rule) return;
      count += 1;
      first ??= { row, rule };
    },
  };
}

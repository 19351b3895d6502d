/** What the --fail-if conditions find in the rows of a list. */
import type { RuleMatches } from '../../output/monitoring/list-report.ts';
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
  /** Rows that each of the rules has matched. */
  readonly byRule: readonly RuleMatches[];
  judge(row: Row): void;
}

/** Nothing found yet. */
export function createMatches({ view, options }: Pick<ProfileRun, 'options'> & { readonly view: View }): Matches {
  const byName = new Map(view.rules.map(({ name }) => [name, 0]));
  let count = 0;
  let first: Matches['first'];
  return {
    get count() {
      return count;
    },
    get first() {
      return first;
    },
    get byRule() {
      return [...byName].map(([rule, rows]) => ({ rule, rows }));
    },
    judge(row) {
      const found = rulesOfRow(view.rules, { row, accept: options.accept });
      for (const { name } of found) byName.set(name, (byName.get(name) ?? 0) + 1);
      const [rule] = found;
      if (!rule) return;
      count += 1;
      first ??= { row, rule };
    },
  };
}

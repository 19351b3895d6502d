/** The order of the rows that rules matched, the worst first; where that leaves it open the lowest score comes first. */
import { lookup } from '../../../document/path.ts';
import type { ResultRow } from '../../../results/result.ts';
import type { Rule } from '../../../row/rules.ts';
import { compareKeys, type SortKey, sortKey } from '../../../row/sort-key.ts';
import { compareSeverity, type Severity as SeverityBy, severityOf as severityBy } from '../../../row/worst-first.ts';

export interface Severity {
  readonly byRule: SeverityBy;
  readonly score: SortKey;
}

/** @param matched the names of the rules that `row` matched; there are no `rules` where only rows name them */
export function severityOf(
  row: ResultRow,
  matched: readonly string[],
  rules: readonly Pick<Rule, 'name' | 'when'>[],
): Severity {
  return { byRule: severityBy({ matched }, (path) => lookup(row.node(), path), rules), score: sortKey(row.score) };
}

/** The places in `severities` of those that are there, the worst first. */
export function worstFirst(severities: readonly (Severity | undefined)[]): readonly number[] {
  const there = severities.flatMap((severity, place) => (severity ? [{ severity, place }] : []));
  return there.sort((a, b) => compare(a.severity, b.severity) || a.place - b.place).map(({ place }) => place);
}

const compare = (a: Severity, b: Severity): number =>
  compareSeverity(a.byRule, b.byRule) || compareKeys(a.score, b.score, { descending: false });

/** --fail-if of a diff: which of its rows are an alarm. */
import type { FindingError } from '../../errors.ts';
import type { DiffRow, Finder } from '../../results/comparison.ts';
import { matchedError } from '../../row/matches.ts';
import { countsWords, createRuleCounts, isAlarm, namesOf } from '../../row/rule-counts.ts';
import { judgeRules } from '../../row/rules.ts';
import type { DiffOptions } from './options.ts';

export interface Gate {
  /** `row`, told what it matches; the same row when there are no rules. */
  judge(row: DiffRow): DiffRow;
  /** The one line of a diff in which something matched. */
  error(): FindingError | undefined;
}

export function createGate({ rules, accept }: Pick<DiffOptions, 'rules' | 'accept'>, finder: Finder): Gate {
  const counts = createRuleCounts<DiffRow>(rules);
  return {
    judge(row) {
      if (rules.length === 0) return row;
      const verdict = accept.has(row.change) ? { matched: [], unjudged: [] } : judgeRules(rules, finder.in(row));
      counts.add(row, verdict);
      return { ...row, ...namesOf(verdict) };
    },
    error() {
      if (!isAlarm(counts)) return undefined;
      return matchedError(countsWords(counts, { one: ({ wallet }) => wallet, first: ({ wallet }) => `is ${wallet}` }));
    },
  };
}

/** --fail-if of a diff: which of its rows are an alarm. */
import type { FindingError } from '../../errors.ts';
import type { DiffRow, Finder } from '../../results/comparison.ts';
import { matchedError } from '../../row/matches.ts';
import { matchedRules, type Rule } from '../../row/rules.ts';
import { quoted } from '../../text/escape.ts';
import { counted } from '../../text/words.ts';
import type { DiffOptions } from './options.ts';

export interface Gate {
  /** `row`, told what it matches; the same row when there are no rules. */
  judge(row: DiffRow): DiffRow;
  /** The one line of a diff in which something matched. */
  error(): FindingError | undefined;
}

export function createGate({ rules, accept }: Pick<DiffOptions, 'rules' | 'accept'>, finder: Finder): Gate {
  const names = new Set<string>();
  let count = 0;
  let first: { readonly row: DiffRow; readonly rule: Rule } | undefined;
  return {
    judge(row) {
      if (rules.length === 0) return row;
      const found = accept.has(row.change) ? [] : matchedRules(rules, finder.in(row));
      for (const { name } of found) names.add(name);
      const [rule] = found;
      if (rule) {
        count += 1;
        first ??= { row, rule };
      }
      return { ...row, matched: found.map(({ name }) => name) };
    },
    error() {
      if (!first) return undefined;
      // Which rule it was is clear when only one matched.
      const rule = names.size === 1 ? ` ${quoted(first.rule.name)}` : '';
      const where = count === 1 ? first.row.wallet : `${counted(count, 'row')}, the first is ${first.row.wallet}`;
      return matchedError(`${first.rule.source}${rule} matched ${where}`);
    },
  };
}

/** Wallets that an earlier review had and a later one has not. */
import type { Context } from '../../context.ts';
import { findChange } from '../../row/change.ts';
import type { Matches } from '../../row/matches.ts';
import { findIn } from '../../row/row.ts';
import { conditionsOf, judgeExpression } from '../../row/rules.ts';
import { rowsOf } from '../../runs/earlier.ts';
import type { createSections } from './collect.ts';
import { type Compared, earlierOptions, type Judging } from './compared.ts';

export interface ComparedReview {
  readonly sections: ReturnType<typeof createSections>;
  readonly compared: Compared;
  readonly judging: Judging;
}

/** The wallets that have left, and the rules that ask for that. */
export async function addLeavers(
  { sections, compared, judging }: ComparedReview,
  { matches, context }: { readonly matches: Matches; readonly context: Context },
): Promise<void> {
  if (compared.path === undefined) return;
  const keys = sections.leavers();
  if (keys.size === 0) return;
  const asking = judging.rules.filter(({ when }) => conditionsOf(when).some(({ aspect }) => aspect === 'change'));
  const options = { ...earlierOptions(judging, context), onDamage() {} };
  for await (const row of rowsOf(compared.path, keys, options)) {
    const find = findChange(findIn(row), { change: 'removed', old: undefined });
    const matched = asking.filter(({ when }) => judgeExpression(when, find));
    if (matched.length > 0) matches.counts.add(row, { matched, unjudged: [] });
    sections.left(
      row,
      matched.map(({ name }) => name),
    );
  }
}

/** Wallets that an earlier review had and a later one has not. */
import type { Context } from '../../context.ts';
import { findChange } from '../../row/change.ts';
import { findIn, type Row } from '../../row/row.ts';
import type { RuleCounts } from '../../row/rule-counts.ts';
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
  { counts, context }: { readonly counts: RuleCounts<Row>; readonly context: Context },
): Promise<void> {
  if (compared.path === undefined) return;
  const keys = sections.leavers();
  if (keys.size === 0) return;
  const asking = judging.rules.filter(({ when }) => conditionsOf(when).some(({ aspect }) => aspect === 'change'));
  const options = { ...earlierOptions(judging, context), onDamage() {} };
  for await (const row of rowsOf(compared.path, keys, options)) {
    const find = findChange(findIn(row), { change: 'removed', old: undefined });
    const held = asking.filter(({ when }) => judgeExpression(when, find));
    const [matched, watched] = [
      held.filter(({ level }) => level === 'alarm'),
      held.filter(({ level }) => level === 'watch'),
    ];
    counts.add(row, { matched, watched, unjudged: [] });
    sections.left(
      row,
      matched.map(({ name }) => name),
    );
  }
}

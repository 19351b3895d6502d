/** Tables with a line per value of a field: groups of rows (--by), and changes from one value to another. */
import { grouped } from '../../../text/words.ts';
import { percent, shortOf } from '../amounts.ts';
import type { Flow } from '../figures/changes.ts';
import type { Figures } from '../figures/collect.ts';
import type { Groups, RowGroup } from '../figures/groups.ts';
import { MEASURES } from '../figures/measures.ts';
import { groupNames, valueText } from '../statement.ts';
import { type Element, h } from './markup.ts';
import { numbersTable, section } from './parts.ts';

/** Lines shown at most. */
const MAX_LINES = 50;

export function groupsSection({ groups, rows }: Figures & { readonly groups: Groups }): Element {
  const line = (group: RowGroup, name: string) => ({
    head: name,
    numbers: [
      grouped(group.rows),
      percent(group.rows, rows),
      grouped(group.matched),
      ...MEASURES.map((measure) => {
        const summary = group.summaries[measure];
        return summary ? shortOf(measure, summary.median) : '';
      }),
    ],
  });
  const lines = [
    ...groups.groups.slice(0, MAX_LINES).map((group) => line(group, groupNames.of(group))),
    ...(groups.others ? [line(groups.others, groupNames.others)] : []),
  ];
  const shown = numbersTable(['Value', 'Rows', 'Share', 'Matched', 'Median score', 'Median collateral'], lines);
  return section('groups', `By ${groups.field}`, h('div', { class: 'figures' }, shown), moreNote(groups.groups.length));
}

export function flowTable({ field, pairs }: Flow): Element {
  const lines = pairs
    .slice(0, MAX_LINES)
    .map(({ from, to, wallets }) => ({ head: `${valueText(from)} → ${valueText(to)}`, numbers: [grouped(wallets)] }));
  // The field is named in a heading, because a narrow page hides column heads.
  const shown = numbersTable(['From → to', 'Wallets'], lines);
  return h('div', { class: 'figures' }, h('h3', {}, field), shown, moreNote(pairs.length));
}

const moreNote = (all: number) => all > MAX_LINES && h('p', { class: 'note' }, `and ${grouped(all - MAX_LINES)} more`);

/** Tables of a page that have a line for each value of a field: groups of rows (--by), and what values became of others. */
import { grouped } from '../../../text/words.ts';
import { percent, shortOf } from '../amounts.ts';
import type { Flow } from '../figures/changes.ts';
import type { Figures } from '../figures/collect.ts';
import type { Group, Groups } from '../figures/groups.ts';
import { MEASURES } from '../figures/measures.ts';
import { groupNames, valueText } from '../statement.ts';
import { type Element, h } from './markup.ts';
import { columnHead, numberCell, rowHead, scrolling, section, table } from './parts.ts';

/** So many lines are looked through. */
const MAX_LINES = 50;

export function groupsSection({ groups, rows }: Figures & { readonly groups: Groups }): Element {
  const line = (group: Group, name: string) => [
    rowHead(name),
    numberCell(grouped(group.rows)),
    numberCell(percent(group.rows, rows)),
    numberCell(grouped(group.matched)),
    ...MEASURES.map((measure) => {
      const summary = group.summaries[measure];
      return numberCell(summary ? shortOf(measure, summary.median) : '');
    }),
  ];
  const lines = [
    ...groups.groups.slice(0, MAX_LINES).map((group) => line(group, groupNames.of(group))),
    ...(groups.others ? [line(groups.others, groupNames.others)] : []),
  ];
  const heads = ['Value', 'Rows', 'Share', 'Matched', 'Median score', 'Median collateral'];
  const title = `By ${groups.field}`;
  const shown = table(
    { class: 'figures' },
    heads.map((text, i) => columnHead(text, i > 0)),
    lines,
  );
  return section('groups', title, scrolling(title, undefined, shown), moreNote(groups.groups.length));
}

export function flowTable({ field, pairs }: Flow): Element {
  const lines = pairs
    .slice(0, MAX_LINES)
    .map(({ from, to, wallets }) => [rowHead(`${valueText(from)} → ${valueText(to)}`), numberCell(grouped(wallets))]);
  const heads = [columnHead(field), columnHead('Wallets', true)];
  return h('div', {}, scrolling(field, undefined, table({ class: 'figures' }, heads, lines)), moreNote(pairs.length));
}

const moreNote = (all: number) => all > MAX_LINES && h('p', { class: 'note' }, `and ${grouped(all - MAX_LINES)} more`);

/**
 * A wallet's card on a page: everything in its row, numbers verbatim, arrays of objects as tables.
 */

import type { ObjectNode } from '../../../document/node.ts';
import { lookup } from '../../../document/path.ts';
import { META } from '../../../row/row.ts';
import { type CardSection, sectionsOf } from '../../card/card-sections.ts';
import { minuteOf } from '../amounts.ts';
import { MARKS, markWord, type PageData, type PageRow, rulesOf } from '../page-data.ts';
import { h, type Markup } from './markup.ts';
import { scrolling, sentence } from './parts.ts';
import { dollarText, statusText } from './table.ts';

type CardData = Pick<PageData, 'isReview'>;

/** The content below the title; `node` is the whole row, if the page has it. */
export function cardBody(row: PageRow, node: ObjectNode | undefined, data: CardData = {}): readonly Markup[] {
  if (!node) return [facts(cardFacts(row, data)), h('p', { class: 'note' }, NO_ROOM)];
  const input = lookup(node, [META, 'input']);
  const answer = node.members.filter(([key]) => !SHOWN_ABOVE.includes(key));
  return [
    facts(cardFacts(row, data)),
    ...(input?.kind === 'object' ? titledSections('In the list', input) : []),
    ...titledSections('The answer', { kind: 'object', members: answer }),
  ];
}

/** Members of a row that are shown elsewhere on the card. */
const SHOWN_ABOVE: readonly string[] = [META, 'wallet_address'];

const NO_ROOM = 'The whole answer is in the file that the page was made from.';

type Fact = readonly [name: string, value: Markup | undefined];

function cardFacts(row: PageRow, data: CardData): readonly Fact[] {
  return [
    ['Status', row.status && statusText(row.status)],
    ['Score', row.score],
    ['Collateral', dollarText(row.collateral)],
    ...MARKS.map((mark): Fact => [sentence(markWord(mark, data)), rulesOf(row, mark).join('; ') || undefined]),
    ['Incomplete', row.warning],
    ['Error', row.error],
    ['Answered', row.at && minuteOf(row.at)],
    ['Line of the list', String(row.line)],
  ];
}

function facts(entries: readonly Fact[]): Markup {
  const filled = entries.filter(([, value]) => value !== undefined);
  const pairs = filled.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)));
  return h('dl', {}, pairs);
}

/** Sections under their paths; one with the path of the one before it has no heading. */
function titledSections(title: string, document: ObjectNode): readonly Markup[] {
  const found = sectionsOf(document).sections;
  const sections = found.flatMap((one, i) => {
    const isTitled = one.path !== '' && one.path !== found[i - 1]?.path;
    return [...(isTitled ? [h('h3', {}, one.path)] : []), sectionBody(one)];
  });
  return sections.length > 0 ? [h('h3', {}, title), ...sections] : [];
}

function sectionBody(one: CardSection): Markup {
  switch (one.kind) {
    case 'entries':
      return facts(one.entries.map(({ name, text }) => [name, text]));
    case 'list': {
      const items = one.items.map((item) => h('li', {}, item));
      return h('ul', {}, items);
    }
    case 'table': {
      const columns = [...(one.named ? ['Name'] : []), ...one.columns].map((title) => ({ title }));
      const rows = one.rows.map(({ name, cells }) => ({ cells: [...(one.named ? [name] : []), ...cells] }));
      return scrolling(`Table of ${one.path || 'the answer'}`, { columns, rows });
    }
  }
}

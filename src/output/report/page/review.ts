/** The sections of a review on its page: the words and numbers of the letter. */
import { grouped } from '../../../text/words.ts';
import { endingWords, firstLine, partsOf, percentText, scoreChange, valueText } from '../../review/letter.ts';
import type { ReviewRow, ReviewSections } from '../../review/sections.ts';
import { safeText } from '../figures/tally.ts';
import { type Element, h } from './markup.ts';
import { columnHead, numberCell, rowHead, scrolling, section, table } from './parts.ts';

const HEADS = ['Wallet', 'Score', 'Change', 'Collateral', 'Change', 'Remarks'] as const;

export function reviewSections(review: ReviewSections): readonly Element[] {
  const found = partsOf(review).filter(({ total }) => total > 0);
  return [
    section('review', 'The review', h('p', {}, safeText(firstLine(review))), ruleList(review), evidence(review)),
    ...found.map(({ name, total, newly = 0, rows, remarks }) => {
      const head = `${name[0]?.toUpperCase()}${name.slice(1)}: ${grouped(total)}${newly > 0 ? `, new ${grouped(newly)}` : ''}`;
      const heads = HEADS.map((text) => columnHead(text));
      const lines = rows.map((row) => cells(row, remarks(row)));
      const more = total - rows.length;
      return section(
        `review-${name.replaceAll(' ', '-')}`,
        head,
        scrolling(`Table of ${name}`, undefined, table({}, heads, lines)),
        more > 0 && h('p', { class: 'note' }, `and ${grouped(more)} more`),
      );
    }),
    ...endings(review),
  ];
}

const cells = (row: ReviewRow, remarks: readonly string[]) => [
  rowHead(safeText(row.label ?? row.wallet ?? `line ${row.line}`)),
  numberCell(safeText(valueText('score', row.score.new ?? row.score.old))),
  numberCell(safeText(scoreChange(row))),
  numberCell(safeText(valueText('total_collateral_usd', row.collateral.new ?? row.collateral.old))),
  numberCell(percentText(row)),
  h('td', {}, safeText(remarks.filter(Boolean).join('; '))),
];

function ruleList({ rules }: ReviewSections): Element | undefined {
  if (rules.length === 0) return undefined;
  const items = rules.map(({ name, condition }) => h('li', {}, h('code', {}, safeText(`${name}: ${condition}`))));
  return h('ul', {}, items);
}

/** What was read, for whoever has the files. */
function evidence({ list, policy }: ReviewSections): Element {
  const read = [['list', list] as const, ...(policy ? [['policy', policy] as const] : [])];
  const items = read.map(([what, { name, sha256 = 'none' }]) =>
    h('li', {}, `${what} `, safeText(name || 'standard input'), ', SHA-256 ', h('code', {}, sha256)),
  );
  return h('ul', {}, items);
}

function endings({ ending }: ReviewSections): readonly Element[] {
  if (ending.length === 0) return [];
  const items = ending.map((one) => h('li', {}, safeText(endingWords(one))));
  return [section('review-endings', `Exceptions that end: ${grouped(ending.length)}`, h('ul', {}, items))];
}

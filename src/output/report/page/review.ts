/** The sections of a review on its page: the words and numbers of the letter. */
import type { Review } from '../../../review/review.ts';
import type { NamedWallet } from '../../../review/wallet-facts.ts';
import { groupDigits } from '../../../text/words.ts';
import { endingWords, listName, partsOf, totalText } from '../../review/letter.ts';
import { collateralChange, collateralText, remarksOf, scoreChange, scoreText } from '../../review/wallet-words.ts';
import type { PageData } from '../page-data.ts';
import { safeText } from '../page-rows.ts';
import { type Child, type Element, h } from './markup.ts';
import { pageSection, scrolling } from './parts.ts';
import { addressOf, ownColumnsText } from './table.ts';

const REVIEW_COLUMNS = [
  { title: 'Wallet', key: 'wallet' },
  { title: 'Score', kind: 'number' },
  { title: 'Change', kind: 'number' },
  { title: 'Collateral', kind: 'number' },
  { title: 'Change', kind: 'number' },
  { title: 'Remarks', key: 'remarks' },
];

export function reviewSections(review: Review, { rows }: PageData): readonly Child[] {
  const numbers = new Map(rows.map(({ line }, number) => [line, number]));
  const found = partsOf(review).filter(({ total }) => total > 0);
  return [
    ...found.map(({ name, notes = [], ...section }) => {
      const { total, wallets } = section;
      const head = `${name[0]?.toUpperCase()}${name.slice(1)}: ${totalText(section)}`;
      const cells = wallets.map((facts) => reviewCells(facts));
      const isUsed = REVIEW_COLUMNS.map((_, i) => cells.some((row) => row[i] !== ''));
      const used = <T>(items: readonly T[]) => items.filter((_, i) => isUsed[i]);
      const lines = wallets.map((facts, i) => ({
        cells: used(cells[i] ?? []),
        number: facts.line === undefined ? undefined : numbers.get(facts.line),
      }));
      return pageSection(
        `review-${name.replaceAll(' ', '-')}`,
        head,
        scrolling(`Table of ${name}`, { class: 'wallets stack', columns: used(REVIEW_COLUMNS), rows: lines }),
        moreNote(total - wallets.length),
        ...notes.map((note) => h('p', { class: 'note' }, safeText(note))),
      );
    }),
    endings(review),
  ];
}

export const moreNote = (left: number): Child => left > 0 && h('p', { class: 'note' }, `and ${groupDigits(left)} more`);

const reviewCells = (row: NamedWallet): readonly Child[] => [
  [
    row.label !== undefined && h('div', {}, h('b', {}, safeText(row.label))),
    addressOf(safeText(row.wallet ?? `line ${row.line}`)),
    ' ',
    ownColumnsText(row.columns.map(([name, text]) => [safeText(name), safeText(text)])),
  ],
  safeText(scoreText(row)),
  safeText(scoreChange(row)),
  safeText(collateralText(row)),
  safeText(collateralChange(row)),
  safeText(remarksOf(row).join('; ')),
];

function endings({ ending }: Review): Child {
  const items = ending.map((one) => h('li', {}, safeText(endingWords(one))));
  return (
    ending.length > 0 &&
    pageSection('review-endings', `Exceptions that end: ${groupDigits(ending.length)}`, h('ul', {}, items))
  );
}

/** What was read, for whoever has the files. */
export function inputFiles(review: Review): Element {
  const { list, policy } = review;
  const read = [['list', list] as const, ...(policy ? [['policy', policy] as const] : [])];
  const items = read.map(([what, { name, sha256 = 'none' }]) =>
    h('li', {}, `${what} `, safeText(name || listName(review)), ', SHA-256 ', h('code', {}, sha256)),
  );
  return h('ul', {}, items);
}

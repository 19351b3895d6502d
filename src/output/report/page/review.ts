/** The sections of a review on its page: the words and numbers of the letter. */
import type { Review } from '../../../review/read-review.ts';
import type { ReviewWallet } from '../../../review/wallet.ts';
import { groupDigits } from '../../../text/words.ts';
import { daysOf, ruleLines, sectionTitle } from '../../review/letter.ts';
import {
  collateralChange,
  collateralText,
  type Days,
  ownCells,
  remarksOf,
  scoreChange,
  scoreText,
} from '../../review/wallet-words.ts';
import type { PageData } from '../page-data.ts';
import { safeText } from '../page-rows.ts';
import { type Child, type Element, h } from './markup.ts';
import { pageSection, scrolling, sentence } from './parts.ts';
import { addressButton, ownColumnsText } from './table.ts';

const REVIEW_COLUMNS = [
  { title: 'Wallet', key: 'wallet' },
  { title: 'Score', kind: 'number' },
  { title: 'Change', kind: 'number' },
  { title: 'Collateral', kind: 'number' },
  { title: 'Change', kind: 'number' },
  { title: 'Remarks', key: 'remarks' },
];

export function reviewSections(review: Review, { rows }: PageData): readonly Child[] {
  const numbers = new Map<number | undefined, number>(rows.map(({ line }, number) => [line, number]));
  const found = review.sections.filter(({ total }) => total > 0);
  return found.map((section) => {
    const { total, wallets } = section;
    const title = sectionTitle(section.name);
    const cells = wallets.map((wallet) => reviewCells(wallet, daysOf(review), numbers.has(wallet.line)));
    const isUsed = REVIEW_COLUMNS.map((_, i) => cells.some((row) => row[i] !== ''));
    const used = <T>(items: readonly T[]) => items.filter((_, i) => isUsed[i]);
    const lines = wallets.map(({ line }, i) => ({ cells: used(cells[i] ?? []), number: numbers.get(line) }));
    return pageSection(
      `review-${section.name.replaceAll('_', '-')}`,
      `${sentence(title)}: ${groupDigits(total)}`,
      scrolling(`Table of ${title}`, { class: 'wallets stack', columns: used(REVIEW_COLUMNS), rows: lines }),
      moreNote(total - wallets.length),
      ...ruleLines(section, review).map((line) => h('p', { class: 'note' }, safeText(line))),
    );
  });
}

export const moreNote = (left: number): Child => left > 0 && h('p', { class: 'note' }, `and ${groupDigits(left)} more`);

const addressText = (wallet: string): Element => h('span', { class: 'address' }, wallet);

const reviewCells = (row: ReviewWallet, days: Days, hasCard: boolean): readonly Child[] => [
  [
    row.label !== undefined && h('div', {}, h('b', {}, safeText(row.label))),
    (hasCard ? addressButton : addressText)(safeText(row.wallet ?? `line ${row.line}`)),
    ' ',
    ownColumnsText(ownCells(row).map(([name, text]) => [safeText(name), safeText(text)])),
  ],
  safeText(scoreText(row)),
  safeText(scoreChange(row)),
  safeText(collateralText(row)),
  safeText(collateralChange(row)),
  safeText(remarksOf(row, days).join('; ')),
];

/** What was read, for whoever has the files. */
export function inputFiles(review: Review): Element {
  const { name: reviewed, list, policy } = review;
  const read = [['list', list] as const, ...(policy ? [['policy', policy] as const] : [])];
  const items = read.map(([what, { name, sha256 = 'none' }]) =>
    h('li', {}, `${what} `, safeText(name || reviewed), ', SHA-256 ', h('code', {}, sha256)),
  );
  return h('ul', {}, items);
}

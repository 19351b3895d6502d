/**
 * A review as a letter: a line of counts and what it was compared with, then the sections that are
 * not empty. It reads the same on a terminal and in a mail.
 */

import type { Ending, Review } from '../../review/review.ts';
import type { Section } from '../../review/sections.ts';
import type { NamedWallet } from '../../review/wallet-facts.ts';
import { STATUSES } from '../../row/row.ts';
import type { Level } from '../../rules/rules.ts';
import { visible } from '../../text/escape.ts';
import { DAY_MS, isoSeconds } from '../../text/when.ts';
import { truncate, wrap } from '../../text/width.ts';
import { groupDigits } from '../../text/words.ts';
import { type Drawing, drawingOn, moreLines, type Terminal, widest } from '../terminal/lines.ts';
import { Table, type TableColumn } from '../terminal/table.ts';
import { createNamer } from '../terminal/wallet-names.ts';
import { collateralChange, collateralText, dayOf, dayText, remarksOf, scoreChange, scoreText } from './wallet-words.ts';

/**
 * Rows of a section that the letter shows, and of the wallets that have changed, unless more of
 * these are news.
 */
export const SHOWN = 40;
const SHOWN_CHANGED = 10;
/** The list's own columns that are shown where there is room. */
const OWN_COLUMNS = 2;
/** In narrower texts there is no room for them. */
const MIN_WIDTH = 80;

export async function letterLines(review: Review, terminal: Terminal): Promise<readonly string[]> {
  const drawing = await drawingOn(terminal);
  const sections = [...partsOf(review).map((part) => sectionLines(part, drawing)), endingLines(review, drawing)].filter(
    (lines) => lines.length > 0,
  );
  const first = [...(review.isSandbox ? [SYNTHETIC] : []), firstLine(review), ...weakerRules(review)];
  return [...first, ...sections.flatMap((lines) => ['', ...lines])];
}

/** A section as people read it. */
export interface Part extends Section {
  readonly name: string;
  /** Wallets that the letter shows. */
  readonly shown?: number;
  /** The notes of the rules that put wallets into the section. */
  readonly notes?: readonly string[];
}

/** The sections in their order, for the letter and for the page. */
export function partsOf(review: Review): readonly Part[] {
  const { lookAt, notJudged, watch, excused, changed, came, left } = review;
  const notes = (level: Level) =>
    review.rules.flatMap(({ name, level: of, note, matched }) =>
      of === level && note !== undefined && matched > 0 ? [`${visible(name)}: ${visible(note)}`] : [],
    );
  return [
    { name: 'to look at', ...lookAt, notes: notes('alarm') },
    { name: 'not judged', ...notJudged },
    { name: 'watch', ...watch, notes: notes('watch') },
    { name: 'excused', ...excused },
    { name: 'changed', ...changed, shown: Math.min(SHOWN, Math.max(SHOWN_CHANGED, changed.newsCount)) },
    { name: 'came', ...came },
    { name: 'left', ...left },
  ];
}

/**
 * The list as people know it: by its file, or for one from standard input by the folder of its
 * reviews.
 */
export const listName = ({ list, folder }: Pick<Review, 'list' | 'folder'>): string =>
  visible(list.name || folder || 'standard input');

/** What can be passed on says first that it is made up. */
export const SYNTHETIC = 'Sandbox: synthetic data, made up for trying riskcli.';

/** The list, the day, the counts as labels, and what it was compared with. */
export const firstLine = (review: Review): string =>
  `${listName(review)}, ${dayOf(review.begun)} (UTC): ${storyLine(review)}`;

/** The first line without what stands in the title of a page. */
export function storyLine(review: Review): string {
  const { hasUnjudgedChanges, comparedWith } = review;
  const changes = hasUnjudgedChanges ? '; changes were not judged' : '';
  return `${walletCounts(review)}${earlierDays(review)}; ${comparedWords(comparedWith)}${changes}`;
}

/**
 * Whoever changed the rules may not have meant to: an alarm that its rule no longer raises would
 * end in silence.
 */
export function weakerRules({ clearedByRules }: Pick<Review, 'clearedByRules'>): readonly string[] {
  const rules = clearedByRules.map(([rule, wallets]) => `${visible(rule)} (wallets ${groupDigits(wallets)})`);
  return rules.length > 0 ? [`rules that matched before are gone or weaker: ${rules.join(', ')}`] : [];
}

type ReviewCounts = Pick<Review, 'rows' | 'wallets' | 'byStatus' | 'incomplete'>;

/** `wallets 60, scored 58, failed 2, incomplete 1`; rows too where there are more of them. */
export function walletCounts({ rows, wallets, byStatus, incomplete }: ReviewCounts): string {
  const warned = incomplete > 0 ? [`incomplete ${groupDigits(incomplete)}`] : [];
  const counted = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  return [
    ...countLabels('wallets', wallets, byStatus),
    ...warned,
    ...(rows === counted ? [] : [`rows ${groupDigits(rows)}`]),
  ].join(', ');
}

/** `rows 60, scored 58, failed 2`. */
const countLabels = (what: string, total: number, byStatus: Review['byStatus']): readonly string[] => [
  `${what} ${groupDigits(total)}`,
  ...STATUSES.filter((status) => byStatus[status] > 0).map((status) => `${status} ${groupDigits(byStatus[status])}`),
];

/** Answers that were used again though they are of an earlier day. */
function earlierDays({ ofEarlierDays: days }: Review): string {
  const [first, last] = [days[0], days.at(-1)].map((day) => day && dayOf(day[0] * DAY_MS));
  if (first === undefined || last === undefined) return '';
  const total = days.reduce((sum, [, count]) => sum + count, 0);
  return `; answers of ${first === last ? first : `${first} to ${last}`}: ${groupDigits(total)}`;
}

function comparedWords(compared: Review['comparedWith']): string {
  switch (compared.kind) {
    case 'review':
      return (
        `compared with ${dayOf(compared.begun)} ` +
        `(${visible(compared.file)}${compared.hasOtherRules ? ', kept under other rules' : ''})`
      );
    case 'first':
      return 'the first review';
    case 'none usable':
      return 'nothing to compare with: the reviews that are old enough were passed over';
    case 'none yet':
      return (
        `nothing to compare with yet: the newest is of ${dayOf(compared.newest)}, and --since ` +
        `${isoSeconds(compared.newest)} takes it`
      );
    case 'gone':
      return `what it was compared with is gone (${visible(compared.file)}): changes are left out`;
  }
}

function sectionLines({ name, shown = SHOWN, notes = [], ...section }: Part, drawing: Drawing): readonly string[] {
  const { total, wallets } = section;
  if (total === 0) return [];
  const rows = wallets.slice(0, shown);
  const lines = rowLines(`${name.toUpperCase()}  ${totalText(section)}`, rows, drawing);
  return [...lines, ...moreLines(total - rows.length, drawing), ...notes.flatMap((note) => wrap(note, drawing.width))];
}

/** `6, new 2, new by rule 1`. */
export const totalText = (section: Section): string => [groupDigits(section.total), ...newsLabels(section)].join(', ');

export const newsLabels = ({ byFacts, byRules }: Section): readonly string[] => [
  ...(byFacts > 0 ? [`new ${groupDigits(byFacts)}`] : []),
  ...(byRules > 0 ? [`new by rule ${groupDigits(byRules)}`] : []),
];

function rowLines(head: string, rows: readonly NamedWallet[], drawing: Drawing): readonly string[] {
  const hasChange = rows.some((row) => scoreChange(row) !== '');
  const hasCollateralChange = rows.some((row) => collateralChange(row) !== '');
  const own = drawing.width < MIN_WIDTH ? [] : ownColumns(rows);
  const columns: readonly TableColumn[] = [
    { head, cut: 'middle', minWidth: 13 },
    { head: 'SCORE', isNumber: true },
    ...(hasChange ? [{ head: 'CHANGE', isNumber: true }] : []),
    { head: 'COLLATERAL', isNumber: true },
    ...(hasCollateralChange ? [{ head: 'CHANGE', isNumber: true }] : []),
    ...own.map((name): TableColumn => ({ head: visible(name).toUpperCase(), isNumber: false, cut: 'end' })),
  ];
  const table = new Table(columns, drawing);
  const values = rows.map((row) => [
    ...[scoreText(row), ...(hasChange ? [scoreChange(row)] : []), collateralText(row)].map(cutNumber),
    ...(hasCollateralChange ? [cutNumber(collateralChange(row))] : []),
    ...own.map((name) => truncate(visible(row.columns.find(([column]) => column === name)?.[1] ?? ''), 16)),
  ]);
  const remarks = rows.map((row) => remarksOf(row).join('; '));
  for (const row of values) table.observe(['', ...row]);
  const name = createNamer(rows, drawing.width, table.roomOfFirst(widest(remarks)));
  const cells = rows.map((row, i) => [name(row), ...(values[i] ?? [])]);
  for (const row of cells) table.observe(row);
  return [table.head(), ...cells.flatMap((row, i) => (remarks[i] ? table.behind(row, remarks[i]) : [table.line(row)]))];
}

/** The json has every digit. */
const MAX_NUMBER = 20;
const cutNumber = (text: string) => truncate(text, MAX_NUMBER);

/** The first of the list's own columns that say something. */
function ownColumns(rows: readonly NamedWallet[]): readonly string[] {
  const names = new Set(rows.flatMap(({ columns }) => columns.filter(([, text]) => text !== '').map(([name]) => name)));
  return [...names].slice(0, OWN_COLUMNS);
}

function endingLines({ ending }: Review, drawing: Drawing): readonly string[] {
  if (ending.length === 0) return [];
  const lines = ending.slice(0, SHOWN).map(endingWords);
  return [
    drawing.chalk.bold(`EXCEPTIONS THAT END  ${groupDigits(ending.length)}`),
    ...lines,
    ...moreLines(ending.length - lines.length, drawing),
  ];
}

export const endingWords = ({ label, wallet, rule, until = '', hasEnded }: Ending) =>
  visible([label, wallet, `${rule}, ${hasEnded ? 'ended' : 'ends'} ${dayText(until)}`].filter(Boolean).join('  '));

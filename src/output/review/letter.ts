/**
 * A review as a letter: what it was compared with, the counts, the rules that changed, then the
 * sections that are not empty. It reads the same on a terminal and in a mail.
 */
import type { Review, RuleFigures } from '../../review/read-review.ts';
import type { Section } from '../../review/sections.ts';
import type { ReviewWallet, SectionName } from '../../review/wallet.ts';
import { STATUSES, type Status } from '../../row/row.ts';
import { visible } from '../../text/escape.ts';
import { truncate, wrap } from '../../text/width.ts';
import { countWords, groupDigits } from '../../text/words.ts';
import { type Drawing, drawingOn, moreLines, type Terminal, widest } from '../terminal/lines.ts';
import { Table } from '../terminal/table.ts';
import { createNamer } from '../terminal/wallet-names.ts';
import {
  collateralChange,
  collateralText,
  type Days,
  dayText,
  ownCells,
  remarksOf,
  scoreChange,
  scoreText,
} from './wallet-words.ts';

/** Rows of a section that the letter shows; of changes, unless more of them are news. */
export const SHOWN = 40;
const SHOWN_CHANGED = 10;
/** The list's own columns that are shown if there is room. */
const OWN_COLUMNS = 2;
/** In narrower texts there is no room for them. */
const MIN_WIDTH = 80;

export async function letterLines(review: Review, terminal: Terminal): Promise<readonly string[]> {
  const drawing = await drawingOn(terminal);
  const days = daysOf(review);
  const sections = review.sections.filter(({ total }) => total > 0);
  return [
    ...headLines(review).flatMap((line) => wrap(line, drawing.width)),
    ...sections.flatMap((section) => ['', ...sectionLines(section, review, days, drawing)]),
  ];
}

export const daysOf = ({ day, base }: Pick<Review, 'day' | 'base'>): Days => ({ day, base: base?.day });

/** The first line of synthetic data that can be passed on. */
export const SYNTHETIC = 'Sandbox: synthetic data, made up for trying riskcli.';

/** The lines above the sections, as brief and page have them too. */
export function headLines(review: Review): readonly string[] {
  return [
    ...(review.isSandbox ? [SYNTHETIC] : []),
    `${visible(review.name)}, ${fullDay(review.day)} (days are UTC): ${comparedWords(review)}`,
    walletCountWords(review.counts),
    alarmCountWords(review),
    ...review.rules.filter(({ change }) => change).map(ruleChangeWords),
    ...earlierAnswerWords(review),
  ];
}

/** `5 Oct 2026`. */
export const fullDay = (day: string): string => dayText(day, { day: '' });

function comparedWords({ base, day }: Review): string {
  if (!base) return 'the first review, with nothing to compare';
  const oldest = base.isYoungerThanSince ? ', the oldest there is' : '';
  const score = base.hasOtherScore ? '; its scores were read from another path' : '';
  return `compared with ${dayText(base.day, { day })}${oldest}${score}`;
}

/** `wallets 60, scored 58, failed 2, incomplete 1`; rows too if there are more of them. */
export function walletCountWords(counts: Pick<Review['counts'], Status | 'rows' | 'wallets' | 'incomplete'>): string {
  const statuses = STATUSES.map((status) => [status.replace('_', ' '), counts[status]] as const);
  const named = STATUSES.reduce((sum, status) => sum + counts[status], 0);
  return countWords([
    ['wallets', counts.wallets, true],
    ...statuses,
    ['incomplete', counts.incomplete],
    ['rows', counts.rows === named ? 0 : counts.rows],
  ]);
}

/** `alarms: open 5, new 2, closed 1; wallets: not judged 2, added 1`. */
function alarmCountWords({ counts }: Review): string {
  const alarms = countWords([
    ['open', counts.open, true],
    ['new', counts.new, true],
    ['closed', counts.closed, true],
    ['watch', counts.watch],
    ['excused', counts.excused],
  ]);
  const wallets = countWords([
    ['not judged', counts.not_judged],
    ['judged again', counts.judged_again],
    ['added', counts.added],
    ['removed', counts.removed],
  ]);
  return `alarms: ${alarms}${wallets === '' ? '' : `; wallets: ${wallets}`}`;
}

/** `rule low: score < 650 (before: score < 600): new 1, closed 0`. */
function ruleChangeWords({ name, condition, change, previousCondition, new: opened, closed }: RuleFigures): string {
  const before = previousCondition === undefined ? '' : ` (before: ${previousCondition})`;
  const how = change === 'changed' ? '' : ` (${change})`;
  const counts = `new ${groupDigits(opened)}, closed ${groupDigits(closed)}`;
  return visible(`rule ${name}${how}: ${condition}${before}: ${counts}`);
}

/** Answers that were reused though they are of an earlier day than the review. */
function earlierAnswerWords({ earlierAnswers, day }: Review): readonly string[] {
  if (earlierAnswers.length === 0) return [];
  const days = earlierAnswers.map((one) => `${groupDigits(one.wallets)} of ${dayText(one.day, { day })}`);
  return [`answers of an earlier day: ${days.join(', ')}`];
}

/** `new alarms`, `not judged`. */
export const sectionTitle = (name: SectionName): string =>
  name === 'new' || name === 'open' ? `${name} alarms` : name.replace('_', ' ');

function sectionLines(section: Section, review: Review, days: Days, drawing: Drawing): readonly string[] {
  const { name, total, wallets } = section;
  const rows = wallets.slice(0, shownOf(section));
  return [
    ...rowLines(`${sectionTitle(name).toUpperCase()}  ${groupDigits(total)}`, rows, days, drawing),
    ...moreLines(total - rows.length, drawing),
    ...ruleLines(section, review).flatMap((line) => wrap(line, drawing.width)),
  ];
}

/** News stands first in a section. */
const shownOf = ({ name, newsCount }: Section): number =>
  name === 'changed' ? Math.min(SHOWN, Math.max(SHOWN_CHANGED, newsCount)) : SHOWN;

/** The rules of a section, each with its condition and its note. */
export function ruleLines({ rules }: Section, review: Review): readonly string[] {
  return rules.flatMap((name) => {
    const rule = review.rules.find((one) => one.name === name);
    if (!rule) return [];
    return [visible(`${name}: ${rule.condition}${rule.note === undefined ? '' : ` - ${rule.note}`}`)];
  });
}

function rowLines(head: string, rows: readonly ReviewWallet[], days: Days, drawing: Drawing): readonly string[] {
  const { ellipsis } = drawing;
  const number = (head: string, textOf: (row: ReviewWallet) => string) => ({
    column: { head, isNumber: true },
    textOf: (row: ReviewWallet) => truncate(textOf(row), MAX_NUMBER, ellipsis),
  });
  const ofList = (name: string) => ({
    column: { head: visible(name).toUpperCase(), isNumber: false, cut: 'end' } as const,
    textOf: (row: ReviewWallet) => truncate(visible(cellOf(row, name)), MAX_CELL, ellipsis),
  });
  const columns = [
    ...[number('SCORE', scoreText), number('CHANGE', scoreChange)],
    ...[number('COLLATERAL', collateralText), number('CHANGE', collateralChange)],
    ...(drawing.width < MIN_WIDTH ? [] : ownColumns(rows).map(ofList)),
  ].filter(({ textOf }) => rows.some((row) => textOf(row) !== ''));
  const table = new Table([{ head, cut: 'middle', minWidth: 13 }, ...columns.map(({ column }) => column)], drawing);
  const values = rows.map((row) => columns.map(({ textOf }) => textOf(row)));
  const remarks = rows.map((row) => remarksOf(row, days, ellipsis).join('; '));
  for (const row of values) table.observe(['', ...row]);
  const name = createNamer(rows, drawing, table.roomOfFirst(widest(remarks)));
  const cells = rows.map((row, i) => [name(row), ...(values[i] ?? [])]);
  for (const row of cells) table.observe(row);
  return [table.head(), ...cells.flatMap((row, i) => (remarks[i] ? table.behind(row, remarks[i]) : [table.line(row)]))];
}

/** In columns of a terminal; JSON has every digit. */
const MAX_NUMBER = 20;
const MAX_CELL = 16;

const cellOf = (wallet: ReviewWallet, name: string): string =>
  ownCells(wallet).find(([column]) => column === name)?.[1] ?? '';

/** The first of the list's own columns that are not empty. */
const ownColumns = (rows: readonly ReviewWallet[]): readonly string[] =>
  [...new Set(rows.flatMap(ownCells).map(([name]) => name))].slice(0, OWN_COLUMNS);

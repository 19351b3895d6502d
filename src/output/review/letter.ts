/**
 * A review as a letter: a line of counts, then the sections that are not empty. It reads the same on a terminal and in mail.
 */
import { visible } from '../../text/escape.ts';
import { DAY_MS, monthName } from '../../text/when.ts';
import { displayWidth, padEnd, truncate, truncateMiddle, wrap } from '../../text/width.ts';
import { counted, grouped, joinWrapped } from '../../text/words.ts';
import { type Drawing, drawingOn, GAP, type Terminal, widest } from '../terminal/lines.ts';
import { type Column, Table } from '../terminal/table.ts';
import { createNamer, MAX_LABEL, SHORT_WALLET } from '../terminal/wallet-names.ts';
import { fieldText } from '../value-text.ts';
import type { Review, Transition } from './figures.ts';
import type { LevelChange, ReviewRow } from './review-row.ts';

/** Rows shown of those that need a look. */
const MAX_ROWS = 40;
const MAX_NAMES = 12;
const MAX_TRANSITIONS = 8;

export async function letterLines(review: Review, terminal: Terminal): Promise<readonly string[]> {
  const drawing = await drawingOn(terminal);
  const sections = [
    matchedSection(review, drawing),
    changedSection(review, drawing),
    levelsSection(review, drawing),
    namesSection('new', review.figures.added, drawing),
    leftSection(review, drawing),
    unjudgedSection(review, drawing),
  ].filter((lines) => lines.length > 0);
  const opening = openingLines(review, drawing, sections.length === 0);
  return [opening, ...sections].flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]));
}

function openingLines(review: Review, { width }: Drawing, isAll: boolean): readonly string[] {
  const { figures, list, asked, reused } = review;
  const { rows, wallets, byStatus } = figures;
  const counts = [
    rows === wallets ? counted(wallets, 'wallet') : `${counted(rows, 'row')}, ${counted(wallets, 'wallet')}`,
    ...(byStatus.scored === rows ? ['all scored'] : wallets > 0 ? [`${grouped(byStatus.scored)} scored`] : []),
    ...(byStatus.no_score > 0 ? [`${grouped(byStatus.no_score)} without a score`] : []),
    ...(byStatus.failed > 0 ? [`${grouped(byStatus.failed)} refused`] : []),
    ...(byStatus.invalid > 0
      ? [`${grouped(byStatus.invalid)} not ${byStatus.invalid === 1 ? 'a wallet' : 'wallets'}`]
      : []),
  ].join(', ');
  const parts = [`${visible(list)}: ${counts}`, costWords({ asked, reused })];
  if (isAll) return [[...parts, nothingWords(review)].join('; ')];
  return linesOf([...parts, comparedWords(review)], width);
}

function costWords({ asked, reused }: Pick<Review, 'asked' | 'reused'>): string {
  if (asked === 0) return reused === 0 ? 'none asked' : 'none asked, all from the journal';
  return reused === 0 ? 'all asked' : `${grouped(asked)} asked, ${grouped(reused)} from the journal`;
}

/** Joins `parts` with semicolons; lines break between parts if possible. */
function linesOf(parts: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const [i, part] of parts.entries()) {
    const piece = i < parts.length - 1 ? `${part};` : part;
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + 1 + displayWidth(piece) <= width)
      lines.splice(-1, 1, `${last} ${piece}`);
    else lines.push(...wrap(piece, width));
  }
  return lines;
}

/** The end of the letter's only line when there is nothing to report. */
function nothingWords(review: Review): string {
  const { baseline, reviewedAt } = review;
  if (baseline === undefined) return `${comparedWords(review)}; nothing to look at`;
  return `nothing to look at, nothing changed since ${dayWords(baseline, reviewedAt)}`;
}

function comparedWords({ baseline, wanted, lastAt, reviewedAt }: Review): string {
  if (baseline !== undefined) return `compared with ${dayWords(baseline, reviewedAt)}`;
  if (wanted === undefined && lastAt === undefined) return 'the first review of this list';
  if (wanted === undefined) return 'no earlier review to compare with';
  return `nothing is known from ${dayWords(wanted, reviewedAt)} or before to compare with`;
}

/** `15 November`, `today at 06:00 UTC`; days are UTC days. */
function dayWords(at: number, now: number): string {
  const date = new Date(at);
  if (Math.floor(at / DAY_MS) === Math.floor(now / DAY_MS)) return `today at ${date.toISOString().slice(11, 16)} UTC`;
  const year = date.getUTCFullYear() === new Date(now).getUTCFullYear() ? '' : ` ${date.getUTCFullYear()}`;
  return `${date.getUTCDate()} ${monthName(at)}${year}`;
}

/** `TO LOOK AT  9, 2 of them new`. */
function title(words: string, count: number, more = ''): string {
  return `${words.toUpperCase()}  ${grouped(count)}${more}`;
}

/** Says how many are new in this review. */
function newWords({ count, newly }: { readonly count: number; readonly newly: number }): string {
  if (newly === 0) return '';
  return newly === count ? ', all new' : `, ${grouped(newly)} of them new`;
}

function matchedSection({ figures: { matched }, reviewedAt, baseline }: Review, drawing: Drawing): readonly string[] {
  if (matched.count === 0) return [];
  const rows = matched.rows.slice(0, MAX_ROWS);
  return rowsTable(rows, {
    head: title('to look at', matched.count, baseline === undefined ? '' : newWords(matched)),
    score: ({ score }) => (score ? fieldText('score', score) : '-'),
    remarks: (row) => [
      ruleWords(row, baseline !== undefined),
      ...row.levels.map(levelWords),
      ...sinceWords(row, reviewedAt),
    ],
    left: matched.count - rows.length,
    drawing,
  });
}

/** Rules that a wallet did not match before are marked as new, unless the wallet itself is new. */
function ruleWords({ matched, newlyMatched, isNew }: ReviewRow, isCompared: boolean): string {
  const isMarked = (name: string) => isCompared && !isNew && newlyMatched.includes(name);
  return matched.map((name) => visible(isMarked(name) ? `${name} (new)` : name)).join(', ');
}

function changedSection({ figures: { changed }, reviewedAt }: Review, drawing: Drawing): readonly string[] {
  if (changed.count === 0) return [];
  const { count, rows } = changed;
  return rowsTable(rows, {
    head: rows.length < count ? `CHANGED MOST  ${rows.length} of ${grouped(count)}` : title('changed', count),
    score: ({ score, old }) =>
      `${old ? fieldText('score', old.score) : '-'} -> ${score ? fieldText('score', score) : '-'}`,
    remarks: (row) => [
      ...row.levels.filter(({ field }) => field !== 'status').map(levelWords),
      ...sinceWords(row, reviewedAt),
    ],
    left: 0,
    drawing,
  });
}

const levelWords = ({ old, new: current }: LevelChange) => `${visible(old)} -> ${visible(current)}`;

/** The date of the earlier score, if it is older than those of the other rows. */
const sinceWords = ({ old }: ReviewRow, now: number) =>
  old && !old.isCurrent ? [`since ${dayWords(old.answeredAt, now)}`] : [];

function rowsTable(
  rows: readonly ReviewRow[],
  about: {
    readonly head: string;
    readonly score: (row: ReviewRow) => string;
    readonly remarks: (row: ReviewRow) => readonly string[];
    /** Number of rows not shown. */
    readonly left: number;
    readonly drawing: Drawing;
  },
): readonly string[] {
  const { head, drawing, left } = about;
  const hasChanges = rows.some((row) => changeText(row) !== '');
  const columns: readonly Column[] = [
    { head, cut: 'middle', minWidth: 13 },
    { head: 'SCORE', isNumber: true },
    ...(hasChanges ? [{ head: 'CHANGE', isNumber: true }] : []),
    { head: 'COLLATERAL', isNumber: true },
  ];
  const table = new Table(columns, { ...drawing, isCut: true });
  const numbers = rows.map((row) => [
    about.score(row),
    ...(hasChanges ? [changeText(row)] : []),
    fieldText('total_collateral_usd', row.collateral),
  ]);
  const remarks = rows.map((row) => about.remarks(row).filter(Boolean).join('; '));
  for (const row of numbers) table.observe(['', ...row]);
  const name = createNamer(rows, drawing.width, table.roomOfFirst(widest(remarks)));
  const cells = rows.map((row, i) => [name(row, `line ${row.line}`), ...(numbers[i] ?? [])]);
  for (const row of cells) table.observe(row);
  const lines = cells.flatMap((row, i) => (remarks[i] ? table.behind(row, remarks[i]) : [table.line(row)]));
  const more = left > 0 ? [drawing.chalk.dim(`and ${grouped(left)} more: -o FILE.csv has all of them`)] : [];
  return [table.head(), ...lines, ...more];
}

function changeText({ change, isNew }: ReviewRow): string {
  if (isNew) return 'new';
  if (change === undefined || change === '0') return '';
  return change.startsWith('-') ? change : `+${change}`;
}

/** One line for each change from one level to another. */
function levelsSection({ figures: { transitions } }: Review, drawing: Drawing): readonly string[] {
  if (transitions.length === 0) return [];
  const shown = transitions.slice(0, MAX_TRANSITIONS);
  const count = transitions.reduce((sum, transition) => sum + transition.count, 0);
  const width = Math.max(...shown.map((transition) => displayWidth(levelWords(transition))));
  const lines = shown.flatMap((transition) => transitionLines(transition, width, drawing));
  const left = transitions.length - shown.length;
  const more = left > 0 ? [drawing.chalk.dim(`and ${counted(left, 'other change')}`)] : [];
  return [drawing.chalk.bold(title('from one level to another', count)), ...lines, ...more];
}

function transitionLines(transition: Transition, width: number, { width: all }: Drawing): readonly string[] {
  const start = `${padEnd(levelWords(transition), width)}${GAP}${grouped(transition.count).padStart(3)}${GAP}`;
  return hanging(start, transition, all);
}

/** Names after `start`, with a hanging indent. Names are not broken; long ones are cut if they do not fit on one line. */
function hanging(start: string, { rows, count }: NamedRows, width: number): readonly string[] {
  const indent = ' '.repeat(displayWidth(start));
  const room = Math.max(20, width - indent.length);
  const whole = namesOf(rows, count, room);
  const names = displayWidth(whole.join(', ')) <= room ? whole : namesOf(rows, count, MAX_LABEL);
  return joinWrapped(names, room).map((line, i) => (i === 0 ? start : indent) + line);
}

type ShownRow = Pick<ReviewRow, 'label' | 'wallet'> & Partial<ReviewRow>;

const nameOf = ({ label, wallet, line }: ShownRow) =>
  label ?? (wallet === undefined ? `line ${line}` : truncateMiddle(visible(wallet), SHORT_WALLET));

interface NamedRows {
  readonly count: number;
  readonly rows: readonly ShownRow[];
}

function namesOf(rows: readonly ShownRow[], count: number, most: number): readonly string[] {
  const shown = rows.slice(0, MAX_NAMES).map((row) => visible(truncate(nameOf(row), most)));
  const left = count - shown.length;
  return [...shown, ...(left > 0 ? [`and ${grouped(left)} more`] : [])];
}

function namesSection(words: string, named: NamedRows, { width, chalk }: Drawing): readonly string[] {
  if (named.count === 0) return [];
  const head = title(words, named.count);
  const [first = '', ...others] = hanging(head + GAP, named, width);
  return [chalk.bold(head) + first.slice(head.length), ...others];
}

const leftSection = ({ left }: Review, drawing: Drawing) =>
  namesSection(
    'no longer listed',
    { count: left.count, rows: left.rows.map(({ id, label }) => ({ wallet: id, label })) },
    drawing,
  );

function unjudgedSection({ figures: { unjudged, reasons }, baseline }: Review, drawing: Drawing): readonly string[] {
  if (unjudged.count === 0) return [];
  const head = title('could not be judged', unjudged.count, baseline === undefined ? '' : newWords(unjudged));
  const lines = reasons.flatMap(({ why, count }) => {
    const found = unjudged.rows.filter((row) => row.why === why);
    return hanging(`${grouped(count).padStart(3)} ${visible(why)}: `, { count, rows: found }, drawing.width);
  });
  return [drawing.chalk.bold(head), ...lines];
}

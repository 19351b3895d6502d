/**
 * A review as a letter: a line of counts and what it was compared with, then the sections that are not empty. It reads the same on a
 * terminal and in a mail.
 */
import type { Node } from '../../document/node.ts';
import { STATUSES } from '../../row/row.ts';
import { visible } from '../../text/escape.ts';
import { monthName } from '../../text/when.ts';
import { truncate } from '../../text/width.ts';
import { grouped } from '../../text/words.ts';
import { type Drawing, drawingOn, type Terminal, widest } from '../terminal/lines.ts';
import { type Column, Table } from '../terminal/table.ts';
import { createNamer } from '../terminal/wallet-names.ts';
import { fieldText } from '../value-text.ts';
import type { Change, ReviewRow, ReviewSections, Section } from './sections.ts';

/** Rows of a section that the letter shows, and of the wallets that have changed. */
const SHOWN = 40;
const SHOWN_CHANGED = 10;
/** The list's own columns that are shown where there is room. */
const OWN_COLUMNS = 2;
/** In narrower texts there is no room for them. */
const MIN_WIDTH = 80;

export async function letterLines(review: ReviewSections, terminal: Terminal): Promise<readonly string[]> {
  const drawing = await drawingOn(terminal);
  const sections = [
    ...partsOf(review).map(({ name, ...part }) => section(name, { ...part, drawing })),
    endingLines(review, drawing),
  ].filter((lines) => lines.length > 0);
  return [firstLine(review), ...sections.flatMap((lines) => ['', ...lines])];
}

/** A section as people read it. */
interface Part extends Section {
  readonly name: string;
  readonly newly?: number;
  /** Rows that the letter shows. */
  readonly shown?: number;
  readonly remarks: (row: ReviewRow) => readonly string[];
}

/** The sections in their order, for the letter and for the page. */
export function partsOf({ lookAt, notJudged, excused, changed, came, left }: ReviewSections): readonly Part[] {
  return [
    { name: 'to look at', ...lookAt, remarks: lookRemarks },
    { name: 'not judged', ...notJudged, remarks: unjudgedRemarks },
    { name: 'excused', ...excused, remarks: (row) => [...row.excused.map(exceptionWords), ...lastScore(row)] },
    { name: 'changed', ...changed, shown: SHOWN_CHANGED, remarks: changeRemarks },
    { name: 'came', ...came, remarks: () => [] },
    { name: 'left', ...left, remarks: () => [] },
  ];
}

/** The counts as labels, and what it was compared with. */
export function firstLine({ list, begun, hasUnjudgedChanges, comparedWith, ...counts }: ReviewSections): string {
  const name = list.name === '' ? 'standard input' : visible(list.name);
  const changes = hasUnjudgedChanges ? '; changes were not judged' : '';
  return `${name}, ${dayOf(begun)}: ${countsText(counts)}; ${comparedWords(comparedWith)}${changes}`;
}

/** `rows 60, scored 58, failed 2`. */
export function countsText({ rows, wallets = rows, byStatus }: CountedRows): string {
  const statuses = STATUSES.filter((status) => byStatus[status] > 0).map(
    (status) => `${status} ${grouped(byStatus[status])}`,
  );
  return [`rows ${grouped(rows)}`, ...(wallets === rows ? [] : [`wallets ${grouped(wallets)}`]), ...statuses].join(
    ', ',
  );
}

type CountedRows = Pick<ReviewSections, 'rows' | 'byStatus'> & { readonly wallets?: number };

function comparedWords(compared: ReviewSections['comparedWith']): string {
  switch (compared.kind) {
    case 'review':
      return `compared with ${dayOf(compared.begun)} (${visible(compared.file)})`;
    case 'first':
      return 'the first review';
    case 'none yet':
      return `nothing to compare with yet: the newest is from ${dayOf(compared.newest)}, --since ${compared.since} takes it`;
    case 'gone':
      return `what it was compared with is gone or has changed (${visible(compared.file)}): changes are left out`;
  }
}

/** `23 Nov 2026`, a UTC day. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${monthName(at).slice(0, 3)} ${date.getUTCFullYear()}`;
}

const dayText = (day: string) => dayOf(Date.parse(day));

interface SectionFacts extends Omit<Part, 'name'> {
  readonly drawing: Drawing;
}

function section(
  name: string,
  { total, newly = 0, rows: all, shown = SHOWN, remarks, drawing }: SectionFacts,
): readonly string[] {
  if (total === 0) return [];
  const rows = all.slice(0, shown);
  const head = `${name.toUpperCase()}  ${grouped(total)}${newly > 0 ? `, new ${grouped(newly)}` : ''}`;
  const lines = rowLines(head, rows, { remarks, drawing });
  const more = total - rows.length;
  return more > 0 ? [...lines, drawing.chalk.dim(`and ${grouped(more)} more`)] : lines;
}

function rowLines(
  head: string,
  rows: readonly ReviewRow[],
  { remarks: remarksOf, drawing }: Pick<SectionFacts, 'remarks' | 'drawing'>,
): readonly string[] {
  const hasChange = rows.some((row) => scoreChange(row) !== '');
  const hasPercent = rows.some((row) => percentText(row) !== '');
  const own = drawing.width < MIN_WIDTH ? [] : ownColumns(rows);
  const columns: readonly Column[] = [
    { head, cut: 'middle', minWidth: 13 },
    { head: 'SCORE', isNumber: true },
    ...(hasChange ? [{ head: 'CHANGE', isNumber: true }] : []),
    { head: 'COLLATERAL', isNumber: true },
    ...(hasPercent ? [{ head: 'CHANGE', isNumber: true }] : []),
    ...own.map((name): Column => ({ head: visible(name).toUpperCase(), isNumber: false, cut: 'end' })),
  ];
  const table = new Table(columns, { ...drawing, isCut: true });
  const values = rows.map((row) => [
    scoreText(row),
    ...(hasChange ? [scoreChange(row)] : []),
    collateralText(row),
    ...(hasPercent ? [percentText(row)] : []),
    ...own.map((name) => truncate(visible(row.columns.find(([column]) => column === name)?.[1] ?? ''), 16)),
  ]);
  const remarks = rows.map((row) => remarksOf(row).filter(Boolean).join('; '));
  for (const row of values) table.observe(['', ...row]);
  const name = createNamer(rows, drawing.width, table.roomOfFirst(widest(remarks)));
  const cells = rows.map((row, i) => [name(row, `line ${row.line}`), ...(values[i] ?? [])]);
  for (const row of cells) table.observe(row);
  return [table.head(), ...cells.flatMap((row, i) => (remarks[i] ? table.behind(row, remarks[i]) : [table.line(row)]))];
}

const valueText = (name: string, node: Node | undefined) => (node ? fieldText(name, node) : '-');

/** What it is today; of a wallet that has left, what it was. */
const shown = <T>({ line }: ReviewRow, { old, new: now }: Change<T>) => (line === undefined ? old : now);

export const scoreText = (row: ReviewRow) =>
  row.status === 'no_score' ? 'no score' : valueText('score', shown(row, row.score));
export const collateralText = (row: ReviewRow) => valueText('total_collateral_usd', shown(row, row.collateral));

/** The first of the list's own columns that say something. */
function ownColumns(rows: readonly ReviewRow[]): readonly string[] {
  const names = new Set(rows.flatMap(({ columns }) => columns.filter(([, text]) => text !== '').map(([name]) => name)));
  return [...names].slice(0, OWN_COLUMNS);
}

export function scoreChange({ score: { delta } }: ReviewRow): string {
  if (delta === undefined || delta === '0') return '';
  return delta.startsWith('-') ? delta : `+${delta}`;
}

export function percentText({ collateral: { percent } }: ReviewRow): string {
  if (percent === undefined || Number(percent) === 0) return '';
  return `${percent.startsWith('-') ? '' : '+'}${percent}%`;
}

const lookRemarks = (row: ReviewRow) => [
  row.matched.map((name) => visible(row.newly.includes(name) ? `${name} (new)` : name)).join(', '),
  ...row.ended.map(({ until = '' }) => `exception ended ${dayText(until)}`),
  ...(row.isNew ? ['came'] : []),
  row.status === 'failed' ? visible(row.why ?? '') : '',
  ...(row.line === undefined ? ['left'] : lastScore(row)),
  ...changeRemarks(row),
];

const unjudgedRemarks = (row: ReviewRow) => [
  visible(row.why ?? ''),
  ...(row.isNewlyUnjudged ? ['new'] : []),
  ...lastScore(row),
];

/** The last score of a wallet that has none, and its date. */
function lastScore({ score: { old, new: now, oldAt } }: ReviewRow): readonly string[] {
  if (!old || now) return [];
  return [`last score ${fieldText('score', old)}${oldAt === undefined ? '' : ` on ${dayText(oldAt)}`}`];
}

const changeRemarks = (row: ReviewRow) => [
  ...row.texts.map(({ old, new: now, since }) => `${visible(old)} -> ${visible(now)}${sinceText('', since)}`),
  ...(scoreChange(row) === '' ? [] : [sinceText('score', row.score.since)]),
  ...(percentText(row) === '' ? [] : [sinceText('collateral', row.collateral.since)]),
];

/** Since when something changed, where that is not the day of the review compared with. */
const sinceText = (what: string, since: string | undefined) =>
  since === undefined ? '' : `${what} since ${dayText(since)}`;

const exceptionWords = ({ rule, reason, until }: ReviewRow['excused'][number]) =>
  visible(`${rule}: ${reason}${until === undefined ? '' : `, until ${dayText(until)}`}`);

function endingLines({ ending }: ReviewSections, { chalk }: Drawing): readonly string[] {
  if (ending.length === 0) return [];
  const lines = ending.slice(0, SHOWN).map(endingWords);
  return [chalk.bold(`EXCEPTIONS THAT END  ${grouped(ending.length)}`), ...lines];
}

export const endingWords = ({ label, wallet, rule, until = '', hasEnded }: ReviewSections['ending'][number]) =>
  visible([label, wallet, `${rule}, ${hasEnded ? 'ended' : 'ends'} ${dayText(until)}`].filter(Boolean).join('  '));

const BRIEF_WIDTH = 200;

/** For a chat: the counts, then a line each of at most 200 characters. */
export function briefLines(review: ReviewSections): readonly string[] {
  const { lookAt, notJudged, changed, came, left } = review;
  const named = (rows: readonly ReviewRow[]) =>
    rows.slice(0, SHOWN).map(({ label, wallet, line }) => label ?? wallet ?? `line ${line}`);
  const line = (name: string, { total }: Section, names: readonly string[], more = '') =>
    total === 0 ? [] : [`${name} ${grouped(total)}${more}${names.length > 0 ? `: ${names.join(', ')}` : ''}`];
  const lines = [
    firstLine(review),
    ...line(
      'to look at',
      lookAt,
      named(lookAt.rows.filter(({ newly }) => newly.length > 0)),
      lookAt.newly > 0 ? `, new ${lookAt.newly}` : '',
    ),
    ...line('not judged', notJudged, named(notJudged.rows)),
    ...line('changed', changed, named(changed.rows)),
    ...line('came', came, named(came.rows)),
    ...line('left', left, named(left.rows)),
  ];
  return lines.map((text) => truncate(visible(text), BRIEF_WIDTH));
}

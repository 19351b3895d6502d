/**
 * One wallet on a terminal: wallet, collateral and score first, everything else below in the
 * document's order. Names are the service's and headings are paths, so anything on the card can be
 * passed to --fields. Nothing is coloured or ordered by score: only the service knows what it
 * means.
 */

import type { Node, ObjectNode } from '../../document/node.ts';
import { parsePath } from '../../document/parse-path.ts';
import { formatPath, lookup, memberOf } from '../../document/path.ts';
import type { Row } from '../../row/row.ts';
import type { FoundScore } from '../../row/score.ts';
import { type Judged, verdictText } from '../../row/verdict.ts';
import { beginningOf } from '../../text/cut.ts';
import { visible } from '../../text/escape.ts';
import { displayWidth, truncate } from '../../text/width.ts';
import { counted, groupDigits } from '../../text/words.ts';
import {
  type Drawing,
  drawingOn,
  entryLines,
  GAP,
  markedLines,
  type NamedText,
  type Terminal,
} from '../terminal/lines.ts';
import { shortTable } from '../terminal/short-table.ts';
import { isInDollars, lineText, roundedDollars } from '../value-text.ts';
import { type CardSection, type CardTable, sectionsOf } from './card-sections.ts';

interface CardContent {
  readonly score: FoundScore;
  /** Why the answer is incomplete, and what the rules say. */
  readonly row: Remarked;
  /** Whether the answer is made up: its first line says so. */
  readonly isSandbox?: boolean | undefined;
}

type Remarked = Pick<Row, 'warning'> & Judged;

/** Wider lines are hard to read. In columns. */
const MAX_CARD_WIDTH = 120;
/** An answer may hold millions of values; on a terminal a person reads dozens. */
const MAX_VALUES = 10_000;
const MAX_SECTIONS = 60;
const MAX_ENTRIES = 60;
const MAX_ITEMS = 20;
/** Of a text. */
const MAX_CHARACTERS = 800;

/**
 * The card of `document`; ends in a newline. If something is too long to show, the card says so and
 * points to --json.
 */
export async function renderCard(document: ObjectNode, options: CardContent & Terminal): Promise<string> {
  const drawing = await drawingOn({ ...options, width: Math.min(options.width, MAX_CARD_WIDTH) });
  const headline = headlineOf(document, options);
  const textOf = (name: string, node: Node) => (isInDollars(name) ? roundedDollars(node) : lineText(node));
  const found = sectionsOf(document, { shown: headline.shown, textOf, maxValues: MAX_VALUES });
  const sections = scoreFirst(found.sections, options.score);
  const shown = sections.slice(0, MAX_SECTIONS).map((section, i) => {
    // A section with the path of the one before it needs no heading.
    const isContinued = section.path !== '' && section.path === sections[i - 1]?.path;
    return cardSectionLines(section, isContinued, drawing);
  });
  const left = sections.length - shown.length + found.left;
  const leftText = `${found.left > 0 ? 'at least ' : ''}${counted(left, 'more section')}`;
  const more = left > 0 ? [[drawing.chalk.dim(`… ${leftText} (--json shows all)`)]] : [];
  const blocks = [headline.lines(drawing), ...shown, ...more];
  const lines = blocks.flatMap((block, i) => (i === 0 ? block : ['', ...block]));
  return `${lines.join('\n')}\n`;
}

/** `text` up to the length that somebody reads; what is left out is counted. */
export function shortText(text: string): string {
  const left = text.length - MAX_CHARACTERS;
  if (left <= 0) return text;
  return `${beginningOf(text, MAX_CHARACTERS)}… ${groupDigits(left)} more characters (--json shows all)`;
}

/**
 * The nodes that the headline shows, which are not repeated below, and a function that draws it.
 */
function headlineOf(document: ObjectNode, { score: found, isSandbox, row }: CardContent) {
  const wallet = memberOf(document, 'wallet_address');
  const collateral = memberOf(document, 'total_collateral_usd');
  const score = found.path === undefined ? undefined : lookup(document, parsePath(found.path));
  const source = found.path === undefined ? '' : `  (${visible(found.path)})`;
  const labels = found.score ? labelsOf(document, found) : [];
  const hidden = [wallet, collateral, found.score && score, ...labels.map(({ node }) => node)];
  return {
    shown: new Set(hidden.filter((node) => node !== undefined)),
    lines: ({ chalk, width }: Drawing): readonly string[] => {
      const value = found.score ? visible(lineText(found.score)) : 'no score';
      const lines = [
        ...(isSandbox ? [`Sandbox     ${chalk.bold('synthetic data')}`] : []),
        ...(wallet ? walletLines(lineText(wallet), { chalk, width }) : []),
        ...(collateral ? [`Collateral  ${chalk.bold(roundedDollars(collateral))}`] : []),
      ];
      const fits = displayWidth(`Score       ${value}${source}`) <= width;
      const scored = `Score       ${chalk.bold(value)}${fits ? chalk.dim(source) : ''}`;
      return [...lines, ...withLabels(scored, labels, { chalk, width }), ...remarkLines(row, width)];
    },
  };
}

function remarkLines(row: Remarked, width: number): readonly string[] {
  const remarks = [
    ['Warning     ', row.warning],
    ['Matched     ', verdictText(row, 'matched')],
    ['Not judged  ', verdictText(row, 'unjudged')],
    ['Excused     ', verdictText(row, 'excused')],
    ['Watched     ', verdictText(row, 'watched')],
  ] as const;
  return remarks.flatMap(([name, text]) =>
    text === undefined ? [] : markedLines(name, shortText(visible(text)), width),
  );
}

/**
 * The address stays in one piece so that it can be copied; it goes below its name if it does not
 * fit next to it.
 */
function walletLines(wallet: string, { chalk, width }: Drawing): readonly string[] {
  const beside = `Wallet      ${wallet}`;
  const fitsBelow = displayWidth(INDENT + wallet) <= width && displayWidth(beside) > width;
  return fitsBelow ? ['Wallet', INDENT + chalk.bold(wallet)] : [`Wallet      ${chalk.bold(wallet)}`];
}

/** Names of members next to the score that describe it in words. */
const LABEL_NAME = /(^|_)(level|category|rating|grade|tier|band|label|class)$/i;
const MAX_FIELD_NAME_LENGTH = 40;

function labelsOf(document: ObjectNode, { path }: FoundScore): readonly (NamedText & { readonly node: Node })[] {
  const home = path === undefined ? undefined : lookup(document, parsePath(path).slice(0, -1));
  if (home?.kind !== 'object') return [];
  return home.members.flatMap(([name, node]) => {
    if (!LABEL_NAME.test(name) || node.kind !== 'string') return [];
    const text = visible(node.value);
    return text === '' || text.length > MAX_FIELD_NAME_LENGTH ? [] : [{ name: visible(name), text, node }];
  });
}

/** The labels after the score, or below it if they do not fit. */
function withLabels(scored: string, labels: readonly NamedText[], { chalk, width }: Drawing): readonly string[] {
  const texts = labels.map(({ name, text }) => `${chalk.dim(name)} ${text}`);
  const beside = [scored, ...texts].join(GAP);
  if (displayWidth(beside) <= width) return [beside];
  return [scored, ...texts.flatMap((label) => markedLines(' '.repeat('Score       '.length), label, width))];
}

/** Moves the section that contains the score to the front. */
function scoreFirst(sections: readonly CardSection[], { path }: FoundScore): readonly CardSection[] {
  const home = path === undefined ? 'defi_score' : formatPath(parsePath(path).slice(0, -1));
  const own = sections.filter((section) => section.path === home);
  return [...own, ...sections.filter((section) => section.path !== home)];
}

function cardSectionLines(section: CardSection, isContinued: boolean, { chalk, width }: Drawing): readonly string[] {
  if (section.path === '') return bodyLines(section, { chalk, width });
  const body = bodyLines(section, { chalk, width: Math.max(1, width - INDENT.length) });
  const heading = isContinued ? [] : [chalk.bold(truncate(visible(section.path), width))];
  return [...heading, ...body.map((line) => INDENT + line)];
}

const INDENT = '  ';

function bodyLines(section: CardSection, drawing: Drawing): readonly string[] {
  const more = (count: number, shown: number) => omittedLines(Math.max(0, count - shown) + section.unread, drawing);
  switch (section.kind) {
    case 'entries': {
      const entries = section.entries.slice(0, MAX_ENTRIES).map(shortEntry);
      return [...entryLines(entries, drawing), ...more(section.entries.length, MAX_ENTRIES)];
    }
    case 'list': {
      const items = section.items.slice(0, MAX_ITEMS);
      const lines = items.flatMap((item) => markedLines('• ', shortText(item), drawing.width));
      return [...lines, ...more(section.items.length, MAX_ITEMS)];
    }
    case 'table':
      return [...cardTable(section, drawing), ...more(section.rows.length, MAX_ITEMS)];
  }
}

const shortEntry = ({ name, text }: NamedText): NamedText => ({ name: shortText(name), text: shortText(text) });

const omittedLines = (left: number, { chalk, width }: Drawing): readonly string[] =>
  left > 0 ? [chalk.dim(truncate(`… ${groupDigits(left)} more (--json shows all)`, width))] : [];

/** If a cell needs more lines than this, each row is shown as a list of names and values. */
const MAX_CELL_LINES = 6;

function cardTable(section: CardTable, drawing: Drawing): readonly string[] {
  const { named } = section;
  const columns = section.columns.map(shortText);
  const rows = section.rows.slice(0, MAX_ITEMS).map(({ name, cells }) => [shortText(name), ...cells.map(shortText)]);
  const drawn = named ? { heads: ['', ...columns], rows } : { heads: columns, rows: rows.map((row) => row.slice(1)) };
  const table = shortTable({ ...drawn, style: drawing.chalk.dim }, drawing.width, MAX_CELL_LINES);
  if (table) return table;
  const below = { ...drawing, width: drawing.width - GAP.length };
  return rows.flatMap(([name = '', ...cells]) => {
    const entries = columns.map((column, i) => ({ name: column, text: cells[i] ?? '' }));
    const filled = entries.filter(({ text }) => text !== '');
    return [name, ...entryLines(filled, below).map((line) => GAP + line)];
  });
}

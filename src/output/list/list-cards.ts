/**
 * A few wallets typed on the command line, as cards side by side. All answers are needed to draw them; if the cards do not fit, or
 * the run stops before every answer is there, a table is written.
 */
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import type { Target } from '../../files/target.ts';
import type { Row } from '../../row/row.ts';
import { errorText, walletOf } from '../../row/row-columns.ts';
import { findScore } from '../../row/score.ts';
import { visible } from '../../text/escape.ts';
import { cardLines, remarksOf, walletLines } from '../card/card.ts';
import type { RowOutput, RowsEnd } from '../rows/row-output.ts';
import { beside, type Drawing, drawingOn, markedLines, type Terminal, widest } from '../terminal/lines.ts';
import { paged } from '../terminal/paged.ts';

export interface CardsOptions {
  /** The setting `score`. */
  readonly scorePath: Path | undefined;
  /** Whether a pager may be used. */
  readonly mayWait: boolean;
}

interface ListCards extends CardsOptions {
  readonly terminal: Terminal;
  readonly context: Context;
  /** Opens the table that is written if cards cannot be. */
  readonly openTable: () => Promise<RowOutput<Row>>;
}

export function createCardsOutput(target: Target, cards: ListCards): RowOutput<Row> {
  const rows: Row[] = [];
  return {
    row(row) {
      rows.push(row);
      return undefined;
    },
    flush: () => undefined,
    async end(how) {
      const text = how.isStopped ? undefined : await draw(rows, cards);
      if (text === undefined) return endAsTable(rows, await cards.openTable(), how);
      for await (const block of paged(only(text), cards)) await target.write(block);
    },
    close: () => {},
  };
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}

async function endAsTable(rows: readonly Row[], table: RowOutput<Row>, how: RowsEnd): Promise<void> {
  for (const row of rows) await table.row(row);
  await table.end(how);
}

async function draw(rows: readonly Row[], { terminal, scorePath }: ListCards): Promise<string | undefined> {
  if (rows.length === 0) return undefined;
  const cards = rows.map((row) => drawOf(row, scorePath));
  return sideBySide(cards, await drawingOn(terminal));
}

function drawOf(row: Row, scorePath: Path | undefined): DrawCard {
  const { document } = row;
  if (!document) return (drawing) => failureLines(row, drawing);
  const content = { score: findScore(document, scorePath), ...remarksOf(row) };
  return (drawing) => cardLines(document, content, drawing);
}

/** The card of a wallet without an answer: why there is none. */
function failureLines(row: Row, drawing: Drawing): readonly string[] {
  const why = markedLines('Error       ', visible(errorText(row) ?? row.status), drawing.width);
  return [...walletLines(visible(cellText(walletOf(row))), drawing), ...why.map((line) => drawing.chalk.bold(line))];
}

const GAP = ' │ ';
/** Columns of the narrowest card: an address fits on one line, and sentences do not wrap after every word. */
const MIN_WIDTH = 44;

type DrawCard = (drawing: Drawing) => readonly string[];

/**
 * The cards side by side, each drawn to its share of the width, as text that ends in a newline; undefined if a line of one of them
 * does not fit.
 */
function sideBySide(cards: readonly DrawCard[], { chalk, width }: Drawing): string | undefined {
  const share = Math.floor((width - GAP.length * (cards.length - 1)) / cards.length);
  if (share < MIN_WIDTH) return undefined;
  const blocks = cards.map((draw) => draw({ chalk, width: share }));
  if (blocks.some((lines) => widest(lines) > share)) return undefined;
  return `${beside(blocks, chalk.dim(GAP)).join('\n')}\n`;
}

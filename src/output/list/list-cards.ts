/**
 * A few wallets that somebody typed to compare them: their cards side by side. A card needs its whole answer and its share
 * of the width, so they wait for each other; what does not fit, or was stopped before all were there, is a table.
 */
import { paint } from '../../cli/color.ts';
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import type { Target } from '../../files/target.ts';
import type { Row } from '../../row/row.ts';
import { cellText, errorText, walletOf } from '../../row/row-columns.ts';
import { findScore } from '../../row/score.ts';
import { visible } from '../../text/escape.ts';
import { cardLines, remarksOf, walletLines } from '../card/card.ts';
import { type Drawing, markedLines } from '../card/card-lines.ts';
import { type DrawCard, sideBySide } from '../card/side-by-side.ts';
import { paged } from '../terminal/paged.ts';
import type { ListOutput, Terminal } from './writer.ts';

export interface CardsOptions {
  /** The setting `score`. */
  readonly scorePath: Path | undefined;
  /** Whether anybody is to be waited for, page by page. */
  readonly mayWait: boolean;
}

interface Cards extends CardsOptions {
  readonly terminal: Terminal;
  readonly context: Context;
  /** Where the rows go instead. */
  readonly openTable: () => Promise<ListOutput>;
}

export function createCardsOutput(target: Target, cards: Cards): ListOutput {
  const rows: Row[] = [];
  return {
    row(row) {
      rows.push(row);
      return undefined;
    },
    flush: () => undefined,
    async end(how) {
      const text = how.isStopped ? undefined : await draw(rows, cards);
      if (text === undefined) return endAsTable(rows, { how, table: await cards.openTable() });
      for await (const block of paged(only(text), cards)) await target.write(block);
    },
    close: () => {},
  };
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}

interface Table {
  readonly how: Parameters<ListOutput['end']>[0];
  readonly table: ListOutput;
}

async function endAsTable(rows: readonly Row[], { how, table }: Table): Promise<void> {
  for (const row of rows) await table.row(row);
  await table.end(how);
}

async function draw(rows: readonly Row[], { terminal, scorePath }: Cards): Promise<string | undefined> {
  if (rows.length === 0) return undefined;
  const drawing = { chalk: await paint(terminal.color), width: terminal.width };
  return sideBySide(
    rows.map((row) => drawOf(row, scorePath)),
    drawing,
  );
}

function drawOf(row: Row, scorePath: Path | undefined): DrawCard {
  const { document } = row;
  if (!document) return (drawing) => failureLines(row, drawing);
  const content = { score: findScore(document, scorePath), ...remarksOf(row) };
  return (drawing) => cardLines(document, content, drawing);
}

/** Of a wallet without an answer its place shows why it has none. */
function failureLines(row: Row, drawing: Drawing): readonly string[] {
  const why = markedLines('Error       ', visible(errorText(row) ?? row.status), drawing.width);
  return [...walletLines(visible(cellText(walletOf(row))), drawing), ...why.map((line) => drawing.chalk.yellow(line))];
}

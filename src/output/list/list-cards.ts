/** A few wallets typed on the command line, as cards below one another. */
import type { Path } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import type { Row } from '../../row/row.ts';
import { errorText, walletOf } from '../../row/row-columns.ts';
import { findScore } from '../../row/score.ts';
import { visible } from '../../text/escape.ts';
import { cardLines, remarksOf, walletLines } from '../card/card.ts';
import type { RowWriter } from '../rows/row-writer.ts';
import { type Drawing, drawingOn, markedLines, type Terminal } from '../terminal/lines.ts';

export interface CardOptions {
  /** The setting `score`. */
  readonly scorePath: Path | undefined;
  /** Whether a sandbox answers. */
  readonly isSandbox: boolean;
}

export async function createCardsWriter(terminal: Terminal, options: CardOptions): Promise<RowWriter<Row>> {
  const drawing = await drawingOn(terminal);
  let separator = '';
  return {
    head: () => '',
    row(row) {
      const text = `${separator}${linesOf(row, options, drawing).join('\n')}\n`;
      separator = '\n';
      return text;
    },
    foot: () => '',
  };
}

function linesOf(row: Row, { scorePath, isSandbox }: CardOptions, drawing: Drawing): readonly string[] {
  const { document } = row;
  if (!document) return failureLines(row, drawing);
  return cardLines(document, { score: findScore(document, scorePath), ...remarksOf(row), isSandbox }, drawing);
}

/** The card of a wallet without an answer: why there is none. */
function failureLines(row: Row, drawing: Drawing): readonly string[] {
  const why = markedLines('Error       ', visible(errorText(row) ?? row.status), drawing.width);
  return [...walletLines(visible(cellText(walletOf(row))), drawing), ...why.map((line) => drawing.chalk.bold(line))];
}

/** Cards beside each other, for who compares a few wallets: each is drawn as wide as its column, and joined line by line. */
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../../text/width.ts';
import type { Drawing } from './card-lines.ts';

const GAP = ' │ ';
/** An address below its name fits, and prose is no ladder of words. */
const MIN_WIDTH = 44;

export type DrawCard = (drawing: Drawing) => readonly string[];

/** The cards as text that ends in a newline; undefined where a line of one of them does not fit its share of the width. */
export function sideBySide(cards: readonly DrawCard[], { chalk, width }: Drawing): string | undefined {
  const share = Math.floor((width - GAP.length * (cards.length - 1)) / cards.length);
  if (share < MIN_WIDTH) return undefined;
  const columns = cards.map((draw) => draw({ chalk, width: share }).map(measured));
  const widths = columns.map((lines) => lines.reduce((most, line) => Math.max(most, line.width), 0));
  if (widths.some((each) => each > share)) return undefined;
  const height = Math.max(...columns.map((lines) => lines.length));
  const rows = Array.from({ length: height }, (_, i) =>
    columns.map((lines, column) => filled(lines[i] ?? EMPTY, widths[column] ?? 0)),
  );
  return rows.map((cells) => `${cells.join(chalk.dim(GAP)).trimEnd()}\n`).join('');
}

interface Line {
  readonly text: string;
  /** In columns; colours take none. */
  readonly width: number;
}

const EMPTY: Line = { text: '', width: 0 };

const measured = (text: string): Line => ({ text, width: displayWidth(stripVTControlCharacters(text)) });
const filled = ({ text, width }: Line, to: number) => text + ' '.repeat(to - width);

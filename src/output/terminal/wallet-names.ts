/** Names of wallets for the first column of a table: labels if the list has them, and addresses. */

import { TEXT_WIDTH } from '../../text/columns.ts';
import { visible } from '../../text/escape.ts';
import { displayWidth, padEnd, truncate, truncateMiddle } from '../../text/width.ts';
import { type Drawing, GAP } from './lines.ts';

/** Columns of a label in a text of TEXT_WIDTH columns. */
export const MAX_LABEL = 28;
/** `0x0000…d002`: enough next to a label. In columns. */
export const SHORT_WALLET = 11;
export const WHOLE_WALLET = 42;

interface NamedRow {
  readonly label?: string | undefined;
  readonly wallet?: string | undefined;
  /** Names a row that is no wallet. */
  readonly line?: number | undefined;
}

/**
 * Returns a function that names a row: the label, then the shortened wallet, or the whole wallet if
 * no row has a label. In a wider text labels are longer, and wallets are whole if they fit.
 * @param room columns a name may take in any case
 */
export function createNamer(
  rows: readonly NamedRow[],
  { width: textWidth, ellipsis }: Pick<Drawing, 'width' | 'ellipsis'>,
  room: number,
): (row: NamedRow) => string {
  const spare = Math.max(0, textWidth - TEXT_WIDTH);
  const usual = Math.min(MAX_LABEL, Math.floor((MAX_LABEL * textWidth) / TEXT_WIDTH)) + spare;
  const maxLabel = Math.max(usual, room - GAP.length - SHORT_WALLET);
  const labels = rows.map(({ label }) => truncate(label ?? '', maxLabel, ellipsis));
  const width = Math.max(0, ...labels.map(displayWidth));
  const hasRoom = Math.max(width, MAX_LABEL) + WHOLE_WALLET - SHORT_WALLET <= MAX_LABEL + spare;
  return ({ label, wallet, line }) => {
    const address = visible(wallet ?? `line ${line}`);
    if (width === 0) return address;
    const shown = truncateMiddle(address, hasRoom ? WHOLE_WALLET : SHORT_WALLET, ellipsis);
    return `${padEnd(truncate(label ?? '', maxLabel, ellipsis), width)}${GAP}${shown}`;
  };
}

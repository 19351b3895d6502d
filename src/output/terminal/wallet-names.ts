/** What wallets are called in a table whose first column says which they are: by their labels, where the list has some. */
import { visible } from '../../text/escape.ts';
import { displayWidth, padEnd, TEXT_WIDTH, truncate, truncateMiddle } from '../../text/width.ts';
import { GAP } from './lines.ts';

/** In a text of TEXT_WIDTH columns. */
export const MAX_LABEL = 28;
/** `0x0000…d002`: enough to tell one from another beside a label. */
export const SHORT_WALLET = 11;
const WHOLE_WALLET = 42;

interface NamedRow {
  readonly label?: string | undefined;
  readonly wallet?: string | undefined;
}

/**
 * The label, then the wallet with its middle left out; where there is no label the whole wallet. A narrow text has short labels, a
 * wide one has room for long ones, and for whole wallets then.
 * @param room what a name may take even where others are narrower, in columns
 * @returns what names a row; `otherwise` stands for a wallet that is none
 */
export function createNamer(
  rows: readonly NamedRow[],
  textWidth: number,
  room = 0,
): (row: NamedRow, otherwise?: string) => string {
  const spare = Math.max(0, textWidth - TEXT_WIDTH);
  const usual = Math.min(MAX_LABEL, Math.floor((MAX_LABEL * textWidth) / TEXT_WIDTH)) + spare;
  const maxLabel = Math.max(usual, room - GAP.length - SHORT_WALLET);
  const labels = rows.map(({ label }) => truncate(label ?? '', maxLabel));
  const width = Math.max(0, ...labels.map(displayWidth));
  const hasRoom = Math.max(width, MAX_LABEL) + WHOLE_WALLET - SHORT_WALLET <= MAX_LABEL + spare;
  return ({ label, wallet }, otherwise = '') => {
    const address = visible(wallet ?? otherwise);
    if (width === 0) return address;
    const shown = truncateMiddle(address, hasRoom ? WHOLE_WALLET : SHORT_WALLET);
    return `${padEnd(truncate(label ?? '', maxLabel), width)}${GAP}${shown}`;
  };
}

/**
 * The list's own columns, shown first in a table on a terminal: as many as fit next to riskcli's
 * columns, without the one that repeats the wallet. The label column takes precedence over the
 * other columns and over whole addresses.
 */

import type { ListHead } from '../../lists/list.ts';
import { chooseLabel } from '../../row/label.ts';
import type { Row } from '../../row/row.ts';
import { visible } from '../../text/escape.ts';
import { truncate } from '../../text/width.ts';
import { widest } from '../terminal/lines.ts';
import type { RowColumn } from '../terminal/row-table.ts';
import { headText } from '../terminal/table.ts';

/** Columns of the terminal that any but the label keeps at most. */
const MAX_OWN_WIDTH = 24;
/** A shorter label would not be recognised. */
const MIN_LABEL = 12;

type OwnHead = Pick<ListHead, 'columns' | 'walletColumn' | 'sample'>;

/** @param width of the terminal */
export function listColumns(
  { columns: names = [], walletColumn = -1, sample = [] }: OwnHead,
  width: number,
): readonly RowColumn<Row>[] {
  const textAt = (cells: readonly string[], i: number) => truncate(visible(cells[i]?.trim() ?? ''), width);
  // A cell that contains the wallet, such as a link to an explorer, adds nothing.
  const first = sample.map((cells) => {
    const wallet = cells[walletColumn]?.trim() ?? '';
    return names.map((_, i) => (includesWallet(cells[i] ?? '', wallet) ? '' : textAt(cells, i)));
  });
  const label = labelIndex(names, first);
  return names.flatMap((name, i): readonly RowColumn<Row>[] => {
    const texts = first.map((row) => row[i] ?? '');
    if (i !== label && texts.every((text) => text === '')) return [];
    const start = widest([headText(name), ...texts]);
    const minWidth = Math.min(start, i === label ? MIN_LABEL : MAX_OWN_WIDTH);
    const cell = ({ cells = [] }: Row) => textAt(cells, i);
    return [{ head: headText(name), cut: 'end', start, minWidth, cell, ...(i !== label && { rank: 3 }) }];
  });
}

const includesWallet = (text: string, wallet: string) =>
  wallet !== '' && text.toLowerCase().includes(wallet.toLowerCase());

/** The index of the label column, judged by the first rows; -1 if there is none. */
function labelIndex(names: readonly string[], first: readonly (readonly string[])[]): number {
  const rows = first.map((texts) => names.map((name, i) => [name, texts[i] ?? ''] as const));
  // Cells with wallets were emptied before, so the format does not matter.
  return names.indexOf(chooseLabel(rows) ?? '');
}

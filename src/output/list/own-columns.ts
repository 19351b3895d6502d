/**
 * The list's own columns, shown first in a table on a terminal: as many as fit next to riskcli's
 * columns, without the one that repeats the wallet. The label column takes precedence over the
 * other columns and over whole addresses.
 */

import type { ListHead } from '../../lists/list.ts';
import { chooseLabel } from '../../row/label.ts';
import type { Row } from '../../row/row.ts';
import { visible } from '../../text/escape.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { truncate } from '../../text/width.ts';
import { GAP, widest } from '../terminal/lines.ts';
import { headText, type TableColumn } from '../terminal/table.ts';

/** Columns that any but the label keeps at most. */
const MAX_OWN_WIDTH = 24;
/** A shorter label would not be recognised. */
const MIN_LABEL = 12;

export type OwnColumns = ReturnType<typeof createOwnColumns>;

type OwnHead = Pick<ListHead, 'columns' | 'walletColumn' | 'sample'>;

/** @param width of the terminal */
export function createOwnColumns({ columns: names = [], walletColumn = -1, sample = [] }: OwnHead, width: number) {
  const walletIn = (cells: readonly string[]) => cells[walletColumn]?.trim() ?? '';
  const textAt = (cells: readonly string[], i: number) => ownCopy(truncate(visible(cells[i]?.trim() ?? ''), width));
  // A cell that contains the wallet, such as a link to an explorer, adds nothing.
  const first = sample.map((cells) =>
    names.map((_, i) => (includesWallet(cells[i] ?? '', walletIn(cells)) ? '' : textAt(cells, i))),
  );
  const label = labelIndex(names, first);
  const columns = names.map((name, i): TableColumn & { readonly minWidth: number } => {
    const start = widest([headText(name), ...first.map((texts) => texts[i] ?? '')]);
    return {
      head: headText(name),
      cut: 'end',
      start,
      minWidth: Math.min(start, i === label ? MIN_LABEL : MAX_OWN_WIDTH),
    };
  });
  const widthOf = (i: number) => (columns[i]?.minWidth ?? 0) + GAP.length;
  const labelWidth = label < 0 ? 0 : widthOf(label);
  return {
    /** Columns that the label takes in any case, its gap included; 0 without one. */
    labelWidth,
    /**
     * The columns to show.
     * @param room columns of the terminal available if everything else is shortened
     */
    choose(room: number) {
      let left = room - labelWidth;
      const chosen = [...names.keys()].filter((i) => {
        if (i === label) return true;
        const fits = first.some((texts) => texts[i] !== '') && widthOf(i) <= left;
        if (fits) left -= widthOf(i);
        return fits;
      });
      return {
        columns: chosen.flatMap((i) => columns[i] ?? []),
        texts: ({ cells = [] }: Row): readonly string[] => chosen.map((i) => textAt(cells, i)),
      };
    },
    /** The text in the wallet column of a row; empty if unknown. */
    walletText: ({ cells = [] }: Row): string => walletIn(cells),
  };
}

const includesWallet = (text: string, wallet: string) =>
  wallet !== '' && text.toLowerCase().includes(wallet.toLowerCase());

/** The index of the label column, judged by the first rows; -1 if there is none. */
function labelIndex(names: readonly string[], first: readonly (readonly string[])[]): number {
  const rows = first.map((texts) => names.map((name, i) => [name, texts[i] ?? ''] as const));
  // Cells with wallets were emptied before, so the format does not matter.
  return names.indexOf(chooseLabel(rows) ?? '');
}

/**
 * The list's own columns, shown first in a table on a terminal: as many as fit next to riskcli's columns, without the one that
 * repeats the wallet. The label column takes precedence over the other columns and over whole addresses.
 */

import type { ListHead } from '../../lists/list.ts';
import { chooseLabel } from '../../row/label.ts';
import type { Row } from '../../row/row.ts';
import { visible } from '../../text/escape.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { displayWidth, truncate } from '../../text/width.ts';
import { GAP, widest } from '../terminal/lines.ts';
import { type Column, headText, isNumberText } from '../terminal/table.ts';

/** Columns of the widest cell, unless there is room to spare. */
const MAX_WIDTH = 24;
/** A shorter label would not be recognised. */
const MIN_LABEL = 8;
/** Columns taken by a shortened wallet and its score. */
const WALLET_AND_SCORE = 22;

export interface OwnColumns {
  /**
   * Chooses the columns to show.
   * @param room columns of the terminal available if everything else is shortened
   * @param whole columns available if nothing is shortened; the label takes them first
   */
  choose(room: number, whole: number): readonly Column[];
  /** Initial layout of a column that shows the list's column `name`; undefined if the list has no such column. */
  sampleColumn(name: string): Pick<Column, 'isNumber' | 'start'> | undefined;
  /** The cells of `row` in the chosen columns. */
  texts(row: Row): readonly string[];
  /** The text in the wallet column of `row`; empty if unknown. */
  walletText(row: Row): string;
}

type OwnHead = Pick<ListHead, 'columns' | 'walletColumn' | 'sample'>;

/** @param width of the terminal */
export function createOwnColumns(
  { columns: names = [], walletColumn = -1, sample = [] }: OwnHead,
  width: number,
): OwnColumns {
  let chosen: readonly number[] = [];
  const walletIn = (cells: readonly string[]) => cells[walletColumn]?.trim() ?? '';
  const textAt = (cells: readonly string[], i: number) => ownCopy(truncate(visible(cells[i]?.trim() ?? ''), width));
  // A cell that contains the wallet, such as a link to an explorer, adds nothing.
  const first = sample.map((cells) =>
    names.map((_, i) => (holds(cells[i] ?? '', walletIn(cells)) ? '' : textAt(cells, i))),
  );
  const heads = names.map(headText);
  return {
    choose(room, whole) {
      const wanted = heads.map((head, i) => Math.max(displayWidth(head), widest(first.map((texts) => texts[i] ?? ''))));
      const widths = wanted.map((each) => Math.min(MAX_WIDTH, each));
      const filled = [...names.keys()].filter((i) => first.some((texts) => texts[i] !== ''));
      const label = labelIndex(names, first);
      chosen = fitting(filled, { label, room, widths });
      widen(widths, chosen, { wanted, label, whole });
      return chosen.map((i): Column => {
        const start = widths[i] ?? 0;
        const minWidth = i === label ? Math.max(MIN_LABEL, Math.min(start, width - WALLET_AND_SCORE)) : start;
        return { head: heads[i] ?? '', cut: 'end', minWidth, start, maxWidth: Math.max(MAX_WIDTH, start) };
      });
    },
    sampleColumn(name) {
      const i = names.indexOf(name);
      if (i < 0 || sample.length === 0) return undefined;
      const texts = sample.map((cells) => textAt(cells, i));
      return { start: widest(texts), ...(texts.every(isNumberText) && { isNumber: true }) };
    },
    texts: ({ cells = [] }) => chosen.map((i) => textAt(cells, i)),
    walletText: ({ cells = [] }) => walletIn(cells),
  };
}

/** Widens the `chosen` columns into what is left of the `whole` width, the label first. */
function widen(
  widths: number[],
  chosen: readonly number[],
  { wanted, label, whole }: { readonly wanted: readonly number[]; readonly label: number; readonly whole: number },
): void {
  let spare = whole - chosen.reduce((sum, i) => sum + (widths[i] ?? 0) + GAP.length, 0);
  for (const i of [...chosen].sort((a, b) => Number(b === label) - Number(a === label))) {
    const more = Math.max(0, Math.min(spare, (wanted[i] ?? 0) - (widths[i] ?? 0)));
    widths[i] = (widths[i] ?? 0) + more;
    spare -= more;
  }
}

const holds = (text: string, wallet: string) => wallet !== '' && text.toLowerCase().includes(wallet.toLowerCase());

/** The label, and as many of the other `columns` as fit, in order. */
function fitting(
  columns: readonly number[],
  { label, room, widths }: { readonly label: number; readonly room: number; readonly widths: readonly number[] },
): readonly number[] {
  const widthOf = (i: number) => (widths[i] ?? 0) + GAP.length;
  let left = columns.includes(label) ? room - widthOf(label) : room;
  return columns.filter((i) => {
    if (i === label) return true;
    const fits = widthOf(i) <= left;
    if (fits) left -= widthOf(i);
    return fits;
  });
}

/** The index of the label column, judged by the first rows; -1 if there is none. */
function labelIndex(names: readonly string[], first: readonly (readonly string[])[]): number {
  const rows = first.map((texts) => names.map((name, i) => [name, texts[i] ?? ''] as const));
  // Cells with wallets were emptied before, so the format does not matter.
  return names.indexOf(chooseLabel(rows, {}) ?? '');
}

/** CSV as a wallet list: its records, their wallets, what is carried along. */

import { withholdEach } from '../../secrets/mnemonic.ts';
import { findWallet } from '../find-wallet.ts';
import type { Line } from '../lines.ts';
import type { ListOptions } from '../list.ts';
import { type Batches, dropWhile, map, type Rows } from '../rows.ts';
import { alignCells, readCsv } from './csv.ts';
import { type CsvLayout, numbered } from './layout.ts';

interface Csv {
  readonly lines: Batches<Line>;
  readonly layout: CsvLayout;
}

/** The rows of `lines`, which may begin above the table. */
export function openCsv({ lines, layout }: Csv, options: ListOptions): Rows {
  const { delimiter, from, isHeaded, columns, column } = layout;
  const records = readCsv(
    dropWhile(lines, ({ line }) => line < from),
    { delimiter },
  );
  const names = columns.map((name, i) => name || numbered(i));
  return {
    head: { kind: 'csv', columns, delimiter },
    batches: map(isHeaded ? dropWhile(records, ({ line }) => line === from) : records, ({ line, cells }) => {
      const own = alignCells(cells, { width: columns.length, delimiter });
      const wallet = findWallet(own[column] ?? '', options);
      const shown = withholdEach(own, options.format);
      return { line, input: shown.map((cell, i) => [names[i] ?? '', cell]), cells: shown, wallet };
    }),
  };
}

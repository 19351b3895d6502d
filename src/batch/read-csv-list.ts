/** CSV as a wallet list: its records, their wallets, what is carried along. */
import { findWallet } from '../wallet/find.ts';
import { withholdEach } from '../wallet/mnemonic.ts';
import type { ListOptions } from './list.ts';
import { alignCells, readCsv } from './read-csv.ts';
import { type CsvLayout, numbered } from './read-layout.ts';
import type { Line } from './read-lines.ts';
import { type Batches, dropWhile, map, type Rows } from './read-rows.ts';

interface Csv {
  readonly lines: Batches<Line>;
  readonly layout: CsvLayout;
}

/** The rows of `lines`, which may begin above the table. */
export function openCsv({ lines, layout }: Csv, options: ListOptions): Rows {
  const { delimiter, from, isHeaded, columns, column } = layout;
  const records = readCsv(
    dropWhile(lines, ({ line }) => line < from),
    delimiter,
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

/** Writes rows to the file of -o or to stdout, in the format asked for. */

import type { Context } from '../../context.ts';
import { cellText } from '../../document/write.ts';
import { type RowWriter, type Sink, writeRows } from '../../files/sink.ts';
import { openTarget, type TargetOptions } from '../../files/target.ts';
import type { DataFormat, ListFormat } from '../../row/formats.ts';
import type { Judged } from '../../row/verdict.ts';
import { visible } from '../../text/escape.ts';
import { sayWritten } from '../say-written.ts';
import type { Occasion, RowFormat, RowKind } from './row-format.ts';
import { shapeRows } from './shape.ts';

export interface Destination extends Occasion, TargetOptions {
  readonly format: ListFormat;
  readonly context: Context;
}

/**
 * Opens the output. A file is replaced only by a whole list; a stream that was stopped has the rows
 * so far and a proper end.
 * @throws IoError where it cannot be written, UsageError where the format cannot take the rows
 */
export async function openRows<R extends Judged>(kind: RowKind<R>, destination: Destination): Promise<Sink<R>> {
  const { output = '-', format, shape, terminal, context } = destination;
  const rows = shape?.top === undefined ? destination.rows : Math.min(shape.top, destination.rows ?? shape.top);
  const writer = await createWriter(format, kind, { ...destination, rows, note: context.report.warn });
  const target = await openTarget(destination, context);
  // On a terminal every row is written at once: the progress line is drawn between rows.
  const written = writeRows(target, writer, { isTerminal: terminal !== undefined });
  let count = 0;
  const counting: Sink<R> = {
    ...written,
    row(row) {
      count += 1;
      return written.row(row);
    },
  };
  const sink = shape ? shapeRows(counting, { shape, kind, context }) : counting;
  return {
    ...sink,
    async end(end) {
      if (end.stop !== undefined && output !== '-') return;
      await sink.end(end);
      sayWritten(output, context, count);
    },
  };
}

/** The writer of each format: a file is loaded when its format is asked for. */
const WRITERS: Readonly<Record<DataFormat, () => Promise<RowFormat>>> = {
  json: async () => (await import('./json.ts')).jsonRows,
  jsonl: async () => (await import('./json.ts')).jsonLines,
  csv: async () => (await import('./csv.ts')).csvRows,
  xlsx: async () => (await import('./xlsx.ts')).xlsxRows,
};

/** The function that opens an output for rows of this kind. */
export async function createWriter<R>(format: ListFormat, kind: RowKind<R>, occasion: Occasion): Promise<RowWriter<R>> {
  if (format !== 'table') return (await WRITERS[format]())(kind, occasion);
  return occasion.terminal ? kind.table(occasion.terminal) : tabRows(kind);
}

/** A table on a pipe: no cell contains a tab or a newline, and nothing is shortened. */
const tabRows = <R>({ line }: RowKind<R>): RowWriter<R> => ({
  head: () => '',
  row(row) {
    const cells = line(row).map((value) => visible(cellText(value)));
    return `${cells.join('\t')}\n`;
  },
  foot: () => '',
});

/** Flat records on stdout, in the format typed. */

import { chooseFormat } from '../cli/choose-format.ts';
import type { Flag, ParsedArgs } from '../cli/flag.ts';
import { formatFlags } from '../cli/flags.ts';
import type { Context } from '../context.ts';
import { writeAll } from '../files/stream.ts';
import type { FlatRecord, RecordOptions } from '../output/records.ts';
import { columnsOf } from '../text/width.ts';

const FORMATS = ['table', 'json', 'csv'] as const;

/** For commands that print records. */
export const RECORD_FLAGS: readonly Flag[] = [
  ...formatFlags(FORMATS),
  { long: 'no-header', group: 'Output', help: 'leave out the header line' },
];

export interface Printing {
  readonly typed: ParsedArgs;
  readonly context: Context;
  /** There is one record by the nature of the command: it is shown by itself. */
  readonly single?: boolean;
  /** Instead of what was typed. */
  readonly format?: RecordOptions['format'];
}

/** @throws UsageError when two formats are typed, IoError when stdout cannot take it. */
export async function printRecords(records: readonly FlatRecord[], printing: Printing): Promise<void> {
  const { typed, context, single = false, format = chooseFormat(typed, { choices: FORMATS }) } = printing;
  const { renderRecords } = await import('../output/records.ts');
  const text = await renderRecords(records, {
    format,
    terminal: context.stdout.isTTY ?? false,
    width: columnsOf(context.stdout),
    header: !typed.on('no-header'),
    single,
  });
  await writeAll(context.stdout, text);
}

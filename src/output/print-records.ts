/** Prints flat records on stdout, in the format that the options say. */

import { chooseFormat } from '../cli/choose-format.ts';
import type { ColorChoice } from '../cli/color.ts';
import { type AskedFormat, RECORD_FORMATS } from '../cli/formats.ts';
import type { Context } from '../context.ts';
import { writeAll } from '../files/stream.ts';
import { type FlatRecord, type RecordOptions, renderRecords } from './records.ts';
import { terminalOf } from './terminal/terminal-of.ts';

export interface PrintOptions extends AskedFormat {
  readonly color: ColorChoice | undefined;
}

export interface Printing {
  readonly options: PrintOptions;
  readonly context: Context;
  /** The command always prints one record: it is not put in a list. */
  readonly single?: boolean;
  /** Instead of what the options say. */
  readonly format?: RecordOptions['format'];
}

/** @throws UsageError when two formats are typed, IoError when stdout cannot take it. */
export async function printRecords(records: readonly FlatRecord[], printing: Printing): Promise<void> {
  const { options, context, single = false, format = chooseFormat(options, { choices: RECORD_FORMATS }) } = printing;
  const terminal = terminalOf({ color: options.color }, context);
  await writeAll(context.stdout, await renderRecords(records, { format, terminal, single }));
}

/** Prints flat records on stdout, in the format that the options say. */

import { chooseFormat } from '../cli/choose-format.ts';
import type { ColorChoice } from '../cli/color.ts';
import { type AskedFormat, RECORD_FORMATS } from '../cli/formats.ts';
import type { Context } from '../context.ts';
import { writeAll } from '../files/stream.ts';
import { BLOCK_BYTES, createTextBlock } from '../files/text-block.ts';
import type { Records } from './record.ts';
import { type RecordOptions, recordTexts } from './records.ts';
import { terminalOf } from './terminal/terminal-of.ts';

export interface PrintOptions extends AskedFormat {
  readonly color: ColorChoice | undefined;
}

export interface Printing {
  readonly options: PrintOptions;
  readonly context: Context;
  /** The command always prints one record: it is not put in a list. */
  readonly single?: boolean;
  /** The names of the records' values; by default the records are read once more to find them. */
  readonly columns?: readonly string[];
  /** Instead of what the options say. */
  readonly format?: RecordOptions['format'];
}

/** @throws UsageError when two formats are typed, IoError when stdout cannot take it. */
export async function printRecords(records: Records, printing: Printing): Promise<void> {
  const {
    options,
    context,
    single = false,
    columns,
    format = chooseFormat(options, { choices: RECORD_FORMATS }),
  } = printing;
  const texts = recordTexts(records, {
    format,
    terminal: terminalOf({ color: options.color }, context),
    single,
    columns,
  });
  const block = createTextBlock();
  for await (const text of texts) {
    block.add(text);
    if (block.size >= BLOCK_BYTES) await writeAll(context.stdout, block.take());
  }
  await writeAll(context.stdout, block.take());
}

/** Prints flat records on stdout, in the format that the flags say. */

import type { Context } from '../context.ts';
import { writeAll } from '../files/stream.ts';
import { type AskedFormat, chooseFormat } from '../output/choose-format.ts';
import { type FlatRecord, renderRecords } from '../output/records.ts';
import type { ColorChoice } from '../output/terminal/color.ts';
import { terminalOf } from '../output/terminal/terminal-of.ts';
import { RECORD_FORMATS } from '../row/formats.ts';

interface Printing {
  readonly options: AskedFormat & { readonly color: ColorChoice | undefined };
  readonly context: Context;
  /** The command always prints one record: it is not put in a list. */
  readonly single?: boolean;
}

/** @throws IoError when stdout cannot take it. */
export async function printRecords(
  records: readonly FlatRecord[],
  { options, context, single = false }: Printing,
): Promise<void> {
  const format = chooseFormat(options, { choices: RECORD_FORMATS });
  const terminal = terminalOf({ color: options.color }, context);
  await writeAll(context.stdout, await renderRecords(records, { format, terminal, single }));
}

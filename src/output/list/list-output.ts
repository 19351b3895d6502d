/** The rows of a list on their way out: as they come, or, when the columns depend on all of them, at the end. */

import { hasColumns, type ListFormat } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import type { ListHead } from '../../lists/list.ts';
import type { Shape } from '../../row/shape.ts';
import type { CardsOptions } from './list-cards.ts';
import { createListWriter } from './list-writer.ts';
import { openRowBuffer } from './row-buffer.ts';
import { writeRows } from './row-output.ts';
import { LIST_ROWS } from './row-text.ts';
import { isShaped, shapeRows } from './shape.ts';
import type { ListOutput, ListWriterOptions } from './writer.ts';

export interface Destination {
  readonly options: { readonly format: ListFormat; readonly header: boolean };
  /** What is shown of which rows. */
  readonly view: Pick<ListWriterOptions, 'fields' | 'keepsDefaults' | 'verdictColumns' | 'terminal'> & {
    readonly allFields: boolean;
    readonly shape: Shape;
  };
  readonly head: ListHead | undefined;
  /** Set where wallets may be shown as cards, on a terminal. */
  readonly cards?: CardsOptions | undefined;
  readonly context: Context;
}

/** Writes nothing before the first row: a fault before it leaves stdout empty. */
export async function createListOutput(target: Target, destination: Destination): Promise<ListOutput> {
  const { options, view, head, context } = destination;
  const { header } = options;
  const { terminal, fields, keepsDefaults, verdictColumns } = view;
  const writing = { head, header, terminal, fields, keepsDefaults, verdictColumns };
  const output = await openOutput(target, { ...destination, writing });
  return isShaped(view.shape) ? shapeRows(output, { shape: view.shape, kind: LIST_ROWS, context }) : output;
}

async function openOutput(
  target: Target,
  { options: { format }, view, cards, context, writing }: Destination & Pick<Writing, 'writing'>,
): Promise<ListOutput> {
  const openTable = () => writeAsTheyCome(target, { format, writing });
  if (view.terminal && cards) {
    const { createCardsOutput } = await import('./list-cards.ts');
    return createCardsOutput(target, { ...cards, terminal: view.terminal, context, openTable });
  }
  const needsAll = view.allFields && hasColumns(format);
  return needsAll ? collectThenWrite(target, { format, writing, context }) : openTable();
}

interface Writing {
  readonly format: ListFormat;
  readonly writing: ListWriterOptions;
}

async function writeAsTheyCome(target: Target, { format, writing }: Writing): Promise<ListOutput> {
  // Between rows that a person sees there is the progress line.
  return writeRows(target, await createListWriter(format, writing), writing.terminal !== undefined);
}

function collectThenWrite(
  target: Target,
  { format, writing, context }: Writing & { readonly context: Context },
): ListOutput {
  const buffer = openRowBuffer(context);
  return {
    row(row) {
      buffer.add(row);
      return undefined;
    },
    flush: () => undefined,
    async end(how) {
      const output = await writeAsTheyCome(target, { format, writing: { ...writing, allColumns: buffer.columns } });
      for await (const row of buffer.rows()) {
        // What a stopped list has is written all the same: the signal that stopped it has had its effect.
        if (!how.isStopped) context.signal().throwIfAborted();
        await output.row(row);
      }
      await output.end(how);
    },
    close: () => buffer.close(),
  };
}

/** Writes the rows of a list as they arrive, or at the end if they are sorted. */
import type { ListFormat } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import type { ListHead } from '../../lists/list.ts';
import type { Row } from '../../row/row.ts';
import type { Shape } from '../../row/shape.ts';
import { type RowOutput, writeRows } from '../rows/row-output.ts';
import { shapeRows } from '../rows/shape.ts';
import type { CardOptions } from './list-cards.ts';
import { createListWriter, type ListWriterOptions } from './list-writer.ts';
import { LIST_ROWS } from './stored-rows.ts';

export interface Destination {
  readonly format: ListFormat;
  /** Which rows are written, and which fields of them. */
  readonly view: Pick<ListWriterOptions, 'fields' | 'keepsDefaults' | 'verdictColumns' | 'terminal'> & {
    readonly shape: Shape;
  };
  readonly head: ListHead | undefined;
  /** Set if wallets are shown as cards on a terminal. */
  readonly cards?: CardOptions | undefined;
  readonly context: Context;
}

/** Writes rows to `target`. Nothing is written before the first row, so an early error leaves stdout empty. */
export async function createListOutput(target: Target, destination: Destination): Promise<RowOutput<Row>> {
  const { view, context } = destination;
  const writer = await createWriter(destination);
  // On a terminal every row is written at once: the progress line is drawn between rows.
  const output = writeRows(target, writer, view.terminal !== undefined);
  return shapeRows(output, { shape: view.shape, kind: LIST_ROWS, context });
}

async function createWriter({ format, view, head, cards }: Destination) {
  const { terminal } = view;
  if (!terminal || !cards || format !== 'table') return createListWriter(format, { head, ...view });
  const { createCardsWriter } = await import('./list-cards.ts');
  return createCardsWriter(terminal, cards);
}

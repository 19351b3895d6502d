/** The rows of a list on their way out: as they come, or, when the columns depend on all of them, at the end. */
import { hasColumns, type ListFormat } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import type { ListHead } from '../../lists/list.ts';
import type { Row } from '../../row/row.ts';
import type { Shape } from '../../row/shape.ts';
import { type RowOutput, writeRows } from '../rows/row-output.ts';
import { shapeRows } from '../rows/shape.ts';
import type { CardsOptions } from './list-cards.ts';
import { createListWriter, type ListWriterOptions } from './list-writer.ts';
import { LIST_ROWS, openWaitingRows } from './waiting-rows.ts';

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
export async function createListOutput(target: Target, destination: Destination): Promise<RowOutput<Row>> {
  const { view, context } = destination;
  return shapeRows(await openOutput(target, destination), { shape: view.shape, kind: LIST_ROWS, context });
}

async function openOutput(
  target: Target,
  { options: { format, header }, view, head, cards, context }: Destination,
): Promise<RowOutput<Row>> {
  const { terminal, fields, keepsDefaults, verdictColumns } = view;
  const writing = { head, header, terminal, fields, keepsDefaults, verdictColumns };
  const open: OpenOutput = async (allColumns) =>
    // Between rows that a person sees there is the progress line.
    writeRows(target, await createListWriter(format, { ...writing, allColumns }), terminal !== undefined);
  if (terminal && cards) {
    const { createCardsOutput } = await import('./list-cards.ts');
    return createCardsOutput(target, { ...cards, terminal, context, openTable: open });
  }
  return view.allFields && hasColumns(format) ? collectThenWrite(open, context) : open();
}

type OpenOutput = (allColumns?: readonly string[]) => Promise<RowOutput<Row>>;

function collectThenWrite(open: OpenOutput, context: Context): RowOutput<Row> {
  const waiting = openWaitingRows(context);
  return {
    row(row) {
      waiting.add(row);
      return undefined;
    },
    flush: () => undefined,
    async end(how) {
      const output = await open(waiting.columns());
      for await (const row of waiting.rows()) {
        // What a stopped list has is written all the same: the signal that stopped it has had its effect.
        if (!how.isStopped) context.signal().throwIfAborted();
        await output.row(row);
      }
      await output.end(how);
    },
    close: waiting.close,
  };
}

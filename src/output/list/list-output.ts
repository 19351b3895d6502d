/** Writes the rows of a list as they arrive, or at the end if the columns depend on all rows. */
import type { Output } from '../../cli/choose-format.ts';
import { formatOf, hasColumns, isReport, type ListFormat, type ReportFormat } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import type { ListHead } from '../../lists/list.ts';
import type { Row } from '../../row/row.ts';
import type { Shape } from '../../row/shape.ts';
import type { ReportAbout } from '../report/report-output.ts';
import { type CountedOutput, type RowOutput, together, writeRows } from '../rows/row-output.ts';
import { shapeRows } from '../rows/shape.ts';
import type { CardsOptions } from './list-cards.ts';
import { createListWriter, type ListWriterOptions } from './list-writer.ts';
import { LIST_ROWS, openWaitingRows } from './waiting-rows.ts';

export interface Destination {
  /** Every target with its format. */
  readonly outputs: readonly Output<ListFormat | ReportFormat>[];
  readonly header: boolean;
  /** Which rows are written, and which fields of them. */
  readonly view: Pick<ListWriterOptions, 'fields' | 'keepsDefaults' | 'verdictColumns' | 'terminal'> & {
    readonly allFields: boolean;
    readonly shape: Shape;
  };
  readonly head: ListHead | undefined;
  /** Set if wallets may be shown as cards, on a terminal. */
  readonly cards?: CardsOptions | undefined;
  /** What reports say about the list; required if one of the outputs is a report. */
  readonly about?: ReportAbout | undefined;
  readonly context: Context;
}

/** Writes the same rows in the same order to all `targets`. Nothing is written before the first row, so an early error leaves stdout empty. */
export async function createListOutput(
  targets: readonly Target[],
  destination: Destination,
): Promise<CountedOutput<Row>> {
  const { view, context } = destination;
  const outputs: RowOutput<Row>[] = [];
  for (const target of targets) outputs.push(await openOutput(target, destination));
  return shapeRows(together(outputs), { shape: view.shape, kind: LIST_ROWS, context });
}

async function openOutput(target: Target, destination: Destination): Promise<RowOutput<Row>> {
  const { outputs, about, context } = destination;
  const format = formatOf(outputs, target.output);
  if (!isReport(format)) return unlessLeft(target, await openRows(target, format, destination));
  if (!about) throw new TypeError('a report needs to know what it is about');
  const { createReportOutput } = await import('../report/report-output.ts');
  return unlessLeft(target, createReportOutput(target, { about, context }));
}

/** `output`, except that `end` leaves the replaced file as it was if asked to. */
const unlessLeft = (target: Target, output: RowOutput<Row>): RowOutput<Row> => ({
  ...output,
  end: async (how) => (how.leavesFiles && target.isReplacement ? undefined : output.end(how)),
});

async function openRows(target: Target, format: ListFormat, destination: Destination): Promise<RowOutput<Row>> {
  const { header, view, head, cards, context } = destination;
  const { fields, keepsDefaults, verdictColumns } = view;
  // The colours and width of the terminal do not apply to files.
  const terminal = target.output === '-' ? view.terminal : undefined;
  const writing = { head, header, terminal, fields, keepsDefaults, verdictColumns };
  const open: OpenOutput = async (allColumns) =>
    // On a terminal every row is written at once: the progress line is drawn between rows.
    writeRows(target, await createListWriter(format, { ...writing, allColumns }), terminal !== undefined);
  if (terminal && cards && format === 'table') {
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
        // A stopped list still writes the rows it has: its signal is already aborted.
        if (!how.isStopped) context.signal().throwIfAborted();
        await output.row(row);
      }
      await output.end(how);
    },
    close: waiting.close,
  };
}

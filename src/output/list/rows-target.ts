/** The rows of a list on their way to where -o says: it is judged first, opened when the list can be read, and put in place at the end. */
import { checkTarget, openTarget, type Target, type TargetOptions } from '../../files/target.ts';
import type { ListHead } from '../../lists/list.ts';
import type { Row } from '../../row/row.ts';
import { deliver } from '../deliver.ts';
import type { RowOutput, RowsEnd } from '../rows/row-output.ts';
import { createListOutput, type Destination } from './list-output.ts';

export interface RowsTarget {
  /** Judges it again: the journal exists now. */
  open(head: ListHead | undefined): Promise<void>;
  row(row: Row): Promise<void> | undefined;
  flush(): Promise<void> | undefined;
  /** Puts it in place. A file is replaced by the whole list only; a stream has its rows, and only its end is written. */
  end(how: RowsEnd): Promise<void>;
  /** Gives up, if it is not in place. */
  close(): Promise<void>;
}

/** @throws IoError where rows cannot be written */
export async function createRowsTarget(
  options: Omit<Destination, 'head'> & Pick<TargetOptions, 'output' | 'forbidden'>,
): Promise<RowsTarget> {
  const { context } = options;
  await checkTarget(options, context);
  let target: Target | undefined;
  let rows: RowOutput<Row> | undefined;
  return {
    async open(head) {
      target = await openTarget(options, context);
      rows = await createListOutput(target, { ...options, head });
    },
    row: (row) => rows?.row(row),
    flush: () => rows?.flush(),
    async end(how) {
      if (!target || !rows || (how.isStopped && target.isReplacement)) return;
      await deliver(rows, target, { ...how, context });
    },
    async close() {
      rows?.close();
      await target?.discard();
    },
  };
}

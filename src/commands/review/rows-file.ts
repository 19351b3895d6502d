/** The rows of a review in the file of -o, as riskcli profile writes them. */
import type { Context } from '../../context.ts';
import { checkTarget, openTarget, type Target } from '../../files/target.ts';
import type { ListHead } from '../../lists/list.ts';
import { createListOutput } from '../../output/list/list-output.ts';
import type { RowOutput } from '../../output/rows/row-output.ts';
import type { Row } from '../../row/row.ts';
import { deliver } from '../shared/deliver.ts';
import type { JudgedRows } from '../shared/judged-rows.ts';
import type { ReviewOptions } from './options.ts';

export interface RowsFile {
  open(head: ListHead | undefined): Promise<void>;
  row(row: Row): Promise<void> | undefined;
  flush(): Promise<void> | undefined;
  /** Puts it in place. */
  end(): Promise<void>;
  /** Says that it was written. */
  say(): void;
  close(): Promise<void>;
}

/** @throws IoError when the file cannot be written */
export async function createRowsFile(
  { output, rowsFormat: format, list, policy }: Pick<ReviewOptions, 'output' | 'rowsFormat' | 'list' | 'policy'>,
  { judged, context }: { readonly judged: Pick<JudgedRows, 'view'>; readonly context: Context },
): Promise<RowsFile> {
  const forbidden = [list, policy].filter((path) => path !== undefined && path !== '-' && path !== '') as string[];
  if (output !== undefined) await checkTarget({ output, forbidden }, context);
  let target: Target | undefined;
  let rows: RowOutput<Row> | undefined;
  return {
    async open(head) {
      // The page is made of the kept file.
      if (output === undefined || format === 'html') return;
      target = await openTarget({ output, forbidden }, context);
      rows = await createListOutput(target, { format, view: judged.view, head, context });
    },
    row: (row) => rows?.row(row),
    flush: () => rows?.flush(),
    async end() {
      if (rows && target) await deliver(rows, target, { isStopped: false, context });
    },
    say() {},
    async close() {
      rows?.close();
      await target?.discard();
    },
  };
}

/** The rows of a review in the file of -o, as riskcli profile writes them. */
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import { checkTargets, discardTargets, openTargets } from '../../files/targets.ts';
import type { ListHead } from '../../lists/list.ts';
import { createListOutput } from '../../output/list/list-output.ts';
import type { CountedOutput } from '../../output/rows/row-output.ts';
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
  { outputs, list, policy, header }: Pick<ReviewOptions, 'outputs' | 'list' | 'policy' | 'header'>,
  { judged, context }: { readonly judged: Pick<JudgedRows, 'view'>; readonly context: Context },
): Promise<RowsFile> {
  const forbidden = [list, policy].filter((path) => path !== undefined && path !== '-' && path !== '') as string[];
  const destination = { outputs: outputs.map(({ path }) => path), forbidden };
  await checkTargets(destination, context);
  let targets: readonly Target[] = [];
  let output: CountedOutput<Row> | undefined;
  return {
    async open(head) {
      if (outputs.length === 0) return;
      targets = await openTargets(destination, context);
      output = await createListOutput(targets, { outputs, header, view: judged.view, head, context });
    },
    row: (row) => output?.row(row),
    flush: () => output?.flush(),
    async end() {
      if (output) await deliver(output, targets, { outputs, isStopped: false, context });
    },
    say() {},
    async close() {
      output?.close();
      await discardTargets(targets);
    },
  };
}

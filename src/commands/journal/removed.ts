/** What journal prune and journal purge print when they are done. */

import { shownPath } from '../../files/file-error.ts';
import type { Removed } from '../../journal/prune.ts';
import { counted } from '../../text/words.ts';
import { type Printing, printRecords } from '../shared/print-records.ts';

export async function printRemoved(removed: Removed, printing: Printing & { readonly path: string }): Promise<void> {
  const record = {
    answers_removed: removed.answersRemoved,
    wallets_affected: removed.walletsAffected,
    answers_left: removed.answersLeft,
    bytes_before: removed.bytesBefore,
    bytes_after: removed.bytesAfter,
  };
  await printRecords([record], { ...printing, single: true });
  const { damagedLines, aside } = removed;
  if (damagedLines === 0) return;
  const copy = aside === undefined ? '' : `; a copy of it as it was is ${shownPath(aside)}`;
  const were = damagedLines === 1 ? 'was' : 'were';
  printing.context.report.warn(
    `${counted(damagedLines, 'damaged line')} of the journal ${shownPath(printing.path)} ${were} dropped${copy}`,
  );
}

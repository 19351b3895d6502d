/** Finds the answers of a journal that may be reused. */
import { UsageError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import { visible } from '../text/escape.ts';
import { elsewhereThan, type JournalFile } from './journal-file.ts';
import { type JournalHeader, journalLines } from './journal-records.ts';
import type { JournalRecord } from './record.ts';

export interface ScanOptions extends JournalFile {
  /** Which service the answers come from: `journalBase(url)`, or SANDBOX_BASE. */
  readonly base: string;
  /** Whether a record may be reused; its wallet is requested again if not. By default all may. */
  readonly isReusable?: ((record: JournalRecord) => boolean) | undefined;
  /** Whether the records before it, of a run that was given up, are not to be used again. */
  readonly beginsAnew?: ((record: JournalRecord) => boolean) | undefined;
}

/**
 * @returns where the answers begin, by wallet; the `end` of the last whole line, 0 when not even
 * the header is whole; how many lines are damaged; the time of the `newest` reusable record,
 * -Infinity when there is none
 */
export async function scan(fd: number, options: ScanOptions) {
  const { isReusable = () => true, beginsAnew } = options;
  const offsets = new Map<string, number>();
  let damagedLines = 0;
  let newest = Number.NEGATIVE_INFINITY;
  let end = 0;
  for await (const line of journalLines(fd, options)) {
    end = line.end;
    if (line.kind === 'damage') damagedLines += 1;
    else if (line.kind === 'header') refuseOther(line.header, options);
    else if (isReusable(line.record)) {
      if (beginsAnew?.(line.record)) offsets.clear();
      offsets.set(line.record.id, line.offset);
      newest = Math.max(newest, line.record.answeredAt);
    }
  }
  return { offsets, end, damagedLines, newest };
}

/** @throws UsageError when the answers are from another service */
function refuseOther({ base }: JournalHeader, at: ScanOptions): void {
  if (base === at.base) return;
  throw new UsageError(
    `the journal ${shownPath(at.path)} holds answers from ${visible(base)}, not from ${visible(at.base)}`,
    {
      code: 'journal_base_url',
      hint: `${elsewhereThan(at)}, or use the base URL it was made with`,
    },
  );
}

/** Finds the answers of a journal that may be reused. */
import { UsageError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import { visible } from '../text/escape.ts';
import { elsewhereThan, type JournalFile } from './journal-file.ts';
import { type JournalHeader, journalLines } from './journal-records.ts';

export interface ScanOptions extends JournalFile {
  /** Which service the answers come from: `journalBase(url)`, or SANDBOX_BASE. */
  readonly base: string;
  /**
   * Whether an answer of that time, milliseconds since 1970, may be reused; else it is requested
   * again. By default all may.
   */
  readonly isFresh?: ((answeredAt: number) => boolean) | undefined;
  /**
   * Whether to list the answers that are too old. Not with isOneRun, where all are left out
   * together.
   */
  readonly listsStale?: boolean | undefined;
  /**
   * Whether its answers are from one run: then all may be reused if the newest is fresh, else none.
   */
  readonly isOneRun?: boolean | undefined;
  /** Whether wallets that were refused for good are not requested again. */
  readonly keepsRefusals?: boolean | undefined;
}

/**
 * @returns where the answers begin, by wallet; the `end` of the last whole line, 0 when not even
 * the header is whole; how many lines are damaged; the time of the `newest` record, -Infinity when
 * there is none; when each `stale` answer was given
 */
export async function scan(fd: number, options: ScanOptions) {
  const { isFresh = () => true, listsStale, isOneRun = false, keepsRefusals = true } = options;
  const [offsets, stale] = [new Map<string, number>(), new Map<string, number>()];
  let damagedLines = 0;
  let newest = Number.NEGATIVE_INFINITY;
  let end = 0;
  for await (const line of journalLines(fd, options)) {
    end = line.end;
    if (line.kind === 'damage') damagedLines += 1;
    else if (line.kind === 'header') {
      refuseOther(line.header, options);
    } else {
      const { record, offset } = line;
      if ('refusal' in record && !keepsRefusals) continue;
      newest = Math.max(newest, record.answeredAt);
      if (isOneRun || isFresh(record.answeredAt)) offsets.set(record.id, offset);
      else if (listsStale) stale.set(record.id, record.answeredAt);
    }
  }
  if (isOneRun && !isFresh(newest)) offsets.clear();
  return { offsets, stale, end, damagedLines, newest };
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

/**
 * Reads the newest answer of each wallet in a journal. Nothing here locks or changes the file: a
 * run may be adding to it, and a record that is not complete is ignored.
 */
import { shownPath } from '../files/file-error.ts';
import { type JournalFile, withJournal } from './journal-file.ts';
import { journalLines } from './journal-records.ts';
import type { JournalRecord } from './record.ts';
import { StoredRecords } from './store.ts';

export interface Newest {
  readonly damagedLines: number;
  /** How many wallets have an answer. */
  readonly count: number;
  /**
   * The newest answer of each wallet, in the order in which the wallets first came; to be read
   * inside `use`.
   */
  readonly answers: Iterable<JournalRecord>;
}

/**
 * Calls `use` with the newest answer of each wallet. A refusal does not replace an answer.
 * @throws as summarizeJournal does
 */
export function withNewest<T>(file: JournalFile, use: (newest: Newest) => Promise<T>): Promise<T> {
  return withJournal(file, async (fd) => use(await readNewest(fd, file)));
}

async function readNewest(fd: number, file: JournalFile): Promise<Newest> {
  const offsets = new Map<string, number>();
  let [damagedLines, size] = [0, 0];
  for await (const line of journalLines(fd, file)) {
    size = line.end;
    if (line.kind === 'damage') damagedLines += 1;
    else if (line.kind === 'record' && !('refusal' in line.record)) offsets.set(line.record.id, line.offset);
  }
  const records = new StoredRecords({ fd, name: `the journal ${shownPath(file.path)}`, size, offsets });
  return { damagedLines, count: records.size, answers: records.all() };
}

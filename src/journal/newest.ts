/**
 * Reads the newest answer of each wallet in a journal. Nothing here locks or changes the file: a run may be adding to it, and a
 * record that is not complete is ignored.
 */
import { fileError, shownPath } from '../files/file-error.ts';
import { type JournalFile, withJournal } from './journal-file.ts';
import { eachRecord } from './journal-records.ts';
import { createLineReader } from './line-reader.ts';
import { decodeRecord, type Settled } from './record.ts';

export interface Newest {
  readonly damagedLines: number;
  /** How many wallets have an answer. */
  readonly count: number;
  /** The newest answer of each wallet, in the order in which the wallets first came; to be read inside `use`. */
  readonly answers: Generator<{ readonly id: string; readonly settled: Settled }>;
}

/**
 * Calls `use` with the newest answer of each wallet. A refusal does not replace an answer.
 * @throws as surveyJournal does
 */
export function withNewest<T>(file: JournalFile, use: (newest: Newest) => Promise<T>): Promise<T> {
  return withJournal(file, async (fd) => use(await readNewest(fd, file)));
}

async function readNewest(fd: number, file: JournalFile): Promise<Newest> {
  const offsets = new Map<string, number>();
  let damagedLines = 0;
  const end = await eachRecord(fd, {
    ...file,
    onRecord({ head, location }) {
      if (!head.isRefusal) offsets.set(head.id, location.offset);
    },
    onDamage() {
      damagedLines += 1;
    },
  });
  const lineAt = createLineReader({ fd, name: `the journal ${shownPath(file.path)}` });
  function* answers() {
    for (const [id, offset] of offsets) {
      const settled = decodeRecord(lineAt(offset, end), id);
      if (!settled) throw changedMeanwhile(file.path);
      yield { id, settled };
    }
  }
  return { damagedLines, count: offsets.size, answers: answers() };
}

const changedMeanwhile = (path: string) =>
  fileError(`the journal ${shownPath(path)} cannot be read`, {
    cause: new Error('something else has changed it meanwhile'),
    hint: 'find out what did that, then run the same command again',
    isResumable: true,
  });

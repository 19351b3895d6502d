/**
 * Reads the newest answer of each wallet in a journal. Nothing here locks or changes the file: a run may be adding to it, and a
 * record that is not complete is ignored.
 */
import { readSync } from 'node:fs';
import { fileError, shownPath } from '../files/file-error.ts';
import type { RecordLocation } from '../files/records/block-reader.ts';
import { type JournalFile, withJournal } from './journal-file.ts';
import { eachRecord } from './journal-records.ts';
import { RecordLocations } from './locations.ts';
import { decodeRecord, readHead, type Settled } from './record.ts';

export interface Newest {
  readonly damagedLines: number;
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
  const locations = new RecordLocations();
  let damagedLines = 0;
  await eachRecord(fd, {
    ...file,
    onRecord({ head, location }) {
      if (!head.isRefusal) locations.set(head.id, location);
    },
    onDamage() {
      damagedLines += 1;
    },
  });
  return { damagedLines, answers: recordsAt(fd, file.path, locations) };
}

function* recordsAt(fd: number, path: string, locations: Iterable<RecordLocation>): Newest['answers'] {
  for (const location of locations) {
    const line = readAt(fd, location);
    const head = line && readHead(line);
    const settled = head && decodeRecord(line, head.id);
    if (!head || !settled) {
      throw fileError(`the journal ${shownPath(path)} cannot be read`, {
        cause: new Error('something else has changed it meanwhile'),
        hint: 'find out what did that, then run the same command again',
        isResumable: true,
      });
    }
    yield { id: head.id, settled };
  }
}

function readAt(fd: number, { offset, length }: RecordLocation): Buffer | undefined {
  const line = Buffer.allocUnsafe(length);
  return readSync(fd, line, 0, length, offset) === length ? line : undefined;
}

/**
 * Removes answers from a journal: superseded ones, and on demand old ones or all of a wallet that must be erased. The file is
 * replaced in one step, under the lock that every run with this journal takes; after a kill at any moment, the old file or the new
 * one is there.
 */
import { fstatSync } from 'node:fs';
import { type AtomicFile, createAtomicFile } from '../files/atomic-file.ts';
import { asFileError, shownPath } from '../files/file-error.ts';
import { type Lock, type LockHost, takeLock } from '../files/lock.ts';
import { removeTemporaries } from '../files/temporaries.ts';
import { APPENDING, type JournalFile, withJournal } from './journal-file.ts';
import { journalHeaderLine, journalLines } from './journal-records.ts';
import type { JournalRecord } from './record.ts';

/** What is removed from a journal, besides superseded answers and damaged lines (their wallets are unknown). */
export interface Pruning {
  /** Answers before this time are removed, milliseconds since 1970. */
  readonly olderThan?: number | undefined;
  /** All records of these wallets are removed: their ids. */
  readonly wallets?: ReadonlySet<string> | undefined;
}

export interface Removed {
  readonly answersRemoved: number;
  /** Wallets that lost an answer. */
  readonly walletsAffected: number;
  readonly answersLeft: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly damagedLines: number;
}

/**
 * Which records stay: of each wallet the newest answer, and the newest refusal, since a run with --journal uses the newest answer
 * even if a refusal followed. The newest is the last one in the file: a clock may have been set back.
 */
function createRule({ olderThan = Number.NEGATIVE_INFINITY, wallets = new Set() }: Pruning) {
  const newest = { answers: new Map<string, number>(), refusals: new Map<string, number>() };
  const of = (record: JournalRecord) => ('refusal' in record ? newest.refusals : newest.answers);
  return {
    /** To be called with every record before the first call of `keeps`. */
    observe: (record: JournalRecord, offset: number) => void of(record).set(record.id, offset),
    keeps: (record: JournalRecord, offset: number) =>
      of(record).get(record.id) === offset && record.answeredAt >= olderThan && !wallets.has(record.id),
  };
}

export interface RemoveOptions extends JournalFile {
  readonly host: LockHost;
}

/**
 * Replaces the journal by one without what `pruning` removes, with the same mode and owner; if nothing is removed, the file is left
 * alone.
 * @throws LockedError while a run holds it; IoError when it does not exist, cannot be trusted or cannot be replaced; the
 * signal's reason. It is then unchanged.
 */
export async function removeAnswers(pruning: Pruning, options: RemoveOptions): Promise<Removed> {
  // Opened first: without a journal no lock is made.
  await withJournal(options, async () => {});
  const lock = await takeLock(`${options.path}.lock`, options.host);
  try {
    // The unfinished new file of a killed run may also hold answers.
    removeTemporaries(options.path, options.uid);
    const job = { ...options, pruning, lock };
    // Replaced after it is closed, as Windows requires.
    return await putInPlace(await withJournal(options, (fd) => writeRemaining(fd, job), APPENDING), job);
  } catch (error) {
    throw cannotReplace(options.path, error);
  } finally {
    lock.release();
  }
}

function cannotReplace(path: string, error: unknown): unknown {
  return asFileError(error, `the journal ${shownPath(path)} cannot be replaced`, {
    hint: 'it is unchanged; free up disk space or make its folder writable, then run the same command again',
    isResumable: true,
  });
}

interface PruneJob extends RemoveOptions {
  readonly pruning: Pruning;
  readonly lock: Lock;
}

interface PrunedFile {
  /** The new journal, not yet in place. */
  readonly file: AtomicFile;
  readonly removed: Removed;
  /** Whether nothing is removed, a torn last record included. */
  readonly isSame: boolean;
}

const NEWLINE = Buffer.from('\n');

/** Writes what the rule keeps into a new file. */
async function writeRemaining(fd: number, { pruning, path, host, signal }: PruneJob): Promise<PrunedFile> {
  const rule = createRule(pruning);
  for await (const line of journalLines(fd, { path, signal }))
    if (line.kind === 'record') rule.observe(line.record, line.offset);
  const file = createAtomicFile(path, { host });
  try {
    const touched = new Set<string>();
    let [answersRemoved, answersLeft, damagedLines, bytesAfter] = [0, 0, 0, 0];
    const write = (line: Buffer) => {
      file.write(line);
      bytesAfter += line.length;
    };
    for await (const line of journalLines(fd, { path, signal })) {
      if (line.kind === 'header') write(Buffer.from(journalHeaderLine(line.header)));
      else if (line.kind === 'damage') damagedLines += 1;
      else if (rule.keeps(line.record, line.offset)) {
        answersLeft += 1;
        write(Buffer.concat([line.bytes, NEWLINE]));
      } else {
        answersRemoved += 1;
        touched.add(line.record.id);
      }
    }
    const bytesBefore = fstatSync(fd).size;
    const walletsAffected = touched.size;
    const removed = { answersRemoved, walletsAffected, answersLeft, bytesBefore, bytesAfter, damagedLines };
    return { file, removed, isSame: bytesAfter === bytesBefore };
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Puts the new journal in place, unless nothing was removed. @throws LockedError when another run has it now */
async function putInPlace({ file, removed, isSame }: PrunedFile, { signal, lock }: PruneJob): Promise<Removed> {
  try {
    if (isSame) return removed;
    signal?.throwIfAborted();
    lock.check(0);
    await file.commit();
    return removed;
  } finally {
    file.discard();
  }
}

/**
 * Removes records from a journal: superseded ones, and on demand old ones or all of a wallet that
 * must be erased. The file is replaced in one step, under the lock that every run with this journal
 * takes; after a kill at any moment, the old file or the new one is there.
 */
import { fstatSync } from 'node:fs';
import { createAtomicFile } from '../files/atomic-file.ts';
import { asFileError, shownPath } from '../files/file-error.ts';
import { type LockHost, takeLock } from '../files/lock.ts';
import { removeTemporaries } from '../files/temporaries.ts';
import { APPENDING, type JournalOptions, withJournal } from './journal-file.ts';
import { journalHeaderLine, journalLines } from './journal-records.ts';
import type { JournalRecord } from './record.ts';

/**
 * The records that are removed from a journal, besides superseded records and damaged lines (their
 * wallets are unknown).
 */
export interface Pruning {
  /** Records before this time are removed, milliseconds since 1970. */
  readonly olderThan?: number | undefined;
  /** All records of these wallets are removed: their ids. */
  readonly wallets?: ReadonlySet<string> | undefined;
}

/**
 * Decides which records stay: of each wallet the newest answer, and the newest refusal, since a run
 * with --journal uses the newest answer even if a refusal followed. The newest is the last one in
 * the file: a clock may have been set back.
 */
class RetentionPolicy {
  /** The offsets of the newest records, by wallet. */
  private readonly answers = new Map<string, number>();
  private readonly refusals = new Map<string, number>();

  constructor(private readonly pruning: Pruning) {}

  /** To be called with every record before the first call of `keeps`. */
  observe(record: JournalRecord, offset: number): void {
    this.newestOfKind(record).set(record.id, offset);
  }

  keeps(record: JournalRecord, offset: number): boolean {
    const { olderThan = Number.NEGATIVE_INFINITY, wallets } = this.pruning;
    const isNewest = this.newestOfKind(record).get(record.id) === offset;
    return isNewest && record.answeredAt >= olderThan && !wallets?.has(record.id);
  }

  private newestOfKind(record: JournalRecord): Map<string, number> {
    return 'refusal' in record ? this.refusals : this.answers;
  }
}

interface PruneOptions extends JournalOptions {
  readonly host: LockHost;
}

interface PruneResult {
  readonly recordsRemoved: number;
  /** Wallets that lost a record. */
  readonly walletsAffected: number;
  readonly recordsLeft: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly damagedLines: number;
}

/**
 * Replaces the journal by one without what `pruning` removes, with the same mode and owner; if
 * nothing is removed, the file is left alone.
 * @throws LockedError while a run holds it; IoError when it does not exist, cannot be trusted or
 * cannot be replaced; the signal's reason. It is then unchanged.
 */
export async function removeRecords(pruning: Pruning, options: PruneOptions): Promise<PruneResult> {
  const { path, uid, host, signal } = options;
  // Opens the journal first, so that a wrong path leaves no lock file behind.
  await withJournal(options, async () => {});
  const lock = await takeLock(`${path}.lock`, host);
  try {
    // The unfinished new file of a killed run may also hold answers.
    removeTemporaries(path, uid);
    // Replaced after it is closed, as Windows requires.
    const { file, ...removed } = await withJournal(options, (fd) => writeRemaining(fd, pruning, options), APPENDING);
    try {
      // An equal size means that nothing was removed, not even a torn record.
      if (removed.bytesAfter === removed.bytesBefore) return removed;
      signal?.throwIfAborted();
      await file.commit(() => lock.check(0));
      return removed;
    } finally {
      file.discard();
    }
  } catch (error) {
    throw asFileError(error, `the journal ${shownPath(path)} cannot be replaced`, {
      hint: 'it is unchanged; free up disk space or make its folder writable, then run the same command again',
      isResumable: true,
    });
  } finally {
    lock.release();
  }
}

const NEWLINE = Buffer.from('\n');

/** Writes the records that stay into a new file, which is not put in place yet. */
async function writeRemaining(fd: number, pruning: Pruning, { path, host, signal }: PruneOptions) {
  const policy = new RetentionPolicy(pruning);
  for await (const line of journalLines(fd, { path, signal }))
    if (line.kind === 'record') policy.observe(line.record, line.offset);
  const file = createAtomicFile(path, { host });
  try {
    const affected = new Set<string>();
    let recordsRemoved = 0;
    let recordsLeft = 0;
    let damagedLines = 0;
    let bytesAfter = 0;
    const write = (line: Buffer) => {
      file.write(line);
      bytesAfter += line.length;
    };
    for await (const line of journalLines(fd, { path, signal })) {
      if (line.kind === 'header') write(Buffer.from(journalHeaderLine(line.header)));
      else if (line.kind === 'damage') damagedLines += 1;
      else if (policy.keeps(line.record, line.offset)) {
        recordsLeft += 1;
        write(Buffer.concat([line.bytes, NEWLINE]));
      } else {
        recordsRemoved += 1;
        affected.add(line.record.id);
      }
    }
    const bytesBefore = fstatSync(fd).size;
    const walletsAffected = affected.size;
    return { file, recordsRemoved, walletsAffected, recordsLeft, bytesBefore, bytesAfter, damagedLines };
  } catch (error) {
    file.discard();
    throw error;
  }
}

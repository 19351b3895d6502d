/**
 * Removes answers from a journal: old ones, or all of a wallet that must be erased. The file is replaced in one step, under the
 * lock that every run with this journal takes; after a kill at any moment, the old file or the new one is there.
 */
import { fstatSync } from 'node:fs';
import { type AtomicFile, createAtomicFile } from '../files/atomic-file.ts';
import { asFileError, shownPath } from '../files/file-error.ts';
import { type Lock, type LockHost, takeLock } from '../files/lock.ts';
import { removeTemporaries } from '../files/temporaries.ts';
import { APPENDING, copyAside, type JournalFile, withJournal } from './journal-file.ts';
import { eachRecord, headerLine } from './journal-records.ts';
import { commitHeld } from './mend.ts';
import type { RecordHead } from './record.ts';
import { eraseFromMemories } from './reviews-file.ts';
import { WalletIndex } from './wallet-index.ts';

/** Which records stay. `observe` sees all of them, in order, before the first call of `keeps`. */
export interface RemovalRule {
  readonly observe?: (head: RecordHead) => void;
  readonly keeps: (head: RecordHead, line: Buffer) => boolean;
  /** Whether a copy of a journal with damaged lines is kept: they may be of value (prune), or must go (erase). */
  readonly keepsDamaged: boolean;
  /** Which wallets are also removed from the memory of reviews; called after all records. */
  readonly forgets?: (id: string) => boolean;
  /** Called after `observe`: answers that counted before this time may be removed, milliseconds since 1970; undefined if none. */
  readonly takesUntil?: () => number | undefined;
}

export interface Removed {
  readonly answersRemoved: number;
  /** Wallets that lost an answer. */
  readonly walletsAffected: number;
  readonly answersLeft: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly damagedLines: number;
  /** The copy of a damaged journal. */
  readonly aside?: string | undefined;
}

/**
 * Keeps the `keep` newest answers of each wallet and those since `since`, milliseconds since 1970. Refusals are counted
 * separately: a run with --journal uses the newest answer even if a refusal followed. The newest is the last one in the file,
 * since a clock may have been set back.
 */
export function pruneRule({
  keep = 0,
  since,
}: {
  readonly keep?: number | undefined;
  readonly since?: number | undefined;
}): RemovalRule {
  const index = new WalletIndex();
  const counts: { readonly answers: number[]; readonly refusals: number[] } = { answers: [], refusals: [] };
  const of = ({ isRefusal }: RecordHead) => (isRefusal ? counts.refusals : counts.answers);
  const answeredAt: number[] = [];
  let takesUntil = since;
  return {
    keepsDamaged: true,
    takesUntil: () => takesUntil,
    observe(head) {
      const number = index.add(head.id);
      const before = answeredAt[number] ?? Number.NaN;
      const mayGo = !head.isRefusal && before < (since ?? Number.POSITIVE_INFINITY);
      // A removed answer counted until the next one of its wallet.
      if (mayGo) takesUntil = later(takesUntil, head.answeredAt);
      answeredAt[number] = head.isRefusal ? before : head.answeredAt;
      for (const kind of [counts.answers, counts.refusals]) kind[number] ??= 0;
      of(head)[number] = (of(head)[number] ?? 0) + 1;
    },
    keeps(head) {
      const number = index.find(head.id);
      const left = of(head)[number] ?? 0;
      of(head)[number] = left - 1;
      return left <= keep || (since !== undefined && head.answeredAt >= since);
    },
  };
}

export interface Erasure {
  readonly rule: RemovalRule;
  /** The wallets to erase that the journal had. */
  readonly found: WalletIndex;
  /** How many answers of other wallets name one of the wallets to erase; they stay. */
  readonly leftover: () => number;
}

/** Hex in a document that could be an address. */
const HEX = /0x[0-9a-f]+/gi;

/** Keeps what is not an answer of `wallets`. */
export function eraseRule(wallets: Pick<WalletIndex, 'find'>): Erasure {
  const found = new WalletIndex();
  let mentions = 0;
  const isErased = (id: string) => wallets.find(id) >= 0;
  function keeps({ id }: RecordHead, line: Buffer): boolean {
    if (isErased(id)) {
      found.add(id);
      return false;
    }
    const mentioned: readonly string[] = line.toString('latin1').match(HEX) ?? [];
    if (mentioned.some((hex) => isErased(hex.toLowerCase()))) mentions += 1;
    return true;
  }
  return { rule: { keeps, forgets: isErased, keepsDamaged: false }, found, leftover: () => mentions };
}

export interface RemoveOptions extends JournalFile {
  readonly host: LockHost;
}

/**
 * Replaces the journal by one with what `rule` keeps, with the same mode and owner; if nothing is removed, the file is left
 * alone.
 * @throws LockedError while a run holds it; IoError when it does not exist, cannot be trusted or cannot be replaced; the
 * signal's reason. It is then unchanged.
 */
export async function removeAnswers(rule: RemovalRule, options: RemoveOptions): Promise<Removed> {
  // Opened first: without a journal no lock is made.
  await withJournal(options, async () => {});
  const lock = await takeLock(`${options.path}.lock`, options.host);
  try {
    // The unfinished new file of a killed run may also hold answers.
    removeTemporaries(options.path);
    const rewriting = { ...options, rule, lock };
    // Replaced after it is closed, as Windows requires.
    const removed = await replace(await withJournal(options, (fd) => rewrite(fd, rewriting), APPENDING), rewriting);
    if (rule.forgets) await eraseFromMemories(options.path, { ...options, isErased: rule.forgets });
    return removed;
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

interface Rewriting extends RemoveOptions {
  readonly rule: RemovalRule;
  readonly lock: Lock;
}

interface Rewritten {
  /** The new journal, not yet in place. */
  readonly file: AtomicFile;
  readonly removed: Removed;
  /** Whether nothing is removed, a torn last record included. */
  readonly isSame: boolean;
}

const later = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);

/** Writes what the rule keeps into a new file. */
async function rewrite(fd: number, { rule, path, host, signal }: Rewriting): Promise<Rewritten> {
  await eachRecord(fd, { path, signal, onRecord: ({ head }) => rule.observe?.(head) });
  const file = createAtomicFile(path, { host });
  try {
    const out = createWriter(file, path);
    const touched = new WalletIndex();
    let [answersRemoved, answersLeft, damagedLines, growth] = [0, 0, 0, 0];
    await eachRecord(fd, {
      path,
      signal,
      onHeader(header) {
        const line = headerLine({ ...header, prunedUntil: later(header.prunedUntil, rule.takesUntil?.()) });
        growth = line.length - headerLine(header).length;
        out.line(Buffer.from(line.trimEnd()));
      },
      onRecord({ head, bytes }) {
        if (rule.keeps(head, bytes)) {
          answersLeft += 1;
          return out.line(bytes);
        }
        answersRemoved += 1;
        touched.add(head.id);
      },
      onDamage() {
        damagedLines += 1;
      },
    });
    const bytesAfter = out.end();
    const bytesBefore = fstatSync(fd).size;
    const walletsAffected = touched.size;
    const removed = { answersRemoved, walletsAffected, answersLeft, bytesBefore, bytesAfter, damagedLines };
    const isSame = bytesAfter - growth === bytesBefore;
    return { file, removed: isSame ? { ...removed, bytesAfter: bytesBefore } : removed, isSame };
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Puts the new journal in place, if anything is removed. */
async function replace(
  { file, removed, isSame }: Rewritten,
  { rule, path, signal, lock }: Rewriting,
): Promise<Removed> {
  try {
    if (isSame) return removed;
    const aside = removed.damagedLines > 0 && rule.keepsDamaged ? copyAside(path) : undefined;
    signal?.throwIfAborted();
    await commitHeld(file, lock);
    return { ...removed, aside };
  } finally {
    file.discard();
  }
}

/** Lines are collected up to this many bytes for each system call. */
const BUFFERED = 256 * 1024;

function createWriter(file: AtomicFile, path: string) {
  let buffer = Buffer.allocUnsafe(BUFFERED);
  let [filled, written] = [0, 0];
  function flush(): void {
    try {
      file.write(buffer.subarray(0, filled));
    } catch (cause) {
      throw cannotReplace(path, cause);
    }
    written += filled;
    filled = 0;
  }
  return {
    line(bytes: Buffer): void {
      if (filled + bytes.length + 1 > buffer.length) flush();
      if (bytes.length + 1 > buffer.length) buffer = Buffer.allocUnsafe(bytes.length + 1);
      filled += bytes.copy(buffer, filled);
      buffer[filled++] = 10;
    },
    /** @returns how many bytes there are. */
    end(): number {
      flush();
      return written;
    },
  };
}

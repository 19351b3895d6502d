/**
 * A journal as a record of the past: what it holds in all, every answer of one wallet, the newest one of each. Nothing here
 * locks or changes the file: a run may be adding to it, and what it has not finished writing is not there yet.
 */
import { readSync } from 'node:fs';
import { fileError, shownPath } from '../files/file-error.ts';
import { type eachRecord, type JournalFile, withJournal } from './journal-file.ts';
import { eachAnswer } from './late-answers.ts';
import { decodeRecord, readHead, type Settled } from './record.ts';
import { createWalletIndex } from './wallet-index.ts';

export interface Survey {
  /** Whose answers they are; undefined for a file that ends before it says so. */
  readonly base: string | undefined;
  /** Wallets with an answer or a refusal. */
  readonly wallets: number;
  readonly answers: number;
  /** Wallets that the service refused for good, each time that it did. */
  readonly refusals: number;
  /** Answers that a newer one of the same wallet replaces. */
  readonly superseded: number;
  /** The time of that record, in milliseconds since 1970; undefined when there is none. */
  readonly oldest: number | undefined;
  readonly newest: number | undefined;
  /** The bytes of the whole lines. */
  readonly bytes: number;
  readonly damagedLines: number;
}

/** What the journal holds. @throws IoError when it is not there, or cannot be believed or read; the signal's reason. */
export function surveyJournal(file: JournalFile): Promise<Survey> {
  const [wallets, answered] = [createWalletIndex(), createWalletIndex()];
  let base: string | undefined;
  let [answers, refusals, damagedLines] = [0, 0, 0];
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return withJournal(file, async (fd) => {
    const bytes = await eachAnswer(fd, {
      ...file,
      onHeader(found) {
        base = found;
      },
      onRecord({ head }) {
        wallets.add(head.id);
        if (head.isRefusal) refusals += 1;
        else {
          answers += 1;
          answered.add(head.id);
        }
        oldest = Math.min(oldest, head.answeredAt);
        newest = Math.max(newest, head.answeredAt);
      },
      onDamage() {
        damagedLines += 1;
      },
    });
    const times = wallets.size > 0 ? { oldest, newest } : { oldest: undefined, newest: undefined };
    const superseded = answers - answered.size;
    return { base, wallets: wallets.size, answers, refusals, superseded, ...times, bytes, damagedLines };
  });
}

export interface Found {
  readonly answers: readonly Settled[];
  readonly damagedLines: number;
}

/** What the service has said of wallet `id`, oldest first. @throws as surveyJournal does. */
export function historyOf(id: string, file: JournalFile): Promise<Found> {
  const answers: Settled[] = [];
  let damagedLines = 0;
  return withJournal(file, async (fd) => {
    await eachAnswer(fd, {
      ...file,
      onRecord({ head, bytes }) {
        const settled = head.id === id ? decodeRecord(bytes, id) : undefined;
        if (settled) answers.push(settled);
      },
      onDamage() {
        damagedLines += 1;
      },
    });
    return { answers, damagedLines };
  });
}

export interface Newest {
  readonly damagedLines: number;
  /** The newest answer of each wallet, in the order in which the wallets came first; read inside of `use`. */
  readonly answers: Generator<{ readonly id: string; readonly settled: Settled }>;
}

/**
 * Hands the newest answer of each wallet to `use`. A refusal replaces no answer.
 * @throws as surveyJournal does.
 */
export function withNewest<T>(file: JournalFile, use: (newest: Newest) => Promise<T>): Promise<T> {
  return withJournal(file, async (fd) => use(await readNewest(fd, file)));
}

/**
 * The newest answers of the journal that is open as `fd`, for as long as it is; with `eachRecord` as `reads`, of what has no
 * place in a folder. @throws as surveyJournal does.
 */
export async function readNewest(
  fd: number,
  { reads = eachAnswer, ...file }: JournalFile & { readonly reads?: typeof eachRecord },
): Promise<Newest> {
  const index = createWalletIndex();
  // Plain arrays of numbers: 16 MB for a million.
  const [offsets, lengths]: [number[], number[]] = [[], []];
  // A few, and in other files, which the next run takes away.
  const late = new Map<number, Buffer>();
  let damagedLines = 0;
  await reads(fd, {
    ...file,
    onRecord({ head, place, bytes, isLate }) {
      if (head.isRefusal) return;
      const number = index.add(head.id);
      [offsets[number], lengths[number]] = [place.offset, place.length];
      if (isLate) late.set(number, Buffer.from(bytes));
    },
    onDamage() {
      damagedLines += 1;
    },
  });
  return { damagedLines, answers: recordsAt(fd, { ...file, offsets, lengths, late }) };
}

interface Places {
  readonly path: string;
  readonly offsets: readonly number[];
  readonly lengths: readonly number[];
  /** The lines of those that are in no such place, by their numbers. */
  readonly late: ReadonlyMap<number, Buffer>;
}

function* recordsAt(fd: number, { path, offsets, lengths, late }: Places): Newest['answers'] {
  for (const [number, offset] of offsets.entries()) {
    const line = late.get(number) ?? readAt(fd, { offset, length: lengths[number] ?? 0 });
    const head = line && readHead(line);
    const settled = head && decodeRecord(line, head.id);
    if (!head || !settled) {
      throw fileError(`the journal ${shownPath(path)} cannot be read`, {
        cause: new Error('something else has changed it meanwhile'),
        hint: 'find out what did that, then run the same command again',
      });
    }
    yield { id: head.id, settled };
  }
}

function readAt(
  fd: number,
  { offset, length }: { readonly offset: number; readonly length: number },
): Buffer | undefined {
  const line = Buffer.allocUnsafe(length);
  return readSync(fd, line, 0, length, offset) === length ? line : undefined;
}

/**
 * A journal as a record of the past: what it holds in all, and every answer of one wallet. Nothing here locks
 * or changes the file: a run may be adding to it, and what it has not finished writing is not there yet.
 */
import { eachRecord, type JournalFile, withJournal } from './journal-file.ts';
import { decodeRecord, type Settled } from './record.ts';
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
  /** Of what the service said, milliseconds since 1970; undefined when it said nothing. */
  readonly oldest: number | undefined;
  readonly newest: number | undefined;
  /** Of the whole lines. */
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
    const bytes = await eachRecord(fd, {
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
    await eachRecord(fd, {
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

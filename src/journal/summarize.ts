/** What a journal holds in total. Nothing here locks or changes the file: a run may be adding to it. */
import { type JournalFile, withJournal } from './journal-file.ts';
import { journalLines } from './journal-records.ts';

export interface JournalSummary {
  /** The base URL of the answers; undefined for a file that ends before its header does. */
  readonly base: string | undefined;
  /** Wallets with an answer or a refusal. */
  readonly wallets: number;
  readonly answers: number;
  /** How often the service refused a wallet for good. */
  readonly refusals: number;
  /** Answers that are not the newest of their wallet. */
  readonly superseded: number;
  /** The time of the oldest record, milliseconds since 1970; undefined when there is none. */
  readonly oldest: number | undefined;
  readonly newest: number | undefined;
  /** The bytes of the whole lines. */
  readonly bytes: number;
  readonly damagedLines: number;
}

/** What the journal holds. @throws IoError when it does not exist, cannot be trusted or cannot be read; the signal's reason */
export function summarizeJournal(file: JournalFile): Promise<JournalSummary> {
  const [wallets, answered] = [new Set<string>(), new Set<string>()];
  let base: string | undefined;
  let [answers, refusals, damagedLines, bytes] = [0, 0, 0, 0];
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return withJournal(file, async (fd) => {
    for await (const line of journalLines(fd, file)) {
      bytes = line.end;
      if (line.kind === 'header') base = line.header.base;
      else if (line.kind === 'damage') damagedLines += 1;
      else {
        const { id, answeredAt, ...result } = line.record;
        wallets.add(id);
        if ('refusal' in result) refusals += 1;
        else {
          answers += 1;
          answered.add(id);
        }
        oldest = Math.min(oldest, answeredAt);
        newest = Math.max(newest, answeredAt);
      }
    }
    const times = wallets.size > 0 ? { oldest, newest } : { oldest: undefined, newest: undefined };
    const superseded = answers - answered.size;
    return { base, wallets: wallets.size, answers, refusals, superseded, ...times, bytes, damagedLines };
  });
}

/**
 * What a journal holds in total. Nothing here locks or changes the file: a run may be adding to it.
 */
import { type JournalOptions, withJournal } from './journal-file.ts';
import { journalLines } from './journal-records.ts';

interface JournalSummary {
  /** The base URL of the answers; undefined for a file that ends before its header does. */
  readonly baseUrl: string | undefined;
  /** Wallets with an answer or a refusal. */
  readonly wallets: number;
  readonly answers: number;
  /** How often the service refused a wallet for good. */
  readonly refusals: number;
  /** Answers that are not the newest of their wallet. */
  readonly superseded: number;
  /**
   * The times of the oldest and the newest record, milliseconds since 1970; undefined when there is
   * none.
   */
  readonly oldest: number | undefined;
  readonly newest: number | undefined;
  /** The bytes of the whole lines. */
  readonly bytes: number;
  readonly damagedLines: number;
}

/**
 * @throws IoError when the journal does not exist, cannot be trusted or cannot be read; the
 * signal's reason
 */
export function summarizeJournal(file: JournalOptions): Promise<JournalSummary> {
  return withJournal(file, async (fd) => {
    const wallets = new Set<string>();
    const answered = new Set<string>();
    let baseUrl: string | undefined;
    let answers = 0;
    let refusals = 0;
    let damagedLines = 0;
    let bytes = 0;
    let oldest = Number.POSITIVE_INFINITY;
    let newest = Number.NEGATIVE_INFINITY;
    for await (const line of journalLines(fd, file)) {
      bytes = line.end;
      if (line.kind === 'header') baseUrl = line.header.baseUrl;
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
    const isEmpty = wallets.size === 0;
    return {
      baseUrl,
      wallets: wallets.size,
      answers,
      refusals,
      superseded: answers - answered.size,
      oldest: isEmpty ? undefined : oldest,
      newest: isEmpty ? undefined : newest,
      bytes,
      damagedLines,
    };
  });
}

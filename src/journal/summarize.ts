/**
 * What a journal holds in total. Nothing here locks or changes the file: a run may be adding to it.
 */
import { type JournalFile, withJournal } from './journal-file.ts';
import { journalLines } from './journal-records.ts';

/**
 * @throws IoError when the journal does not exist, cannot be trusted or cannot be read; the
 * signal's reason
 */
export function summarizeJournal(file: JournalFile) {
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
    return {
      /** The base URL of the answers; undefined for a file that ends before its header does. */
      base,
      /** Wallets with an answer or a refusal. */
      wallets: wallets.size,
      answers,
      /** How often the service refused a wallet for good. */
      refusals,
      /** Answers that are not the newest of their wallet. */
      superseded: answers - answered.size,
      /**
       * The times of the oldest and the newest record, milliseconds since 1970; undefined when
       * there is none.
       */
      oldest: wallets.size > 0 ? oldest : undefined,
      newest: wallets.size > 0 ? newest : undefined,
      /** The bytes of the whole lines. */
      bytes,
      damagedLines,
    };
  });
}

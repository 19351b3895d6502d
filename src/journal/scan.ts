/** Finds the answers of a journal that may be reused. */
import { UsageError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import { visible } from '../text/escape.ts';
import { counted } from '../text/words.ts';
import { eachRecord, type JournalHeader } from './journal-records.ts';
import { createLocations, type RecordLocations } from './locations.ts';
import type { RecordHead } from './record.ts';
import { WalletIndex } from './wallet-index.ts';

export interface ScanOptions {
  /** Which service the answers come from: `journalBase(url)`, or SANDBOX_BASE. */
  readonly base: string;
  /** The times of answers that may be reused, milliseconds since 1970; others are requested again. By default all. */
  readonly answered?: { readonly from: number; readonly until: number } | undefined;
  /** Whether wallets that were refused for good are not requested again. */
  readonly keepsRefusals?: boolean;
  /** Ends the reading of a long journal. */
  readonly signal?: AbortSignal;
  /** The user who may own the file, besides root; undefined, as on Windows, checks no owners and modes. */
  readonly uid?: number | undefined;
}

type At = ScanOptions & { readonly path: string };

/**
 * Finds the answers that may be reused.
 * @returns their locations; bytes up to the `end` of the last whole line, 0 when not even the header is whole; how many are damaged
 */
export async function scan(fd: number, options: At) {
  const { answered, keepsRefusals = true, signal, path } = options;
  const locations = createLocations();
  let damagedLines = 0;
  const future = createFutureAnswers(locations);
  const end = await eachRecord(fd, {
    path,
    signal,
    onHeader: (header) => refuseOther(header, options),
    onDamage() {
      damagedLines += 1;
    },
    onRecord({ head, location }) {
      if (head.isRefusal && !keepsRefusals) return;
      if (answered && head.answeredAt < answered.from) return;
      if (answered && head.answeredAt > answered.until) return future.skip(head);
      future.take(head);
      locations.set(head.id, location);
    },
  });
  return { locations, end, damagedLines, future };
}

/** @throws UsageError when the answers are from another service */
function refuseOther({ base }: JournalHeader, at: At): void {
  if (base === at.base) return;
  throw new UsageError(
    `the journal ${shownPath(at.path)} holds answers from ${visible(base)}, not from ${visible(at.base)}`,
    {
      code: 'journal_base_url',
      hint: 'choose another file with --journal, or use the base URL it was made with',
    },
  );
}

export type FutureAnswers = ReturnType<typeof createFutureAnswers>;

/**
 * Answers dated in the future, since the clock was set back after they came: their age is unknown, so if age matters they are
 * requested again, with a warning first. `locations` are those of the answers reused.
 */
function createFutureAnswers(locations: Pick<RecordLocations, 'has'>) {
  const skipped = new WalletIndex();
  let latest = Number.NEGATIVE_INFINITY;
  let taken = 0;
  return {
    skip({ id, answeredAt }: RecordHead) {
      if (locations.has(id)) return;
      skipped.add(id);
      latest = Math.max(latest, answeredAt);
    },
    /** Notes an answer that is about to be added to `locations`. */
    take({ id }: RecordHead) {
      if (skipped.size > 0 && skipped.find(id) >= 0 && !locations.has(id)) taken += 1;
    },
    /** The warning about wallets that have only such answers; undefined when there are none. */
    message(path: string) {
      const count = skipped.size - taken;
      if (count === 0) return undefined;
      const [answers, are] = count === 1 ? ['the answer', 'is'] : ['the answers', 'are'];
      const time = new Date(latest).toISOString();
      return `${answers} for ${counted(count, 'wallet')} in the journal ${shownPath(path)} ${are} dated in the future (up to ${time}), as happens when the clock is set back; --max-age asks for them again`;
    },
  };
}

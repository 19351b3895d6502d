/**
 * Answers in a journal that are dated later than now, since the clock was set back after they came: nobody knows how old
 * they are, so where age matters they are asked for again, and that is said before it is paid for.
 */
import { shownPath } from '../files/file-error.ts';
import { counted } from '../text/words.ts';
import type { RecordLocations } from './locations.ts';
import type { RecordHead } from './record.ts';
import { createWalletIndex } from './wallet-index.ts';

export interface FutureAnswers {
  /** Takes note of an answer that is too late to be reused. */
  skip(head: RecordHead): void;
  /** Takes note of one that is about to be put among the places. */
  take(head: RecordHead): void;
  /** What is said of wallets that have no answer but such ones; undefined when there are none. */
  told(path: string): string | undefined;
}

/** `places` are those of the answers that are reused. */
export function createFutureAnswers(places: Pick<RecordLocations, 'has'>): FutureAnswers {
  const skipped = createWalletIndex();
  let latest = Number.NEGATIVE_INFINITY;
  let taken = 0;
  return {
    skip({ id, answeredAt }) {
      if (places.has(id)) return;
      skipped.add(id);
      latest = Math.max(latest, answeredAt);
    },
    take({ id }) {
      if (skipped.size > 0 && skipped.find(id) >= 0 && !places.has(id)) taken += 1;
    },
    told(path) {
      const count = skipped.size - taken;
      if (count === 0) return undefined;
      const [answers, are] = count === 1 ? ['the answer', 'is'] : ['the answers', 'are'];
      const time = new Date(latest).toISOString();
      return `${answers} for ${counted(count, 'wallet')} in the journal ${shownPath(path)} ${are} dated later than now (up to ${time}), as after the clock was set back: with --max-age they are asked for again`;
    },
  };
}

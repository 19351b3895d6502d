/** The paid answers that a review takes from the newest kept one. */
import { writeCompact } from '../../document/write.ts';
import { isAnswerFor } from '../../journal/record.ts';
import type { Seeded } from '../../list-run/journal-use.ts';
import type { KeptReviews, OpenedKept } from '../../runs/kept-reviews.ts';
import { openRun, SILENT } from '../../runs/open-run.ts';
import { timeIn, utcDay } from '../../text/when.ts';
import type { ReviewRun } from './review-options.ts';

/**
 * Adds the answers of the newest kept review that are young enough: without --max-age only those of
 * the UTC day on which this one started. Those of a file that was modified are requested again.
 */
export async function seed(store: Seeded, reviews: KeptReviews, run: ReviewRun): Promise<void> {
  await reviews.firstUsable(reviews.files, async (kept) => {
    if (!kept.isModified) await seedFrom(kept, store, run);
    return kept;
  });
}

async function seedFrom({ plain, end }: OpenedKept, store: Seeded, run: ReviewRun): Promise<void> {
  const { options, context } = run;
  const { maxAge, now, isMaxAgeTyped } = options;
  const isYoung = (at: number) => Math.abs(now - at) <= maxAge && (isMaxAgeTyped || utcDay(at) === utcDay(now));
  // No answer is younger than the end of the review.
  if (!isYoung(end.ended)) return;
  const { rows } = await openRun(plain, { host: context, report: SILENT, isInspected: true });
  for await (const { wallet, document, answeredAt = '' } of rows) {
    context.signal().throwIfAborted();
    const [id, at] = [wallet?.toLowerCase(), timeIn(answeredAt)];
    if (id === undefined || !document || !isYoung(at) || store.has(id)) continue;
    const text = writeCompact(document);
    if (isAnswerFor(text, id)) store.append(id, { answeredAt: at, text });
  }
}

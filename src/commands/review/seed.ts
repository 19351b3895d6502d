/** The answers that a review takes from the newest kept one. */
import { writeCompact } from '../../document/write.ts';
import { ListError } from '../../errors.ts';
import { isAnswerFor } from '../../journal/record.ts';
import { answersBase, type Seeded } from '../../list-run/answers.ts';
import type { PlainFile } from '../../lists/plain-file.ts';
import { openKept, readLastLine } from '../../runs/open-kept.ts';
import { openRun, SILENT } from '../../runs/open-run.ts';
import { keptFiles } from '../../runs/review-folder.ts';
import { timeIn, utcDay } from '../../text/when.ts';
import type { ReviewRun } from './review-options.ts';

/**
 * Answers of the newest kept review that are young enough are not paid for again: without --max-age
 * only those of the UTC day on which this one begins.
 */
export async function seed(store: Seeded, run: ReviewRun): Promise<void> {
  const { options, context } = run;
  // A name may be a second late: that of its review was taken.
  const [newest] = keptFiles(options.folder, options.begun + options.maxAge);
  if (!newest) return;
  let plain: PlainFile | undefined;
  try {
    plain = await openKept(newest, { context });
    await seedFrom(plain, store, run);
  } catch (error) {
    // One that cannot be used is passed over, which is said where it is compared: its answers are
    // asked for again.
    if (!(error instanceof ListError)) throw error;
  } finally {
    plain?.close();
  }
}

async function seedFrom(plain: PlainFile, store: Seeded, run: ReviewRun): Promise<void> {
  const { options, context } = run;
  const { maxAge, begun, isMaxAgeTyped } = options;
  const isYoung = (at: number) => Math.abs(begun - at) <= maxAge && (isMaxAgeTyped || utcDay(at) === utcDay(begun));
  const end = await readLastLine(plain);
  if (!end || Math.abs(begun - end.ended) > maxAge) return;
  const { review, rows } = await openRun(plain, { host: context, report: SILENT });
  if (review?.baseUrl !== (await answersBase(run))) return;
  for await (const { wallet, document, answeredAt = '' } of rows) {
    context.signal().throwIfAborted();
    const [id, at] = [wallet?.toLowerCase(), timeIn(answeredAt)];
    if (id === undefined || !document || !isYoung(at) || store.has(id)) continue;
    const text = writeCompact(document);
    if (isAnswerFor(text, id)) store.append(id, { answeredAt: at, text });
  }
}

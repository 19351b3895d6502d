/** The answers that a review takes from the newest kept one. */
import { writeCompact } from '../../document/write.ts';
import { ListError } from '../../errors.ts';
import { isAnswerFor } from '../../journal/record.ts';
import { answersBase, type Seeded } from '../../list-run/answers.ts';
import { openTrusted } from '../../review/open-trusted.ts';
import { keptFiles } from '../../runs/keep-folder.ts';
import { endedAt } from '../../runs/kept-file.ts';
import { openRunOf, SILENT } from '../../runs/open-run.ts';
import { timeIn, utcDay } from '../../text/when.ts';
import type { ReviewRun } from './review-options.ts';

/**
 * Answers of the newest kept review that are young enough are not paid for again: without --max-age only those of the UTC day on
 * which this one begins.
 */
export async function seed(store: Seeded, run: ReviewRun): Promise<void> {
  const { options, settings, context } = run;
  const { folder, maxAge, begun, isMaxAgeTyped } = options;
  const isYoung = (at: number) => Math.abs(begun - at) <= maxAge && (isMaxAgeTyped || utcDay(at) === utcDay(begun));
  const [newest] = keptFiles(folder, begun);
  if (!newest) return;
  try {
    const plain = await openTrusted(newest, { context });
    const results = await openRunOf(plain, {
      host: context,
      scorePath: settings.get('score').value,
      report: SILENT,
    });
    try {
      const ended = endedAt(plain);
      if (ended === undefined || Math.abs(begun - ended) > maxAge) return;
      if (results.review?.baseUrl !== (await answersBase(run))) return;
      for await (const { wallet, document, answeredAt = '' } of results.rows) {
        context.signal().throwIfAborted();
        const [id, at] = [wallet?.toLowerCase(), timeIn(answeredAt)];
        if (id === undefined || !document || !isYoung(at) || store.has(id)) continue;
        const text = writeCompact(document);
        if (isAnswerFor(text, id)) store.append(id, { answeredAt: at, text });
      }
    } finally {
      results.close();
    }
  } catch (error) {
    // One that cannot be used is passed over, which is said where it is compared: its answers are asked for again.
    if (!(error instanceof ListError)) throw error;
  }
}

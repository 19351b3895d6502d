/** `riskcli review --as-of WHEN`: the letter of a kept review, printed again. Nothing is sent. */
import { ExitCode, ListError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import { fullDay } from '../../output/review/letter.ts';
import { readReview } from '../../review/read-review.ts';
import { KeptReviews } from '../../runs/kept-reviews.ts';
import { isoDay, isoSeconds } from '../../text/when.ts';
import { checkOutput, printReview, writeOutput } from './output.ts';
import type { ReviewRun } from './review-options.ts';

const EXITS = Object.values(ExitCode);

/** @returns the exit code that the review had. @throws ListError if none is that old */
export async function printKept(asOf: number, run: ReviewRun): Promise<ExitCode | undefined> {
  const { options, context } = run;
  await checkOutput(run);
  const reviews = new KeptReviews({ folder: options.folder, context, trustsAll: true });
  try {
    const files = reviews.files.filter(({ started }) => started <= asOf);
    const kept = await reviews.firstUsable(files, async (opened) => opened);
    if (!kept) throw noReview(asOf, run, reviews);
    const day = isoDay(kept.file.started);
    if (day !== isoDay(asOf)) context.report.info(`the newest review up to then is of ${fullDay(day)}`);
    const review = await readReview(kept, context);
    await writeOutput(kept, review, run);
    await printReview(review, run);
    return EXITS.find((code) => code === kept.end.exitCode);
  } finally {
    reviews.close();
  }
}

function noReview(asOf: number, { options }: ReviewRun, { files }: KeptReviews): ListError {
  const oldest = files.at(-1);
  const message = `${shownPath(options.folder)} has no review from ${isoSeconds(asOf)} or before`;
  return new ListError(oldest ? `${message}: the oldest is from ${isoSeconds(oldest.started)}` : message, {
    code: 'no_review',
    hint: oldest ? 'name a later time' : 'riskcli review LIST keeps one',
  });
}

/** The page of a review: its sections, and the rows of its kept file. */
import { writeReport } from '../../output/report/write-report.ts';
import type { ReviewSections } from '../../output/review/sections.ts';
import type { ReviewRun } from './review-options.ts';

/** Writes the page to the file of -o, if that is one. @param path the kept review */
export async function writeReviewPage(
  path: string,
  review: ReviewSections,
  { options: { output, rowsFormat: format, typedWords }, context }: ReviewRun,
): Promise<void> {
  if (output === undefined || format !== 'html') return;
  await writeReport({ file: path, format, output, words: ['review', ...typedWords], review }, context);
}

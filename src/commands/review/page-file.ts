/** The page of a review: its sections, and the rows of its kept file. */
import { openTarget } from '../../files/target.ts';
import { sayWritten } from '../../output/deliver.ts';
import { createCollector, verdictOf } from '../../output/report/figures.ts';
import { originOf, sectionsOf, writePage } from '../../output/report/write-page.ts';
import type { ReviewSections } from '../../output/review/sections.ts';
import { openResults } from '../../runs/open-results.ts';
import type { ReviewRun } from './review-options.ts';

/** Writes the page to the file of -o, if that is one. @param path the kept review */
export async function writeReviewPage(
  path: string,
  review: ReviewSections,
  { options, context }: ReviewRun,
): Promise<void> {
  const { output, rowsFormat, typedWords } = options;
  if (output === undefined || rowsFormat !== 'html') return;
  const results = await openResults(path, { host: context, onDamage() {} });
  const { rules = [], labelColumn } = results.review?.header ?? {};
  const collector = createCollector({ rules, label: labelColumn, hasCards: true, sectionOf: sectionsOf(review) });
  const target = await openTarget({ output, forbidden: [path] }, context);
  try {
    for await (const row of results.rows) {
      context.signal().throwIfAborted();
      collector.add(row, verdictOf(row));
    }
    const origin = originOf(results.bareName, ['review', ...typedWords], context);
    await writePage(target, { ...collector.end(), origin, review }, context);
    await target.commit();
    sayWritten(output, context);
  } finally {
    results.close();
    await target.discard();
  }
}

/** The page of a review: its sections, and the rows of its kept file. */
import type { Context } from '../../context.ts';
import { openTarget } from '../../files/target.ts';
import { sayWritten } from '../../output/deliver.ts';
import { createCollector } from '../../output/report/figures/collect.ts';
import { writtenVerdict } from '../../output/report/figures/tally.ts';
import { originOf } from '../../output/report/origin.ts';
import { writeReport } from '../../output/report/report-output.ts';
import type { ReviewSections } from '../../output/review/sections.ts';
import { openResults } from '../../runs/open-results.ts';
import type { ReviewOptions } from './options.ts';

/** Writes the page to the file of -o, if that is one. @param path the kept review */
export async function writePage(
  path: string,
  review: ReviewSections,
  { options, context }: { readonly options: ReviewOptions; readonly context: Context },
): Promise<void> {
  const { output, rowsFormat, typedWords } = options;
  if (output === undefined || rowsFormat !== 'html') return;
  const results = await openResults(path, { host: context, onDamage() {} });
  const header = results.review?.header;
  const rules = header?.rules ?? [];
  const collector = createCollector({ rules, label: header?.labelColumn, hasCards: true, host: context });
  const target = await openTarget({ output, forbidden: [path] }, context);
  try {
    for await (const row of results.rows) {
      context.signal().throwIfAborted();
      collector.add(row, writtenVerdict(row));
    }
    const words = ['review', ...typedWords];
    const origin = originOf({ sources: [results.bareName], form: results.form, words }, context);
    await writeReport(target, { report: { ...collector.end(), origin, review }, context });
    await target.commit();
    sayWritten(output, context);
  } finally {
    results.close();
    collector.close();
    await target.discard();
  }
}

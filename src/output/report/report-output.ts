/** Writes a report. */
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import type { Row } from '../../row/row.ts';
import { excuseText } from '../../row/row-columns.ts';
import type { Verdict } from './figures/tally.ts';
import type { Report } from './report.ts';

/** The verdict of the rules on `row`. */
export const verdictOf = ({ matched = [], unjudged = [], excused = [] }: Row): Verdict => ({
  matched,
  unjudged,
  excused: excused.map((one) => ({ rule: one.rule, text: excuseText(one) })),
});

export async function writeReport(
  target: Target,
  { report, context }: { readonly report: Report; readonly context: Context },
): Promise<void> {
  const { pagePieces } = await import('./page/page.ts');
  for (const piece of pagePieces(report)) {
    context.signal().throwIfAborted();
    await target.write(piece);
  }
}

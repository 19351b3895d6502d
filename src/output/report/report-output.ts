/** A report of rows as they arrive, written after the last one. */
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import type { Row } from '../../row/row.ts';
import { excuseText } from '../../row/row-columns.ts';
import type { Rule } from '../../row/rules.ts';
import { resultOf } from '../../runs/result.ts';
import type { RowOutput } from '../rows/row-output.ts';
import { createCollector } from './figures/collect.ts';
import type { Verdict } from './figures/tally.ts';
import type { Origin, Report } from './report.ts';

/** What a report needs besides the rows. */
export interface ReportAbout {
  readonly origin: Origin;
  readonly rules: readonly Rule[];
  readonly label: string | undefined;
}

export function createReportOutput(
  target: Target,
  { about, context }: { readonly about: ReportAbout; readonly context: Context },
): RowOutput<Row> {
  const { origin, rules, label } = about;
  const collector = createCollector({ rules, label, hasCards: true, host: context });
  return {
    row(row) {
      const result = resultOf(row);
      collector.add(result, verdictOf(row));
      return undefined;
    },
    flush: () => undefined,
    async end() {
      await writeReport(target, { report: { ...collector.end(), origin }, context });
    },
    close: collector.close,
  };
}

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

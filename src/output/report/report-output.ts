/** A report of rows as they arrive, written after the last one. */
import type { ReportFormat } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import type { Row } from '../../row/row.ts';
import { excuseText } from '../../row/row-columns.ts';
import type { Rule } from '../../row/rules.ts';
import { resultOf } from '../../runs/result.ts';
import type { RowOutput } from '../rows/row-output.ts';
import { createCollector } from './figures/collect.ts';
import type { Verdict } from './figures/tally.ts';
import type { Baseline, Origin, Report } from './report.ts';

/** What a report needs besides the rows. */
export interface ReportAbout {
  readonly origin: Origin;
  readonly rules: readonly Rule[];
  readonly label: string | undefined;
  readonly baseline?: Baseline | undefined;
}

export function createReportOutput(
  target: Target,
  { format, about, context }: { readonly format: ReportFormat; readonly about: ReportAbout; readonly context: Context },
): RowOutput<Row> {
  const { origin, rules, label, baseline } = about;
  const hasCards = format === 'html';
  const collector = createCollector({ rules, label, hasCards, host: context });
  return {
    row(row) {
      const result = resultOf(row);
      collector.add(result, { ...verdictOf(row), ...baseline?.compare(result) });
      return undefined;
    },
    flush: () => undefined,
    async end() {
      const changes = await baseline?.changes();
      await writeReport(target, { report: { ...collector.end(), changes, origin }, format, context });
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
  { report, format, context }: { readonly report: Report; readonly format: ReportFormat; readonly context: Context },
): Promise<void> {
  for (const piece of await piecesOf(report, format)) {
    context.signal().throwIfAborted();
    await target.write(piece);
  }
}

/** Formats are loaded on demand: the page includes its script and charts. */
async function piecesOf(report: Report, format: ReportFormat): Promise<Iterable<string>> {
  if (format === 'html') return (await import('./page/page.ts')).pagePieces(report);
  return (await import('./markdown.ts')).markdownPieces(report);
}

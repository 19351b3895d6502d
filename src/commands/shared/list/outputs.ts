/** Which files a list writes, in which formats: rows, and reports of them. */
import { chooseFormat, chooseOutputs, type Output } from '../../../cli/choose-format.ts';
import {
  type AskedFormat,
  isReport,
  LIST_FORMATS,
  type ListFormat,
  REPORT_FORMATS,
  type ReportFormat,
} from '../../../cli/formats.ts';
import { UsageError } from '../../../errors.ts';
import type { WalletSource } from '../../../list-run/input.ts';
import type { FieldSelection } from '../../../row/fields.ts';

/** What may be asked for with --format, and by the name of a file. */
export const OUTPUT_FORMATS = [...LIST_FORMATS, ...REPORT_FORMATS] as const;
export type ListOutput = Output<ListFormat | ReportFormat>;

/**
 * A dry run writes no file, so the names of its files do not matter.
 * @throws UsageError for names and flags that make no sense together
 */
export function listOutputs(
  flags: AskedFormat & {
    readonly dryRun: boolean;
    readonly baseline: string | undefined;
    readonly label: string | undefined;
    readonly fields: FieldSelection;
  },
  source: WalletSource,
): readonly ListOutput[] {
  const { dryRun, baseline, label, fields } = flags;
  const outputs: readonly ListOutput[] = dryRun
    ? [{ path: '-', format: chooseFormat(flags, { choices: OUTPUT_FORMATS, ignoreName: true }) }]
    : chooseOutputs(flags, { choices: OUTPUT_FORMATS, list: source.kind !== 'one' });
  const reports = outputs.filter(({ format }) => isReport(format));
  const refuse = (message: string, hint: string) => new UsageError(message, { hint });
  for (const { path, format } of reports) {
    if (path === '-') throw refuse(`${format} goes into a file`, `add -o report.${format}`);
    if (source.kind === 'one') {
      throw refuse('a report is of a list, not of one wallet', 'give it as a list: echo 0x... | riskcli profile -');
    }
  }
  const [ofReports] = Object.entries({ '--baseline': baseline, '--label': label }).filter(([, typed]) => typed);
  if (ofReports && reports.length === 0 && !dryRun) {
    throw refuse(`${ofReports[0]} is for a report, and none is written`, 'add -o report.html, or -o report.md');
  }
  if (reports.length === outputs.length && (fields.fields || fields.allFields)) {
    throw refuse('--fields picks columns, and a report has none', 'leave it out, or add -o FILE.csv');
  }
  return outputs;
}

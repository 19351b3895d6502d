/** The flags of a list that tell monitoring systems what became of it. */
import type { Flag, ParsedArgs } from '../../../cli/flag.ts';

export const REPORT_FLAGS: readonly Flag[] = [
  {
    long: 'metrics',
    value: 'FILE.prom',
    help: 'at the end, however the list ends, write metrics for Prometheus',
    completes: 'file',
  },
  {
    long: 'summary',
    value: 'FILE.json',
    help: 'at the end, however the list ends, write what became of it as JSON',
    completes: 'file',
  },
];

/** Whether a report is to be written. A dry run is no run: what the last one has left stays. */
export function wantsReport(typed: ParsedArgs): boolean {
  return !typed.on('dry-run') && REPORT_FLAGS.some(({ long }) => typed.text(long) !== undefined);
}

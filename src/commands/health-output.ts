/**
 * The result of a health check in every format, on stdout or in a file. A file is written whatever the result: programs that
 * read it would take an older result for today's.
 */
import { RECORD_FORMATS } from '../cli/formats.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../errors.ts';
import { writeAll } from '../files/stream.ts';
import { type HealthReport, isSlow } from '../output/monitoring/health-report.ts';
import { NAGIOS_EXIT, nagiosLine, nagiosState } from '../output/monitoring/nagios.ts';
import { PROMETHEUS_MODE } from '../output/monitoring/prometheus.ts';
import type { FlatRecord } from '../output/record.ts';
import { renderRecords } from '../output/records.ts';
import { withholdApiKeys } from '../secrets/api-key.ts';
import { sayWritten } from './shared/say-written.ts';
import { terminalOf } from './shared/terminal.ts';

export const HEALTH_FORMATS = [...RECORD_FORMATS, 'nagios', 'prometheus'] as const;
export type HealthFormat = (typeof HEALTH_FORMATS)[number];

export interface HealthOutput {
  readonly format: HealthFormat;
  /** `-o` as typed. */
  readonly output: string | undefined;
  readonly header: boolean;
}

/**
 * Writes `report`. On standard output a failed check prints no table, since the error says it all; the other formats always
 * print a status.
 * @returns the exit code in the nagios format.
 */
export async function deliverHealth(
  report: HealthReport,
  { format, output = '-', header }: HealthOutput,
  context: Context,
): Promise<ExitCode | undefined> {
  const write = async (text: string, mode?: number) => {
    if (output === '-') return writeAll(context.stdout, text);
    const { writeTarget } = await import('../files/target.ts');
    await writeTarget(text, { output, mode, host: context });
    sayWritten(output, context);
  };
  if (format === 'nagios') {
    const line = nagiosLine(report);
    if (output !== '-') await write(line);
    // On standard output in every case: it is what the monitoring system reads.
    await writeAll(context.stdout, line);
    return NAGIOS_EXIT[nagiosState(report)];
  }
  if (format === 'prometheus') {
    const { healthMetrics } = await import('../output/monitoring/health-metrics.ts');
    await write(healthMetrics(report), PROMETHEUS_MODE);
  } else if (report.healthy || output !== '-' || format !== 'table') {
    // Nothing of it is coloured.
    const terminal = terminalOf({ color: 'never' }, context);
    await write(await renderRecords([recordOf(report, format)], { format, header, single: true, terminal }));
  }
  return undefined;
}

const milliseconds = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms));

/** A script finds the same columns every day; a table has those of the error only when there is one. */
function recordOf(report: HealthReport, format: (typeof RECORD_FORMATS)[number]): FlatRecord {
  const { error } = report;
  return {
    status: statusOf(report),
    timestamp: report.timestamp ?? null,
    clock_offset_ms: milliseconds(report.clockOffsetMs),
    latency_ms: milliseconds(report.latencyMs),
    base_url: report.baseUrl ?? null,
    ...((error || format !== 'table') && {
      error_code: error?.code ?? null,
      error: error ? withholdApiKeys(error.message) : null,
    }),
  };
}

function statusOf(report: HealthReport): 'ok' | 'slow' | 'down' | 'unknown' {
  if (report.healthy === undefined) return 'unknown';
  if (!report.healthy) return 'down';
  return isSlow(report) ? 'slow' : 'ok';
}

/** The result of a health check, and what json and the table say of it. */
import type { RiskcliError } from '../../errors.ts';
import { redactApiKeys } from '../../secrets/api-key.ts';
import type { FlatRecord } from '../records.ts';

export interface HealthReport {
  /** Undefined if it is unknown. */
  readonly baseUrl: string | undefined;
  /**
   * Whether the service answered 200 with a valid body; undefined if the check could not be made.
   */
  readonly healthy: boolean | undefined;
  /** The time in the service's answer, verbatim. */
  readonly timestamp?: string | undefined;
  /** Undefined if nothing answered. */
  readonly latencyMs?: number | undefined;
  /** The service's clock minus this machine's; undefined if unknown. */
  readonly clockOffsetMs?: number | undefined;
  /** Thresholds from the command line. */
  readonly warningMs?: number | undefined;
  readonly criticalMs?: number | undefined;
  /** Why it is not healthy, or that it is slow. */
  readonly error?: Pick<RiskcliError, 'code' | 'message' | 'hint'> | undefined;
}

export const isSlow = ({ latencyMs = 0, criticalMs = Infinity }: HealthReport) => latencyMs > criticalMs;

/**
 * The same members every day, for scripts; a table has the members of the error only when there is
 * an error.
 */
export function healthRecord(report: HealthReport, format: 'table' | 'json'): FlatRecord {
  const { error } = report;
  return {
    status: statusOf(report),
    timestamp: report.timestamp ?? null,
    clock_offset_ms: milliseconds(report.clockOffsetMs),
    latency_ms: milliseconds(report.latencyMs),
    base_url: report.baseUrl ?? null,
    ...((error || format === 'json') && {
      error_code: error?.code ?? null,
      error: error ? redactApiKeys(error.message) : null,
    }),
  };
}

function statusOf(report: HealthReport): 'ok' | 'slow' | 'down' | 'unknown' {
  if (report.healthy === undefined) return 'unknown';
  if (!report.healthy) return 'down';
  return isSlow(report) ? 'slow' : 'ok';
}

const milliseconds = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms));

/** The result of a health check, for all of its output formats. */

export interface HealthReport {
  /** Undefined if none is known. */
  readonly baseUrl: string | undefined;
  /** Whether the service answered 200 with a valid body; undefined if the check could not be made. */
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
  readonly maxSkewMs?: number | undefined;
  /** Why it is not healthy, or which threshold is exceeded. */
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string | undefined } | undefined;
}

export const isSlow = ({ latencyMs = 0, criticalMs = Infinity }: HealthReport) => latencyMs > criticalMs;
export const isSkewed = ({ clockOffsetMs = 0, maxSkewMs = Infinity }: HealthReport) =>
  Math.abs(clockOffsetMs) > maxSkewMs;

/** `1.5 s ahead of`: the service's clock compared with this machine's. */
export function skewWords(offsetMs: number): string {
  return `${Math.abs(offsetMs / 1000).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'}`;
}

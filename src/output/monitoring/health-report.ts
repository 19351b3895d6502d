/** What a health check found out, as every format of it needs it. */

export interface HealthReport {
  /** Undefined when none is known. */
  readonly baseUrl: string | undefined;
  /** Whether a 200 came whose body keeps the contract; undefined when the check could not be made. */
  readonly healthy: boolean | undefined;
  /** The service's time, as it spelled it. */
  readonly timestamp?: string | undefined;
  /** Undefined when nothing answered. */
  readonly latencyMs?: number | undefined;
  /** The service's clock minus ours; undefined when unknown. */
  readonly clockOffsetMs?: number | undefined;
  /** The thresholds that were typed. */
  readonly warningMs?: number | undefined;
  readonly criticalMs?: number | undefined;
  readonly maxSkewMs?: number | undefined;
  /** Why it is not healthy, or which threshold it is beyond. */
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string | undefined } | undefined;
}

export const isSlow = ({ latencyMs = 0, criticalMs = Infinity }: HealthReport) => latencyMs > criticalMs;
export const isSkewed = ({ clockOffsetMs = 0, maxSkewMs = Infinity }: HealthReport) =>
  Math.abs(clockOffsetMs) > maxSkewMs;

/** `1.5 s ahead of`: the clock of the service, as against ours. */
export function skewWords(offsetMs: number): string {
  return `${Math.abs(offsetMs / 1000).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'}`;
}

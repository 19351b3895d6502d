/** What a health check found out, as the monitoring formats need it. */
export interface HealthReport {
  readonly baseUrl: string;
  readonly healthy: boolean;
  /** Undefined when nothing answered. */
  readonly latencyMs?: number | undefined;
  /** The service's clock minus ours; undefined when unknown. */
  readonly clockOffsetMs?: number | undefined;
  readonly warningMs?: number | undefined;
  readonly criticalMs?: number | undefined;
  /** Why it is not healthy; not shown when it is. */
  readonly message: string;
}

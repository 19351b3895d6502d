/** A health check as a file for Prometheus. */
import type { HealthReport } from './health-report.ts';
import { expositionText, type Gauge, inSeconds } from './prometheus.ts';

export function healthMetrics(health: HealthReport): string {
  const gauge = (name: string, value: number | undefined, help: string): Gauge => ({
    name,
    help,
    samples: [{ labels: { base_url: health.baseUrl }, value }],
  });
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : inSeconds(ms));
  return expositionText([
    gauge('riskcli_up', health.healthy ? 1 : 0, 'Whether the service is healthy (1) or not (0).'),
    gauge('riskcli_latency_seconds', seconds(health.latencyMs), 'Time the health check took, connection included.'),
    gauge(
      'riskcli_clock_offset_seconds',
      seconds(health.clockOffsetMs),
      "The service's clock minus the clock of this machine.",
    ),
  ]);
}

/**
 * A health check as a file for node_exporter's textfile collector (Prometheus text exposition
 * format 0.0.4). A line that does not parse makes the collector reject the whole file. Values have
 * no timestamps: the collector rejects them.
 */
import type { HealthReport } from './health-report.ts';

/** Readable by the exporter's user, regardless of the writer's umask. */
export const PROMETHEUS_MODE = 0o644;

/**
 * The file for `health`; it ends in a newline. A latency that is not known is left out: 0 would be
 * a measurement.
 */
export function prometheusText({ baseUrl, healthy, latencyMs }: HealthReport): string {
  const labels = baseUrl === undefined ? '' : `{base_url="${escapeLabel(baseUrl)}"}`;
  const gauge = (name: string, value: number, help: string) =>
    `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}${labels} ${value}\n`;
  const up = gauge('riskcli_up', healthy ? 1 : 0, 'Whether the service is healthy (1) or not (0).');
  if (latencyMs === undefined) return up;
  const seconds = Number((latencyMs / 1000).toFixed(6));
  return up + gauge('riskcli_latency_seconds', seconds, 'Time the health check took, connection included.');
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/**
 * A whole file for node_exporter's textfile collector (Prometheus text exposition format 0.0.4). One line that does not
 * parse would lose the file, and a value that is not known is left out: a 0 would be a measurement.
 */
import type { HealthReport } from './health-report.ts';

interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number | undefined;
}

const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : Number((ms / 1000).toFixed(6)));

/** The file for `health`; it ends in a newline, and carries no timestamps (the collector refuses them). */
export function prometheusText(health: HealthReport): string {
  const gauges: readonly Gauge[] = [
    { name: 'riskcli_up', help: 'Whether the service is healthy (1) or not (0).', value: health.healthy ? 1 : 0 },
    {
      name: 'riskcli_latency_seconds',
      help: 'Time the health check took, connection included.',
      value: inSeconds(health.latencyMs),
    },
    {
      name: 'riskcli_clock_offset_seconds',
      help: "The service's clock minus the clock of this machine.",
      value: inSeconds(health.clockOffsetMs),
    },
  ];
  const label = health.baseUrl === undefined ? '' : `{base_url="${escapeLabel(health.baseUrl)}"}`;
  return gauges
    .filter(({ value }) => value !== undefined)
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}${label} ${value}\n`)
    .join('');
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

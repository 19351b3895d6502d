/**
 * Files for node_exporter's textfile collector (Prometheus text exposition format 0.0.4). A line that does not parse makes the
 * collector reject the whole file, so all files are written by this module. Values have no timestamps: the collector rejects them.
 */

/** Readable by the exporter's user, regardless of the writer's umask. */
export const PROMETHEUS_MODE = 0o644;

export type Labels = Readonly<Record<string, string | undefined>>;

export interface Gauge {
  /** Ends with its unit: `riskcli_latency_seconds`. */
  readonly name: string;
  /** One line without backslashes. */
  readonly help: string;
  /** Unknown values are left out, and so is a gauge without values: 0 would be a measurement. */
  readonly samples: readonly { readonly labels: Labels; readonly value: number | undefined }[];
}

/** The file for `gauges`; it ends in a newline. */
export function expositionText(gauges: readonly Gauge[]): string {
  return gauges.map(gaugeText).join('');
}

function gaugeText({ name, help, samples }: Gauge): string {
  const lines = samples
    .filter(({ value }) => value !== undefined)
    .map(({ labels, value }) => `${seriesText(name, labels)} ${value}\n`);
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

/** `name{label="value"}`, without undefined labels. */
function seriesText(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).flatMap(([label, value]) =>
    value === undefined ? [] : [`${label}="${escapeLabel(value)}"`],
  );
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Milliseconds as seconds, to the microsecond. */
export const inSeconds = (ms: number) => Number((ms / 1000).toFixed(6));

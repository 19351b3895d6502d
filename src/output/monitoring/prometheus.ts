/**
 * Files for node_exporter's textfile collector (Prometheus text exposition format 0.0.4). One line that does not parse
 * would lose the whole file, so everything that is measured is spelled here. The files carry no timestamps beside their
 * values: the collector refuses them.
 */

/** Readable by the exporter's user, whatever the umask of the job that writes the file. */
export const PROMETHEUS_MODE = 0o644;

export type Labels = Readonly<Record<string, string | undefined>>;

export interface Gauge {
  /** With its unit at the end: `riskcli_latency_seconds`. */
  readonly name: string;
  /** One line without backslashes. */
  readonly help: string;
  /** A value that is not known is left out, and so is a gauge without values: a 0 would be a measurement. */
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

/** `name{label="value"}`, without the labels that are undefined. */
export function seriesText(name: string, labels: Labels): string {
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

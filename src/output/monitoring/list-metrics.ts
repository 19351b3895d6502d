/** A run of a list as a file for Prometheus (`--metrics`). */
import { visibleName } from '../../secrets/withhold.ts';
import { isComplete, isSuccess, type ListReport } from './list-report.ts';
import { expositionText, type Gauge, inSeconds, type Labels, seriesText } from './prometheus.ts';

export interface MetricsOptions {
  /** The name of the list's file, which distinguishes it from other lists that the same collector reads. */
  readonly list: string;
  /** Contents of the file written by an earlier run; empty if there is none. */
  readonly previous: string;
}

/** The file for `report`. Times of the last success and completion are kept from `previous` if this run has none. */
export function listMetrics(report: ListReport, { list, previous }: MetricsOptions): string {
  const labels: Labels = { environment: report.environment, list: visibleName(list) };
  const gauge = (name: string, value: number | undefined, help: string): Gauge => ({
    name: `riskcli_list_${name}`,
    help,
    samples: [{ labels, value }],
  });
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : inSeconds(ms));
  const lastTime = (name: string, isNow: boolean, help: string) =>
    gauge(name, isNow ? inSeconds(report.endedAt) : earlier(previous, name, labels, report), help);
  return expositionText([
    gauge('last_run_timestamp_seconds', inSeconds(report.endedAt), 'When the last run ended.'),
    lastTime(
      'last_success_timestamp_seconds',
      isSuccess(report),
      'When a run last ended with exit code 0; 0 if none has.',
    ),
    lastTime(
      'last_complete_timestamp_seconds',
      isComplete(report),
      'When a run last went through its whole list (exit code 0, 3 or 10); 0 if none has.',
    ),
    gauge('last_run_exit_code', report.exitCode, 'Exit code of the last run.'),
    gauge('last_run_duration_seconds', inSeconds(report.durationMs), 'How long the last run took.'),
    rowsGauge(report, labels),
    ruleGauge(report, labels, 'rows'),
    ruleGauge(report, labels, 'unjudged'),
    gauge('requests', report.requests, 'Requests that the last run sent, retries included.'),
    gauge('rate_limited_requests', report.refusals, 'Requests of the last run that were answered with 429.'),
    gauge('monthly_requests_left', report.monthlyLeft, 'What is left of the setting monthly-requests this UTC month.'),
    gauge('key_age_seconds', seconds(report.keyAgeMs), 'How long ago the API key was stored.'),
  ]);
}

function rowsGauge({ rows = {} }: { readonly rows?: Readonly<Record<string, number>> }, labels: Labels): Gauge {
  return {
    name: 'riskcli_list_rows',
    help: 'Rows of the last run by status; pending ones were not reached.',
    samples: Object.entries(rows).map(([status, value]) => ({ labels: { ...labels, status }, value })),
  };
}

/** Rules whose names are equal after secrets are withheld share a series: a duplicate series would make the file invalid. */
function ruleGauge({ matched = [] }: ListReport, labels: Labels, count: 'rows' | 'unjudged'): Gauge {
  const byRule = new Map<string, number>();
  for (const { rule, [count]: rows } of matched) {
    const shown = visibleName(rule);
    byRule.set(shown, (byRule.get(shown) ?? 0) + rows);
  }
  return {
    name: `riskcli_list_${count === 'rows' ? 'matched' : 'unjudged'}_rows`,
    help: `Rows of the last run that a rule or --fail-if ${count === 'rows' ? 'matched' : 'could not be judged for'}.`,
    samples: [...byRule].map(([rule, value]) => ({ labels: { ...labels, rule }, value })),
  };
}

/** The timestamp when none is known: 0, so that an alert on age fires. */
const NEVER = 0;

/**
 * The value of this series in `previous`, if an earlier run can have written it. A time in the future is ignored, because it would
 * silence an alert.
 */
function earlier(previous: string, name: string, labels: Labels, report: ListReport): number {
  const start = `${seriesText(`riskcli_list_${name}`, labels)} `;
  const values = previous.split('\n').filter((line) => line.startsWith(start));
  const [text = '', ...more] = values.map((line) => line.slice(start.length));
  if (more.length > 0 || !/^\d{1,11}(\.\d{1,6})?$/.test(text)) return NEVER;
  const value = Number(text);
  return value <= inSeconds(report.endedAt) ? value : NEVER;
}

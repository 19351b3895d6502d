/**
 * The one line of a monitoring plugin (Monitoring Plugins Development Guidelines): a state, a text and performance data
 * behind a `|`. A plugin that cannot check says UNKNOWN in the same form.
 */
import { ExitCode } from '../errors.ts';
import { visible } from './escape.ts';
import type { HealthReport } from './health-report.ts';

export type NagiosState = 'OK' | 'WARNING' | 'CRITICAL' | 'UNKNOWN';

/** What Nagios and Icinga read; in this format these mean nothing else. */
export const NAGIOS_EXIT: Readonly<Record<NagiosState, ExitCode>> = {
  OK: ExitCode.ok,
  WARNING: ExitCode.fault,
  CRITICAL: ExitCode.usage,
  UNKNOWN: ExitCode.rows,
};

/** The state that `health` is in: a latency alerts when it is above its threshold, as the range `3` does. */
export function nagiosState(health: HealthReport): NagiosState {
  const { latencyMs = 0, warningMs = Infinity, criticalMs = Infinity } = health;
  if (!health.healthy || latencyMs > criticalMs) return 'CRITICAL';
  return latencyMs > warningMs ? 'WARNING' : 'OK';
}

/** Plain decimal seconds: scientific notation is not allowed in performance data. */
const seconds = (ms: number) => String(Number((ms / 1000).toFixed(3)));
const threshold = (ms: number | undefined) => (ms === undefined ? '' : seconds(ms));

/** The line for `health`, with its newline. */
export function nagiosLine(health: HealthReport): string {
  const state = nagiosState(health);
  const { latencyMs } = health;
  if (latencyMs === undefined) return line(state, health.message);
  const text = health.healthy ? latencyText(health, state) : health.message;
  const range = `${threshold(health.warningMs)};${threshold(health.criticalMs)}`;
  return line(state, text, `time=${seconds(latencyMs)}s;${range};0`);
}

function latencyText({ latencyMs = 0, warningMs, criticalMs }: HealthReport, state: NagiosState): string {
  const crossed = state === 'CRITICAL' ? criticalMs : state === 'WARNING' ? warningMs : undefined;
  return `${Math.round(latencyMs)} ms${crossed === undefined ? '' : `, slower than ${Math.round(crossed)} ms`}`;
}

/** The line of a check that could not be made: wrong options, a setting that cannot be read. */
export function nagiosUnknown(message: string): string {
  return line('UNKNOWN', message);
}

function line(state: NagiosState, text: string, perfdata?: string): string {
  // A `|` would begin performance data and cannot be escaped.
  const safe = visible(text).replaceAll('|', '/');
  return `RISKCLI ${state} - ${safe}${perfdata === undefined ? '' : ` | ${perfdata}`}\n`;
}

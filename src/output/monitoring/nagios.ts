/**
 * The output line of a monitoring plugin (Monitoring Plugins Development Guidelines): a state, a text, and performance data after
 * a `|`. A plugin that cannot check reports UNKNOWN in the same form.
 */
import { ExitCode } from '../../errors.ts';
import { withholdApiKeys } from '../../secrets/api-key.ts';
import { visible } from '../../text/escape.ts';
import { type HealthReport, isSkewed, isSlow, skewWords } from './health-report.ts';

export type NagiosState = 'OK' | 'WARNING' | 'CRITICAL' | 'UNKNOWN';

/** The exit codes that Nagios and Icinga expect; they replace the usual ones in this format. */
export const NAGIOS_EXIT: Readonly<Record<NagiosState, ExitCode>> = {
  OK: ExitCode.ok,
  WARNING: ExitCode.fault,
  CRITICAL: ExitCode.usage,
  UNKNOWN: ExitCode.rows,
};

/** The state of `health`: a latency alerts if it is above its threshold, like the plugin range `3`. */
export function nagiosState(health: HealthReport): NagiosState {
  if (health.healthy === undefined) return 'UNKNOWN';
  if (!health.healthy || isSlow(health) || isSkewed(health)) return 'CRITICAL';
  const { latencyMs = 0, warningMs = Infinity } = health;
  return latencyMs > warningMs ? 'WARNING' : 'OK';
}

/** Plain decimal seconds: scientific notation is not allowed in performance data. */
const seconds = (ms: number) => String(Number((ms / 1000).toFixed(3)));
const threshold = (ms: number | undefined) => (ms === undefined ? '' : seconds(ms));

/** The line for `health`, with its newline. */
export function nagiosLine(health: HealthReport): string {
  const state = nagiosState(health);
  const { error } = health;
  if (state === 'UNKNOWN') return line(state, [error?.message, error?.hint].filter(Boolean).join('; '));
  const text = health.healthy ? healthyText(health, state) : (error?.message ?? '');
  return line(state, text, performanceData(health));
}

function healthyText(health: HealthReport, state: NagiosState): string {
  const { latencyMs = 0, clockOffsetMs = 0, warningMs = 0, criticalMs = 0 } = health;
  const words = [`${Math.round(latencyMs)} ms`];
  if (state === 'WARNING') words.push(`slower than ${Math.round(warningMs)} ms`);
  if (isSlow(health)) words.push(`slower than ${Math.round(criticalMs)} ms`);
  if (isSkewed(health)) words.push(`its clock is ${skewWords(clockOffsetMs)} ours`);
  return words.join(', ');
}

/** Latency, and the clock offset if it has a threshold; empty if the service did not answer. */
function performanceData(health: HealthReport): string {
  const { latencyMs, clockOffsetMs, warningMs, criticalMs, maxSkewMs } = health;
  const data: string[] = [];
  if (latencyMs !== undefined)
    data.push(`time=${seconds(latencyMs)}s;${threshold(warningMs)};${threshold(criticalMs)};0`);
  if (clockOffsetMs !== undefined && maxSkewMs !== undefined) {
    data.push(`offset=${seconds(clockOffsetMs)}s;;-${seconds(maxSkewMs)}:${seconds(maxSkewMs)}`);
  }
  return data.join(' ');
}

function line(state: NagiosState, text: string, perfdata = ''): string {
  // A `|` would start performance data and cannot be escaped.
  const safe = withholdApiKeys(visible(text)).replaceAll('|', '/');
  return `RISKCLI ${state} - ${safe}${perfdata && ` | ${perfdata}`}\n`;
}

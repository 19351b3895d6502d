/**
 * The output line of a monitoring plugin (Monitoring Plugins Development Guidelines): a state, a
 * text, and performance data after a `|`. A plugin that cannot check reports UNKNOWN in the same
 * form.
 */
import { RiskcliError } from '../../errors.ts';
import { redactApiKeys } from '../../secrets/api-key.ts';
import { visible } from '../../text/escape.ts';
import { type HealthReport, isSlow } from './health-report.ts';

/**
 * The states, with the exit codes that Nagios and Icinga expect; they replace the usual ones in
 * this format.
 */
export const NAGIOS_EXIT = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 } as const;
type NagiosState = keyof typeof NAGIOS_EXIT;

/**
 * The state of `health`: a latency alerts if it is above its threshold, like the plugin range `3`.
 */
export function nagiosState(health: HealthReport): NagiosState {
  if (health.healthy === undefined) return 'UNKNOWN';
  if (!health.healthy || isSlow(health)) return 'CRITICAL';
  const { latencyMs = 0, warningMs = Infinity } = health;
  return latencyMs > warningMs ? 'WARNING' : 'OK';
}

/** Plain decimal seconds: scientific notation is not allowed in performance data. */
const decimalSeconds = (ms: number) => String(Number((ms / 1000).toFixed(3)));
const threshold = (ms: number | undefined) => (ms === undefined ? '' : decimalSeconds(ms));

/** The line for `health`, with its newline. */
export function nagiosLine(health: HealthReport): string {
  const state = nagiosState(health);
  const { healthy, error, latencyMs, warningMs, criticalMs } = health;
  if (state === 'UNKNOWN') return line(state, wordsOf(error));
  const limit = state === 'CRITICAL' ? criticalMs : warningMs;
  const slower = state === 'OK' ? '' : `, slower than ${Math.round(limit ?? 0)} ms`;
  const text = healthy ? `${Math.round(latencyMs ?? 0)} ms${slower}` : (error?.message ?? '');
  // Empty if the service did not answer.
  const time =
    latencyMs === undefined
      ? ''
      : `time=${decimalSeconds(latencyMs)}s;${threshold(warningMs)};${threshold(criticalMs)};0`;
  return line(state, text, time);
}

/** The line for a check that could not even begin. */
export function unknownLine(error: unknown): string {
  return line('UNKNOWN', error instanceof RiskcliError ? wordsOf(error) : 'internal error in riskcli');
}

const wordsOf = (error: HealthReport['error']) => [error?.message, error?.hint].filter(Boolean).join('; ');

function line(state: NagiosState, text: string, perfdata = ''): string {
  // A `|` would start performance data and cannot be escaped.
  const safe = redactApiKeys(visible(text)).replaceAll('|', '/');
  return `RISKCLI ${state} - ${safe}${perfdata && ` | ${perfdata}`}\n`;
}

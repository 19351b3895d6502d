/** How a list and a check of health may have ended. */
import type { HealthReport } from '../../../../src/output/monitoring/health-report.ts';
import type { ListReport } from '../../../../src/output/monitoring/list-report.ts';

export const AT = Date.UTC(2026, 10, 21, 2, 15);
export const DONE: ListReport = {
  environment: 'prod',
  baseUrl: 'https://api.example.com',
  startedAt: AT - 61_500,
  endedAt: AT,
  durationMs: 61_500,
  exitCode: 0,
  errorCode: undefined,
  rows: { scored: 7, no_score: 1, invalid: 0, failed: 0, pending: 0 },
  matched: [
    { rule: 'low', rows: 2, unjudged: 1 },
    { rule: '_meta.warning exists', rows: 0, unjudged: 0 },
  ],
  requests: 9,
  refusals: 1,
  monthlyLeft: 991,
  keyAgeMs: 86_400_000,
};
export const FAILED: ListReport = { ...DONE, endedAt: AT + 86_400_000, exitCode: 5, errorCode: 'refused' };
/** It ended before there was anything to count. */
export const UNREAD: ListReport = {
  environment: undefined,
  baseUrl: undefined,
  startedAt: AT,
  endedAt: AT,
  durationMs: 0,
  exitCode: 2,
  errorCode: 'usage',
  monthlyLeft: undefined,
  keyAgeMs: undefined,
};

export const HEALTHY: HealthReport = {
  baseUrl: 'https://api.example.com',
  healthy: true,
  latencyMs: 123.4,
  clockOffsetMs: -1500,
};
export const DOWN: HealthReport = {
  baseUrl: 'http://127.0.0.1:9',
  healthy: false,
  error: { code: 'refused', message: 'connection refused' },
};
export const UNMADE: HealthReport = {
  baseUrl: undefined,
  healthy: undefined,
  error: { code: 'usage', message: 'there is no option "--x|y"', hint: 'see riskcli --help' },
};

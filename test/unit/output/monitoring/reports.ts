/** How a check of health may have ended. */
import type { HealthReport } from '../../../../src/output/monitoring/health-report.ts';

export const HEALTHY: HealthReport = {
  baseUrl: 'https://api.example.com',
  healthy: true,
  latencyMs: 123.4,
  clockOffsetMs: -1500,
};
export const DOWN: HealthReport = {
  baseUrl: 'http://127.0.0.1:9',
  healthy: false,
  error: { code: 'refused', message: 'connection refused', hint: undefined },
};
export const UNMADE: HealthReport = {
  baseUrl: undefined,
  healthy: undefined,
  error: { code: 'usage', message: 'there is no option "--x|y"', hint: 'see riskcli --help' },
};

import { expect, it } from 'vitest';
import type { HealthReport } from '../../../../src/output/monitoring/health-report.ts';
import { NAGIOS_EXIT, nagiosLine, nagiosState } from '../../../../src/output/monitoring/nagios.ts';
import { prometheusText } from '../../../../src/output/monitoring/prometheus.ts';

/** How a check of health may have ended. */
const HEALTHY: HealthReport = {
  baseUrl: 'https://api.example.com',
  healthy: true,
  latencyMs: 123.4,
  clockOffsetMs: -1500,
};
const DOWN: HealthReport = {
  baseUrl: 'http://127.0.0.1:9',
  healthy: false,
  error: { code: 'refused', message: 'connection refused', hint: undefined },
};
const UNMADE: HealthReport = {
  baseUrl: undefined,
  healthy: undefined,
  error: { code: 'usage', message: 'there is no option "--x|y"', hint: 'see riskcli --help' },
};

it.each([
  [HEALTHY, 'RISKCLI OK - 123 ms | time=0.123s;;;0\n', 0],
  [{ ...HEALTHY, warningMs: 1000, criticalMs: 3000 }, 'RISKCLI OK - 123 ms | time=0.123s;1;3;0\n', 0],
  [
    { ...HEALTHY, warningMs: 100, criticalMs: 3000 },
    'RISKCLI WARNING - 123 ms, slower than 100 ms | time=0.123s;0.1;3;0\n',
    1,
  ],
  [{ ...HEALTHY, criticalMs: 50 }, 'RISKCLI CRITICAL - 123 ms, slower than 50 ms | time=0.123s;;0.05;0\n', 2],
  [{ ...HEALTHY, latencyMs: 50, criticalMs: 50 }, 'RISKCLI OK - 50 ms | time=0.05s;;0.05;0\n', 0],
  [{ ...HEALTHY, latencyMs: 1e-7 }, 'RISKCLI OK - 0 ms | time=0s;;;0\n', 0],
  [DOWN, 'RISKCLI CRITICAL - connection refused\n', 2],
  [UNMADE, 'RISKCLI UNKNOWN - there is no option "--x/y"; see riskcli --help\n', 3],
  [{ ...DOWN, latencyMs: 20 }, 'RISKCLI CRITICAL - connection refused | time=0.02s;;;0\n', 2],
])('writes the nagios line and exit code of a health check: %#', (health, line, exitCode) => {
  expect(nagiosLine(health)).toBe(line);
  expect(NAGIOS_EXIT[nagiosState(health)]).toBe(exitCode);
});

it('keeps foreign text on one line of nagios and out of the performance data', () => {
  const line = nagiosLine({
    ...DOWN,
    error: { code: 'unhealthy', hint: undefined, message: 'bad | x=1\nsecond\r\u001b[2J\u0085\u2028' },
  });
  expect(line).toBe('RISKCLI CRITICAL - bad / x=1\\nsecond\\r\\u001b[2J\\u0085\\u2028\n');
});

it('writes only known gauges', () => {
  const values = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'));
  expect(values(prometheusText(HEALTHY))).toEqual([
    'riskcli_up{base_url="https://api.example.com"} 1',
    'riskcli_latency_seconds{base_url="https://api.example.com"} 0.1234',
  ]);
  expect(values(prometheusText(DOWN))).toEqual(['riskcli_up{base_url="http://127.0.0.1:9"} 0']);
  expect(values(prometheusText(UNMADE))).toEqual(['riskcli_up 0']);
});

it('escapes the label of a gauge', () => {
  expect(prometheusText({ ...DOWN, baseUrl: 'a"b\\c\nd' })).toContain('riskcli_up{base_url="a\\"b\\\\c\\nd"} 0\n');
});

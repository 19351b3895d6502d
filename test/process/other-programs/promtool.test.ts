/** Metrics, judged by Prometheus's own program. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { healthMetrics } from '../../../src/output/monitoring/health-metrics.ts';
import { listMetrics } from '../../../src/output/monitoring/list-metrics.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { DONE, DOWN, FAILED, HEALTHY, UNMADE, UNREAD } from '../../unit/output/monitoring/reports.ts';

/** How `promtool check metrics` ends for `texts`, and all that it tells of them. */
function promtool(texts: readonly string[]) {
  const input = texts.map((text, i) => text.replaceAll('riskcli_', `riskcli_${'x'.repeat(i + 1)}_`)).join('');
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  return { status, told: stdout + stderr };
}

it.skipIf(!installed('promtool'))(
  'the metrics of lists and of health are accepted by promtool, whatever is known',
  () => {
    const oddList = {
      ...FAILED,
      environment: 'a"b\\c',
      matched: [{ rule: 'x == "\n\u202e"', rows: 1, unjudged: 0 }],
      durationMs: 1e-7,
    };
    const oddHealth = { ...HEALTHY, baseUrl: 'a"b\\c\nd', latencyMs: 0.0001 };
    const ofLists = [DONE, UNREAD, oddList].map((report) => listMetrics(report, { list: 'nightly', previous: '' }));
    const ofHealth = [HEALTHY, DOWN, UNMADE, oddHealth].map(healthMetrics);
    expect(promtool([...ofLists, ...ofHealth])).toEqual({ status: 0, told: '' });
  },
);

import { describe, expect, it } from 'vitest';
import { listMetrics } from '../../../../src/output/monitoring/list-metrics.ts';
import type { ListReport } from '../../../../src/output/monitoring/list-report.ts';
import { listSummary } from '../../../../src/output/monitoring/list-summary.ts';
import { AT, DONE, FAILED, UNREAD } from './reports.ts';

const metrics = (report: ListReport, previous = '') => listMetrics(report, { list: 'nightly', previous });
const values = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'));
const lastSuccess = (text: string) =>
  values(text)
    .find((line) => line.startsWith('riskcli_list_last_success_timestamp_seconds'))
    ?.split(' ')
    .at(-1);

describe('the metrics of a list', () => {
  it('has everything that is known, for one environment and one list', () => {
    const series = (name: string, value: number, more = '') =>
      `riskcli_list_${name}{environment="prod",list="nightly"${more}} ${value}`;
    expect(values(metrics(DONE))).toEqual([
      series('last_run_timestamp_seconds', AT / 1000),
      series('last_success_timestamp_seconds', AT / 1000),
      series('last_complete_timestamp_seconds', AT / 1000),
      series('last_run_exit_code', 0),
      series('last_run_duration_seconds', 61.5),
      series('rows', 7, ',status="scored"'),
      series('rows', 1, ',status="no_score"'),
      series('rows', 0, ',status="invalid"'),
      series('rows', 0, ',status="failed"'),
      series('rows', 0, ',status="pending"'),
      series('matched_rows', 2, ',rule="low"'),
      series('matched_rows', 0, ',rule="_meta.warning exists"'),
      series('unjudged_rows', 1, ',rule="low"'),
      series('unjudged_rows', 0, ',rule="_meta.warning exists"'),
      series('requests', 9),
      series('rate_limited_requests', 1),
      series('monthly_requests_left', 991),
      series('key_age_seconds', 86_400),
    ]);
  });

  it('leaves out unknown values, and has 0 as the last success, so that alerts fire', () => {
    expect(values(metrics(UNREAD))).toEqual([
      `riskcli_list_last_run_timestamp_seconds{list="nightly"} ${AT / 1000}`,
      'riskcli_list_last_success_timestamp_seconds{list="nightly"} 0',
      'riskcli_list_last_complete_timestamp_seconds{list="nightly"} 0',
      'riskcli_list_last_run_exit_code{list="nightly"} 2',
      'riskcli_list_last_run_duration_seconds{list="nightly"} 0',
    ]);
  });

  it('keeps the last success while runs fail', () => {
    const first = metrics(FAILED, metrics(DONE));
    expect(lastSuccess(first)).toBe(String(AT / 1000));
    expect(lastSuccess(metrics(FAILED, first))).toBe(String(AT / 1000));
  });

  it.each([
    [0, true],
    [2, false],
    [3, true],
    [5, false],
    [7, false],
    [10, true],
    [130, false],
  ] as const)('takes a run with exit code %i for complete: %s', (exitCode, isComplete) => {
    const report = { ...FAILED, exitCode };
    const now = isComplete ? (AT + 86_400_000) / 1000 : AT / 1000;
    expect(metrics(report, metrics(DONE))).toContain(
      `riskcli_list_last_complete_timestamp_seconds{environment="prod",list="nightly"} ${now}\n`,
    );
    expect(JSON.parse(listSummary(report, listSummary(DONE, ''))).last_complete_at).toBe(
      new Date(now * 1000).toISOString(),
    );
  });

  const line = (value: string, environment = 'prod') =>
    `riskcli_list_last_success_timestamp_seconds{environment="${environment}",list="nightly"} ${value}\n`;

  it.each([
    ['nothing', ''],
    ['of another environment', line(String(AT / 1000), 'staging')],
    ['a time to come', line('99999999999')],
    ['no number', line('NaN')],
    ['a number and a timestamp', line(`${AT / 1000} ${AT}`)],
    ['a negative number', line('-1')],
    ['in exponents', line('1e9')],
    ['twice', line('5') + line('6')],
    ['in a comment', `# ${line('5')}`],
  ])('does not believe a last success that is %s', (_, previous) => {
    expect(lastSuccess(metrics(FAILED, previous))).toBe('0');
  });

  it('escapes labels, withholds possible keys, and has no duplicate series', () => {
    const rule = 'a == "x\\y\nz"';
    const secret = '0123456789abcdef'.repeat(4);
    const matched = [
      { rule, rows: 1, unjudged: 0 },
      { rule: `hash == ${secret}`, rows: 2, unjudged: 0 },
      { rule: `hash == ${secret.replaceAll('0', 'f')}`, rows: 3, unjudged: 0 },
    ];
    const text = metrics({ ...DONE, environment: 'a"b', matched });
    expect(text).not.toContain('9abcdef');
    const found = values(text).filter((line) => line.startsWith('riskcli_list_matched_rows'));
    expect(found).toHaveLength(2);
    expect(found[0]).toBe(
      'riskcli_list_matched_rows{environment="a\\"b",list="nightly",rule="a == \\"x\\\\y\\\\nz\\""} 1',
    );
    expect(found[1]).toMatch(/ 5$/);
  });
});

describe('the summary of a list', () => {
  const summary = (report: ListReport, previous = '') => JSON.parse(listSummary(report, previous));

  it('has the same figures, with times in ISO 8601', () => {
    expect(summary(DONE)).toEqual({
      exit_code: 0,
      error_code: null,
      environment: 'prod',
      base_url: 'https://api.example.com',
      started_at: '2026-11-21T02:13:58.500Z',
      ended_at: '2026-11-21T02:15:00.000Z',
      last_success_at: '2026-11-21T02:15:00.000Z',
      last_complete_at: '2026-11-21T02:15:00.000Z',
      duration_seconds: 61.5,
      rows: { scored: 7, no_score: 1, invalid: 0, failed: 0, pending: 0 },
      matched: [
        { rule: 'low', rows: 2, unjudged: 1 },
        { rule: '_meta.warning exists', rows: 0, unjudged: 0 },
      ],
      unseen_values: null,
      requests: 9,
      rate_limited_requests: 1,
      monthly_requests_left: 991,
      key_age_seconds: 86_400,
    });
  });

  it('always has every name, with null for unknown values', () => {
    expect(Object.keys(summary(UNREAD))).toEqual(Object.keys(summary(DONE)));
    expect(summary(UNREAD)).toMatchObject({ environment: null, rows: null, matched: null, last_success_at: null });
  });

  it('keeps the last success of its environment while runs fail', () => {
    const first = listSummary(FAILED, listSummary(DONE, ''));
    expect(summary(FAILED, first).last_success_at).toBe('2026-11-21T02:15:00.000Z');
    expect(summary({ ...FAILED, environment: 'staging' }, first).last_success_at).toBeNull();
  });

  it.each(['', '[]', 'null', '{', '"x"', '2', ...['2999-01-01T00:00:00.000Z', '2026-99-99T00:00:00.000Z', 'now', 5]])(
    'does not believe %j',
    (at) => {
      const previous = JSON.stringify({ environment: 'prod', last_success_at: at });
      expect(summary(FAILED, previous).last_success_at).toBeNull();
      expect(summary(FAILED, String(at)).last_success_at).toBeNull();
    },
  );

  it('withholds what may be a key', () => {
    const matched = [{ rule: `hash == ${'ab'.repeat(32)}`, rows: 1, unjudged: 0 }];
    expect(listSummary({ ...DONE, matched }, '')).not.toContain('abab');
  });
});

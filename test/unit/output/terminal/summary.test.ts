import { expect, it } from 'vitest';
import { renderSummary } from '../../../../src/output/terminal/summary.ts';
import { displayWidth } from '../../../../src/text/width.ts';

const SUMMARY = {
  counts: { scored: 49_812, no_score: 120, invalid: 60, failed: 8, pending: 0 },
  requests: 49_990,
  refusals: 12,
  elapsedMs: 192_000,
  incomplete: 0,
};

it('counts rows by status, requests, refusals and time', () => {
  expect(renderSummary(SUMMARY, { width: 80 })).toBe(
    'rows 50,000: scored 49,812, no_score 120, invalid 60, failed 8\n' +
      'requests 49,990 in 3m 12s, refused by the rate limit 12\n',
  );
  const one = { ...SUMMARY, counts: { ...SUMMARY.counts, scored: 1, no_score: 0, invalid: 0, failed: 0 } };
  expect(renderSummary({ ...one, requests: 1, refusals: 0, elapsedMs: 450 }, { width: 80 })).toBe(
    'rows 1: scored 1\nrequests 1 in 450ms\n',
  );
});

it('counts finished rows of a stopped list, and incomplete answers', () => {
  const counts = { scored: 1_500, no_score: 0, invalid: 19, failed: 0, pending: 128 };
  const [rows, incomplete] = renderSummary({ ...SUMMARY, counts, total: 3_000, incomplete: 130 }, { width: 80 }).split(
    '\n',
  );
  expect(rows).toBe('rows 1,519 of 3,000: scored 1,500, invalid 19, pending 1,481');
  expect(incomplete).toBe('incomplete 130: see warning');
});

it.each([20, 80])('fits a summary into %d columns', (width) => {
  const lines = renderSummary(SUMMARY, { width }).split('\n');
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
});

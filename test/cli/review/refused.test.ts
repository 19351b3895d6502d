/** What is refused before anything is paid for. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stage } from '../../fixtures/cli/review-weeks.ts';

it.each([
  [['--since', '2027-01-01'], 2, '--since is not an earlier day'],
  [['--since', '2026-10-05'], 2, '--since is not an earlier day'],
  [['--since', '7'], 2, "--since has no unit: '7'; write 7d for days, or 7w for weeks"],
  [['--since', '23h'], 2, '--since is less than a day'],
  [['--since', 'soon'], 2, '--since is neither a duration nor a date'],
  [['--as-of', '2027-01-01'], 2, '--as-of is in the future'],
  [['--keep', 'FILE'], 2, 'is not a folder'],
  [['--keep', 'FILE/below'], 2, 'is not a folder'],
  [['-o', 'rows.txt'], 2, 'does not say what to write; end it in .html'],
  [['-o', '-'], 2, 'standard output has the review, and no rows'],
  [['--as-of', '2026-10-01', '--fail-if', 'score < 1'], 2, '--as-of cannot be used with --fail-if'],
  [['--as-of', '2026-10-01', '--only-news'], 2, '--as-of cannot be used with --only-news'],
  [['--brief', '--json'], 2, '--brief cannot be used with --json'],
  [
    ['--fail-if', 'change == removed'],
    2,
    "'change == removed' can be used in diff only; a review shows it in its sections",
  ],
  [['--label', 'nonsense'], 2, 'no column'],
] as const)('refuses %j', async (args, exitCode, words) => {
  const { review, at, asked } = await stage({});
  writeFileSync(at('FILE'), '');
  const { stderr, ...end } = await review(0, ...args.map((word) => word.replace('FILE', at('FILE'))));
  expect({ ...end, asked }).toEqual({ exitCode, stdout: '', asked: [] });
  expect(stderr).toContain(words);
});

it('refuses a list from standard input without --keep, and one that cannot be read', async () => {
  const { run, at } = await stage({});
  expect(await run(['review', '-'], { stdin: '' })).toMatchObject({ exitCode: 2, stdout: '' });
  symlinkSync('self', at('self'));
  expect(await run(['review', at('self')])).toMatchObject({ exitCode: 9, stdout: '' });
});

it('refuses a rule on change in profile', async () => {
  const { run, at, asked } = await stage({});
  const { exitCode, stderr } = await run(['profile', '-f', at('holders.csv'), '--fail-if', 'score.ratio < 0.5']);
  expect([exitCode, asked, stderr]).toEqual([2, [], expect.stringContaining('only review and diff compare')]);
});

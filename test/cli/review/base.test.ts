/** With which kept reviews a review is compared: the state and the base. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DAY, LOW, MONDAY, names, stage } from '../../fixtures/cli/review-weeks.ts';

const MINUTE = 1 / 1440;
const dayOf = (days: number) => new Date(MONDAY + days * DAY).toISOString().slice(0, 10);

const cases: readonly (readonly [title: string, kept: readonly number[], at: number, since: string, base: number])[] = [
  ['the review of last week, after a run in mid-week', [0, 2], 7, '7d', 0],
  ['that of yesterday, when today has one and cron is three minutes early', [0, 1, 2], 2 - 3 * MINUTE, '24h', 1],
  ['that of four weeks ago', [0, 7, 14, 21], 28, '4w', 0],
  ['the last up to the end of a day', [0, 7, 14], 21, dayOf(7), 7],
];
// The choice itself is tested in test/unit/review/choose.test.ts.
it.each(cases)('takes as base %s', async (_, kept, at, since, base) => {
  const { review, json } = await stage({}, [1]);
  for (const day of kept) await review(day);
  expect((await json(at, '--since', since)).compared_with.day).toBe(dayOf(base));
});

it('takes as base the last review of its day, and names its file', async () => {
  const { review, json, now } = await stage({}, [1]);
  await review(0);
  now.world = { 1: { score: 600 } };
  await review(0.2, '--max-age', '1s');
  now.world = { 1: { score: 650 } };
  const { compared_with, changed } = await json(7);
  expect(compared_with).toEqual({ day: dayOf(0), file: '2026-10-05T105112Z.jsonl' });
  expect(changed.wallets[0].previous.score).toBe(600);
});

it('says that the base is the oldest there is, if it is younger than asked for', async () => {
  const { review } = await stage({}, [1]);
  await review(0);
  for (const since of ['7d', '2026-10-01', '2d']) {
    const { stdout } = await review(1, '--since', since);
    expect(stdout.split('\n')[0]).toMatch(/: compared with 5 Oct, the oldest there is$/);
  }
  expect((await review(1, '--since', '1d')).stdout).toMatch(/: compared with 5 Oct\n/);
  expect((await review(6)).stdout).toMatch(/: compared with 5 Oct\n/);
});

it('judges rules on change against the base, or against the last answer that the base knew', async () => {
  const { json, now } = await stage({ 1: { usd: 9000 }, 2: { usd: 9000 } }, [1, 2, 3]);
  const fell = ['--fail-if', 'fell: total_collateral_usd.ratio < 0.5'];
  expect((await json(0, ...fell)).counts.open).toBe(0);
  now.world = { 1: { usd: 3000 }, 2: { status: 404 }, 3: { usd: 999 } };
  const second = await json(7, ...fell);
  expect([names(second.new), names(second.not_judged)]).toEqual([['Ann'], ['Ben']]);
  expect(second.new.wallets[0].alarms[0].value).toBe('0.333333333333333');
  now.world = { 1: { usd: 3000 }, 2: { usd: 3000 } };
  const third = await json(14, ...fell);
  expect([names(third.new), names(third.closed)]).toEqual([['Ben'], ['Ann']]);
  expect(third.new.wallets[0].previous.answered_at.slice(0, 10)).toBe(dayOf(0));
});

it('keeps the first day of an alarm from the newest review, though the base is older', async () => {
  const { json, now } = await stage({}, [1]);
  await json(0, ...LOW);
  now.world = { 1: { score: 450 } };
  await json(3, ...LOW);
  const { new: opened } = await json(7, ...LOW);
  expect(opened.wallets[0].alarms).toEqual([
    { rule: 'low', level: 'alarm', opened: dayOf(3), confirmed: dayOf(7), new: true, value: '450' },
  ]);
});

it('reports an alarm that closed since the base, until the base no longer has it', async () => {
  const { json, now } = await stage({ 1: { score: 450 } }, [1]);
  await json(0, ...LOW);
  now.world = {};
  await json(3, ...LOW);
  const { closed } = await json(7, ...LOW);
  expect(closed.wallets[0].closed).toEqual([
    { rule: 'low', level: 'alarm', opened: dayOf(0), cause: 'answer', value: '450' },
  ]);
  expect((await json(10, ...LOW, '--since', '3d')).closed.total).toBe(0);
});

it('opens a new alarm for a wallet that was off the list in between', async () => {
  const { json, list } = await stage({ 1: { score: 450 } }, [1, 2]);
  await json(0, ...LOW);
  list([2]);
  await json(3, ...LOW);
  list([1, 2]);
  const { new: opened } = await json(7, ...LOW);
  expect(opened.wallets[0].alarms[0]).toMatchObject({ opened: dayOf(7), new: true });
});

it('corrects a review with a wrong policy and a cut list by another on the same day', async () => {
  const { review, list, file } = await stage({ 1: { score: 450 }, 2: { score: 480 } }, [1, 2, 3]);
  await review(0, ...LOW);
  const kept = (n: number) => readFileSync(file(n), 'utf8').split('\n').slice(1, -2).join('\n');
  await review(7, ...LOW);
  list([3]);
  expect((await review(7.1, '--fail-if', 'low: score < 10')).exitCode).toBe(10);
  list([1, 2, 3]);
  const { stdout } = await review(7.2, ...LOW);
  expect(stdout).toContain('compared with 5 Oct\nwallets 3, scored 3\nalarms: open 2, new 0, closed 0\n');
  expect(kept(-1).replaceAll(/T\d\d:\d\d/g, '')).toBe(kept(1).replaceAll(/T\d\d:\d\d/g, ''));
  expect((await review(14, ...LOW)).stdout).toContain('low since 5 Oct: 450');
});

it('repeats the news of a week daily, but with --since 1d only that of a day', async () => {
  const { json, now } = await stage({}, [1]);
  const news: boolean[][] = [];
  for (let day = 0; day < 12; day++) {
    if (day === 2) now.world = { 1: { score: 450 } };
    news.push([(await json(day, ...LOW)).news, (await json(day, ...LOW, '--since', '1d')).news]);
  }
  const days = (i: number) => news.flatMap((one, day) => (one[i] ? [day] : []));
  expect([days(0), days(1)]).toEqual([
    [0, 2, 3, 4, 5, 6, 7, 8],
    [0, 2],
  ]);
});

it('warns with both counts if less than half of either list is on both', async () => {
  const { review, list, at } = await stage({}, [1, 2, 3, 4]);
  await review(0);
  const warning = (wallets: string, common: number) =>
    `riskcli: '${at('holders.csv')}' has ${wallets}, and the list of 2026-10-05 had 4: only ${common} are on both; ` +
    'a folder is the history of one list, see --keep\n';
  list([1]);
  expect((await review(7)).stderr).toBe(warning('1 wallet', 1));
  list([1, 2]);
  expect((await review(7.1)).stderr).not.toContain('are on both');
  list([1, 2, 5, 6]);
  expect((await review(7.2)).stderr).not.toContain('are on both');
  list([1, 2, 5, 6, 7]);
  expect((await review(7.3)).stderr).toContain(warning('5 wallets', 2));
});

it('keeps the reviews of a sandbox in a folder of their own', async () => {
  const { review, kept } = await stage({}, [1]);
  await review(0);
  expect((await review(7, '--sandbox')).stdout).toContain('the first review');
  expect([kept(), kept('holders.csv.sandbox-reviews')]).toEqual([
    ['2026-10-05T060312Z.jsonl'],
    ['2026-10-12T060312Z.jsonl'],
  ]);
});

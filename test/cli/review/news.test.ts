/** What is news, which exit code a review has, and what --only-news leaves out. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LOW, playWeeks, stage, type Week, type World } from '../../fixtures/cli/review-weeks.ts';
import { address } from '../../fixtures/place/wallets.ts';

const ANN_LOW = { 1: { score: 450 } };
const FAILED = { 1: { status: 404 } };
const INCOMPLETE = { 1: { errors: { aave: 'timed out' } } };
const LOW_RULE = { name: 'low', if: 'score < 500' };
const WATCH = [{ ...LOW_RULE, level: 'watch' }];
const until = (day: string) => [{ until: `2026-10-${day}` }];

/** A Monday and the next. */
const cases: readonly (readonly [title: string, isNews: boolean, first: Week, second: Week])[] = [
  ['an alarm that opened', true, {}, { world: ANN_LOW }],
  ['an alarm that stays open', false, { world: ANN_LOW }, { world: { 1: { score: 449 } } }],
  ['an alarm that is not confirmed', false, { world: ANN_LOW }, { world: FAILED }],
  ['an alarm that closed', true, { world: { 1: { score: 499 } } }, { world: { 1: { score: 501 } } }],
  ['an alarm that an exception hides', true, { world: ANN_LOW }, { world: ANN_LOW, exceptions: [{}] }],
  ['an alarm that was excused', true, { world: ANN_LOW, exceptions: [{}] }, { world: ANN_LOW }],
  [
    'an excused alarm that ended',
    false,
    { world: { 1: { score: 499 } }, exceptions: [{}] },
    { world: { 1: { score: 501 } }, exceptions: [{}] },
  ],
  ['a watch that opened', true, { rules: WATCH }, { world: ANN_LOW }],
  ['a watch that stays open', false, { world: ANN_LOW, rules: WATCH }, { world: ANN_LOW }],
  ['a watch that closed', true, { world: { 1: { score: 499 } }, rules: WATCH }, { world: { 1: { score: 501 } } }],
  ['a wallet that is not judged', true, {}, { world: FAILED }],
  ['a wallet that is still not judged', false, { world: FAILED }, { world: FAILED }],
  ['a wallet that is judged again', true, { world: FAILED }, {}],
  ['a wallet that was added', true, { list: [1] }, { list: [1, 2] }],
  ['a wallet that was removed', true, { list: [1, 2] }, { list: [1] }],
  ['an answer that became incomplete', true, {}, { world: INCOMPLETE }],
  ['an answer that is still incomplete', false, { world: INCOMPLETE }, { world: INCOMPLETE }],
  ['a score that moved by a tenth', true, {}, { world: { 1: { score: 630 } } }],
  ['a score that moved by less', false, {}, { world: { 1: { score: 631 } } }],
  ['a collateral that moved by half', true, {}, { world: { 1: { usd: 1500 } } }],
  ['a collateral that moved by less', false, {}, { world: { 1: { usd: 1499 } } }],
  ['a collateral from 0', true, { world: { 1: { usd: 0 } } }, { world: { 1: { usd: 1 } } }],
  ['a value that was lost', true, {}, { world: { 1: { usd: null } } }],
  ['a value that was gained', false, { world: { 1: { usd: null } } }, {}],
  [
    'an exception that has 7 days left',
    true,
    { world: ANN_LOW, exceptions: until('19') },
    { world: ANN_LOW, exceptions: until('19') },
  ],
  [
    'an exception that has 8 days left',
    false,
    { world: ANN_LOW, exceptions: until('20') },
    { world: ANN_LOW, exceptions: until('20') },
  ],
  [
    'an exception that had 7 days left at the base',
    false,
    { world: ANN_LOW, exceptions: until('12') },
    { world: ANN_LOW, exceptions: until('12') },
  ],
  ['an exception that ends, and hides nothing today', false, { exceptions: until('19') }, { exceptions: until('19') }],
];
it.each(cases)('decides whether --only-news prints: %s: %s', async (_, isNews, first, second) => {
  const { last } = await playWeeks([first, { ...second, words: ['--only-news'] }]);
  expect(last.stdout !== '').toBe(isNews);
  if (!isNews) expect(last.stderr).toBe('');
});

it('treats a review that has no base as news', async () => {
  const { review, json } = await stage({});
  expect((await review(0, '--only-news')).stdout).toContain('the first review');
  expect((await json(0.1)).news).toBe(true);
  expect((await json(7)).news).toBe(false);
  expect((await review(7.1, '--only-news', '--json')).stdout).toBe('');
});

it('omits with --only-news the remarks on the list and the reason of the exit code, but not the code', async () => {
  const { review, at } = await stage({ ...ANN_LOW, 2: { status: 404 } });
  appendFileSync(at('holders.csv'), `#Dora,${address(9)}\n`);
  const first = await review(0, ...LOW, '--only-news');
  expect(first.stderr).toContain('rows that are comments: 1, first on line 5');
  expect(await review(7, ...LOW, '--only-news')).toEqual({ stdout: '', stderr: '', exitCode: 10 });
  expect(await review(14, '--accept', 'failed', '--only-news')).toMatchObject({ exitCode: 0 });
});

it('warns of alarm rules that were removed or became watch rules when nothing is news', async () => {
  const { review, policy } = await stage({});
  const [low, poor] = [LOW_RULE, { name: 'poor', if: 'total_collateral_usd < 5' }];
  await review(0, ...policy([low, poor]));
  const watched = await review(7, ...policy([{ ...low, level: 'watch' }, poor]), '--only-news');
  expect(watched).toEqual({
    stdout: '',
    stderr: "riskcli: since the review of 5 Oct 'low' is no longer an alarm rule\n",
    exitCode: 0,
  });
  expect((await review(8, '--only-news')).stderr).toContain(
    "since the review of 5 Oct 'low', 'poor' are no longer alarm rules, and no other is left",
  );
  expect(await review(15, '--only-news')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
});

it('keeps exit code 3 and warnings with --only-news', async () => {
  const { review, file } = await stage({ 1: { status: 404 } });
  await review(0);
  expect(await review(7, '--only-news')).toEqual({ stdout: '', stderr: '', exitCode: 3 });
  writeFileSync(file(1), readFileSync(file(1), 'utf8').slice(0, -20));
  const { stdout, stderr, exitCode } = await review(14, '--only-news');
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
  expect(stderr).toMatch(/^riskcli: the kept review '.*' is skipped: it is torn: its last line is missing\n$/);
});

const TWICE = 'run it again today: only the failed wallet is asked';
const exits: readonly (readonly [title: string, code: number, line: string, weeks: readonly Week[]])[] = [
  ['no alarm', 0, '', [{}]],
  ['an open alarm', 10, 'alarms are open (open 1, new 0)', [{ world: ANN_LOW }]],
  ['a new alarm', 10, 'alarms are open (open 1, new 1)', [{}, { world: ANN_LOW }]],
  [
    'an alarm that is not confirmed',
    10,
    `alarms are open (open 1, new 0); ${TWICE}`,
    [{ world: ANN_LOW }, { world: FAILED }],
  ],
  ['an excused alarm', 0, '', [{ world: ANN_LOW, exceptions: [{}] }]],
  ['a watch', 0, '', [{ world: ANN_LOW, rules: WATCH }]],
  [
    'a rule that cannot be judged',
    10,
    'some wallets cannot be judged (open 0, new 0, not judged 1)',
    [{ world: { 1: { score: null } } }],
  ],
  ['a watch that cannot be judged', 0, '', [{ world: { 1: { score: null } }, rules: WATCH }]],
  ['a rule that cannot be judged, and is excused', 0, '', [{ world: { 1: { score: null } }, exceptions: [{}] }]],
  [
    'no answer, and a rule',
    10,
    `some wallets cannot be judged (open 0, new 0, not judged 1); ${TWICE}`,
    [{ world: FAILED }],
  ],
  ['no answer, and a watch', 3, `some rows have no answer (failed 1); ${TWICE}`, [{ world: FAILED, rules: WATCH }]],
  ['no answer, which is accepted', 0, '', [{ world: FAILED, words: ['--accept', 'failed'] }]],
  ['no score, which is accepted', 0, '', [{ world: { 1: { score: null } }, words: ['--accept', 'no_score'] }]],
  [
    'an alarm whose failed row is accepted',
    10,
    'alarms are open (open 1, new 0)',
    [{ world: ANN_LOW }, { world: FAILED, words: ['--accept', 'failed'] }],
  ],
  [
    'a rule on the status',
    10,
    'alarms are open (open 1, new 0)',
    [{ world: FAILED, rules: [{ name: 'gone', if: 'status == failed' }] }],
  ],
  ['an alarm that closed', 0, '', [{ world: ANN_LOW }, {}]],
  [
    'an alarm that left with its wallet',
    10,
    'an alarm left with its wallet (open 0, new 0)',
    [{ world: ANN_LOW }, { list: [2] }],
  ],
  ['an excused alarm that left with its wallet', 0, '', [{ world: ANN_LOW, exceptions: [{}] }, { list: [2] }]],
  ['a watch that left with its wallet', 0, '', [{ world: ANN_LOW, rules: WATCH }, { list: [2] }]],
];
it.each(exits)('exits after %s with %s', async (_, code, line, weeks) => {
  const { last, json, review, now } = await playWeeks(weeks);
  const { exitCode, stderr } = last;
  expect([exitCode, stderr.includes(line)]).toEqual([code, true]);
  if (line === '') expect(stderr).not.toContain('alarm');
  const asOf = ['--as-of', new Date(now.at).toISOString()];
  expect((await review(40, ...asOf)).exitCode).toBe(code);
  expect((await json(40, ...asOf)).exit_code).toBe(code);
});

it('exits with 3 for what is not a wallet, unless that is accepted', async () => {
  const { review, at } = await stage({});
  appendFileSync(at('holders.csv'), 'Nobody,nothing\n');
  const { exitCode, stderr } = await review(0);
  expect([exitCode, stderr]).toEqual([3, 'riskcli: some rows have no answer (invalid 1)\n']);
  expect((await review(1, '--accept', 'invalid')).exitCode).toBe(0);
});

it('asks only for the failed wallets when a review is run again the same day', async () => {
  const world: World = { 1: { score: 450 }, 2: { status: 500 }, 3: { status: 404 } };
  const { review, now, asked, kept } = await stage(world);
  const first = await review(0, ...LOW);
  expect(first).toMatchObject({
    exitCode: 10,
    stderr:
      'riskcli: alarms are open (open 1, new 0, not judged 2); run it again today: only the 2 failed wallets are asked\n',
  });
  now.world = {};
  asked.length = 0;
  const again = await review(0.2, ...LOW);
  expect([again.exitCode, asked.sort(), kept()]).toEqual([
    10,
    [2, 3],
    ['2026-10-05T060312Z.jsonl', '2026-10-05T105112Z.jsonl'],
  ]);
  expect(again.stdout).toContain('the first review');
});

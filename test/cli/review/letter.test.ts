/** What the letter of a review says, and that --brief, --json and the page say the same. */
import { appendFileSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { names, playWeeks, stage, type Week } from '../../fixtures/cli/review-weeks.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { holdToSchema } from '../../fixtures/schemas.ts';

const LOW_RULE = { name: 'low', if: 'score < 500', note: 'call them' };
const RICH = { name: 'rich', if: 'total_collateral_usd > 5000', level: 'watch' };

/** Two Mondays, after which each section has a wallet. */
async function fullStage() {
  const world = { 1: { score: 450 }, 2: { score: 480 }, 3: { score: 490 }, 6: { score: 800 } };
  const place = await stage(world, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const { review, now, list, policy, at } = place;
  await review(0, ...policy([LOW_RULE, RICH]));
  now.world = {
    ...{ 1: { score: 450 }, 2: { score: 600 }, 3: { status: 500 }, 4: { score: 300 }, 5: { status: 404 } },
    ...{ 6: { errors: { aave: 'timed out' } }, 7: { usd: 9000 }, 8: { score: 400 }, 9: { usd: 100 } },
  };
  list([1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
  appendFileSync(at('holders.csv'), `Nonsense,nothing\nAnn again,${address(1)}\n`);
  const known = { wallet: address(8), rule: 'low', reason: 'known', until: '2026-10-20' };
  const words = policy([{ ...LOW_RULE, if: 'score < 550' }, RICH], [known]);
  return { ...place, again: (...more: readonly string[]) => review(7, ...words, ...more) };
}

const LETTER = `\
holders.csv, 12 Oct 2026 (days are UTC): compared with 5 Oct
wallets 11, scored 8, invalid 1, failed 2, incomplete 1, rows 12
alarms: open 3, new 1, closed 1, watch 1, excused 1; wallets: not judged 2, added 2, removed 1
rule low: score < 550 (before: score < 500): new 1, closed 1

NEW ALARMS  1     SCORE  CHANGE  COLLATERAL
Dan  0x00...0004    300    -400   $1,000.00  low since 12 Oct, new: 300
low: score < 550 - call them

OPEN ALARMS  2     SCORE  COLLATERAL
Ann  0x00...0001     450   $1,000.00  low since 5 Oct: 450; also Ann again
Cem  0x00...0003  failed           -  low since 5 Oct, not confirmed since 5 Oct: 500; last score
                                      490 on 5 Oct
low: score < 550 - call them

NOT JUDGED  2            SCORE  COLLATERAL  WALLET
Eve       0x00...0005   failed           -
    not judged since 12 Oct: HOST refused the request (404: 'no'); last score 700 on 5
    Oct
Nonsense  line 12      invalid           -  nothing  not judged since 12 Oct: it does not begin with
                                                     0x; added

CLOSED  1         SCORE  CHANGE  COLLATERAL
Ben  0x00...0002    600    +120   $1,000.00  low, open from 5 Oct, closed: the rule was removed or
                                             changed
low: score < 550 - call them

WATCH  1              SCORE  COLLATERAL   CHANGE
Owner 7  0x00...0007    700   $9,000.00  +800.0%  watch: rich since 12 Oct, new: 9000
rich: total_collateral_usd > 5000

EXCUSED  1            SCORE  CHANGE  COLLATERAL
Owner 8  0x00...0008    400    -300   $1,000.00  low since 12 Oct, excused until 20 Oct: 400 (known)
low: score < 550 - call them

CHANGED  2            SCORE  CHANGE  COLLATERAL  CHANGE
Owner 9  0x00...0009    700             $100.00  -90.0%
Fay      0x00...0006    700    -100   $1,000.00          incomplete: errors: aave: timed out;
                                                         complete before

ADDED  1               SCORE  COLLATERAL
Owner 11  0x00...000b    700   $1,000.00  added

REMOVED  1             SCORE  COLLATERAL
Owner 10  0x00...000a    700   $1,000.00  removed
`;

const withoutPort = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');

it('prints the head, then each wallet in the first section that fits, with all that applies to it', async () => {
  const { again } = await fullStage();
  const { stdout, stderr, exitCode } = await again();
  expect(withoutPort(stdout)).toBe(LETTER);
  expect({ stderr, exitCode }).toEqual({
    stderr:
      'riskcli: alarms are open (open 3, new 1, not judged 2); run it again today: only the 2 failed wallets are asked\n',
    exitCode: 10,
  });
});

it('prints the same counts and sections with --brief, one line each', async () => {
  const { again } = await fullStage();
  const brief = (await again('--brief')).stdout.split('\n');
  expect(brief.slice(0, 4)).toEqual(LETTER.split('\n').slice(0, 4));
  expect(brief.slice(4)).toEqual([
    'new alarms 1: Dan (low)',
    'open alarms 2: Ann (low), Cem (low)',
    'not judged 2: Eve, Nonsense',
    'closed 1: Ben (low)',
    'watch 1: Owner 7 (rich)',
    'excused 1: Owner 8 (low)',
    'changed 2: Owner 9, Fay',
    'added 1: Owner 11',
    'removed 1: Owner 10',
    '',
  ]);
});

it('prints the same counts, rules and sections with --json, with the reasons as members', async () => {
  const { again, file } = await fullStage();
  const { news, exit_code, day, compared_with, counts, rules, ...sections } = JSON.parse(
    (await again('--json')).stdout,
  );
  expect({ news, exit_code, day, compared_with }).toEqual({
    ...{ news: true, exit_code: 10, day: '2026-10-12' },
    compared_with: { day: '2026-10-05', file: '2026-10-05T060312Z.jsonl' },
  });
  expect(counts).toEqual({
    ...{ rows: 12, wallets: 11, scored: 8, no_score: 0, invalid: 1, failed: 2, incomplete: 1, open: 3, new: 1 },
    ...{ closed: 1, watch: 1, excused: 1, not_judged: 2, judged_again: 0, added: 2, removed: 1 },
  });
  expect(rules).toEqual([
    {
      ...{ name: 'low', if: 'score < 550', level: 'alarm', note: 'call them', previous_if: 'score < 500' },
      ...{ open: 3, new: 1, closed: 1 },
    },
    { name: 'rich', if: 'total_collateral_usd > 5000', level: 'watch', open: 1, new: 1, closed: 0 },
  ]);
  const labels = Object.entries(sections).map(([name, section]) => [name, names(section as never).join()]);
  expect(Object.fromEntries(labels)).toEqual({
    ...{ new: 'Dan', open: 'Ann,Cem', not_judged: 'Eve,Nonsense', closed: 'Ben', watch: 'Owner 7' },
    ...{ excused: 'Owner 8', changed: 'Owner 9,Fay', added: 'Owner 11', removed: 'Owner 10' },
  });
  expect(sections.open.wallets[1]).toEqual({
    ...{ wallet: address(3), label: 'Cem', line: 4, columns: { name: 'Cem', wallet: address(3) } },
    ...{ status: 'failed', score: null, total_collateral_usd: null },
    previous: {
      ...{ status: 'scored', answered_at: '2026-10-05T06:03:12.000Z', score: 490, total_collateral_usd: 1000 },
    },
    alarms: [{ rule: 'low', level: 'alarm', opened: '2026-10-05', confirmed: '2026-10-05', value: '490' }],
    closed: [],
  });
  // Each row of the kept file is a row of `riskcli schema row`, too.
  const lines = readFileSync(file(1), 'utf8').trimEnd().split('\n').slice(1, 13);
  for (const line of lines) holdToSchema('row', JSON.parse(line));
});

it('writes the same words and numbers on the page', async () => {
  const { again, at } = await fullStage();
  await again('-o', at('page.html'));
  const html = readFileSync(at('page.html'), 'utf8');
  const text = html.replace(/[\s\S]*<header/, '').replace(/<section id="shares[\s\S]*/, '');
  const plain = text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ');
  for (const words of [
    'compared with 5 Oct',
    'rule low: score < 550 (before: score < 500): new 1, closed 1',
    'low: score < 550 - call them',
    'low since 5 Oct, not confirmed since 5 Oct: 500; last score 490 on 5 Oct',
    'low, open from 5 Oct, closed: the rule was removed or changed',
    'low since 12 Oct, excused until 20 Oct: 400 (known)',
  ])
    expect(plain).toContain(words);
  // Not again among the list's own columns.
  expect([plain.split('Cem').length - 1, plain.split(address(3)).length - 1]).toEqual([1, 1]);
});

/** The page of the last review of some weeks: its sections as texts, and its rows. */
async function lastPage(weeks: readonly Week[]) {
  const { at, run, file } = await playWeeks(weeks);
  await run(['report', file(-1), '-o', at('page.html')]);
  const html = readFileSync(at('page.html'), 'utf8');
  const [, data = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  const section = (id: string) => {
    const [found = ''] = new RegExp(`<section id="${id}".*?</section>`, 's').exec(html) ?? [];
    const text = found
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>');
    return text.replaceAll(/\s+/g, ' ').trim();
  };
  const rows: { label: string; verdicts: { mark: string; rule: string; text: string }[] }[] = JSON.parse(data).rows;
  const marks = rows.map(({ label, verdicts }) => `${label}: ${verdicts.map(({ mark, text }) => `${mark} ${text}`)}`);
  return { section, marks: withoutPort(marks.join('\n')).split('\n') };
}

const RULES = [
  { name: 'low', if: 'score < 600', note: 'call them' },
  { name: 'rich', if: 'total_collateral_usd > 5000', level: 'watch' },
];

it('marks a row with its alarms, confirmed today or not, and counts them by rule as the letter does', async () => {
  const low = { score: 550 };
  const { section, marks } = await lastPage([
    { list: [1, 2, 3, 4, 5, 6], rules: RULES, world: { 1: low, 2: low, 3: { usd: 9000 } } },
    { world: { 1: { status: 503 }, 2: low, 3: { status: 404 }, 4: { status: 404 }, 5: { score: null } } },
  ]);
  expect(section('rules')).toBe(
    'Rules Rule Open New Closed low: score < 600 call them 2 0 0 ' + 'rich: total_collateral_usd > 5000 watch 1 0 0',
  );
  expect(marks).toEqual([
    'Ann: matched low',
    'Ben: matched low',
    "Cem: unjudged HOST refused the request (404: 'no'),watched rich",
    "Dan: unjudged HOST refused the request (404: 'no')",
    'Eve: unjudged low: no score',
    'Fay: ',
  ]);
  // The reason is not repeated beside the error.
  expect(section('rows')).toMatch(/ Dan \S+ failed – not judged \S+ refused the request /);
});

it('lists a rule that was removed, and marks a row that is excused', async () => {
  const { section, marks } = await lastPage([
    { rules: RULES, world: { 1: { score: 550 } }, exceptions: [{}] },
    { rules: RULES.slice(0, 1), world: { 1: { score: 550 }, 2: { score: 550 } }, exceptions: [{}] },
  ]);
  expect(section('rules')).toContain('rich: total_collateral_usd > 5000 watch removed 0 0 0');
  expect(marks).toEqual(['Ann: excused low: known', 'Ben: matched low']);
});

it('lists in a report an open alarm that is not confirmed, and counts it by its rule', async () => {
  const { run, file } = await playWeeks([{ world: { 1: { score: 450 } } }, { world: { 1: { status: 503 } } }]);
  const { stdout } = await run(['report', file(-1)]);
  expect(stdout.replaceAll(/ +/g, ' ')).toContain('\nlow 1 0 0 50%\n');
  expect(stdout.replaceAll(/ +/g, ' ')).toMatch(/\nAnn 0x0{3}.* - - low\n/);
  expect(JSON.parse((await run(['report', file(-1), '--json'])).stdout).rules).toEqual([
    { rule: 'low', level: 'alarm', matched: 1, unjudged: 0, excused: 0 },
  ]);
});

/** The last letter of some weeks, as one line. */
const lastLetter = async (weeks: readonly Week[]) =>
  withoutPort((await playWeeks(weeks)).last.stdout.replaceAll(/\s+/g, ' '));

const ANN_LOW = { 1: { score: 450 } };
const OTHER = [{ name: 'other', if: 'score < 1' }];
const MILD = [{ name: 'low', if: 'score < 400' }];
const WATCHED = [{ name: 'low', if: 'score < 500', level: 'watch' }];
const INCOMPLETE = { errors: { aave: 'timed out' } };

const FELL = [{ name: 'fell', if: 'score.ratio == 0.1' }];

const cases: readonly (readonly [title: string, weeks: readonly Week[], ...words: string[]])[] = [
  [
    'a quotient that is exact only in decimal',
    [
      { world: { 1: { score: 3 } }, rules: FELL },
      { world: { 1: { score: 0.3 } }, rules: FELL },
    ],
    'fell since 12 Oct, new: 0.1 ',
  ],
  [
    'a rule on change that lacks the earlier value',
    [
      { world: { 1: { score: null } }, rules: FELL },
      { world: { 1: { score: 500 } }, rules: FELL },
    ],
    'not judged since 12 Oct: fell: no earlier score',
  ],
  ['one of another year', [{ world: ANN_LOW }, { day: 91, world: ANN_LOW }], 'low since 5 Oct 2026: 450'],
  [
    'one whose answer is incomplete',
    [{ world: ANN_LOW }, { world: { 1: INCOMPLETE } }],
    'Ann 0x00...0001 700 +250 $1,000.00 low since 5 Oct, not confirmed since 5 Oct; incomplete: errors: aave',
  ],
  [
    'one whose exception ended',
    [{ world: ANN_LOW, exceptions: [{ until: '2026-10-11' }] }, { world: ANN_LOW }],
    'NEW ALARMS 1',
    'low since 5 Oct, exception ended: 450',
  ],
  [
    'one whose exception was removed',
    [{ world: ANN_LOW, exceptions: [{}] }, { world: ANN_LOW }],
    'NEW ALARMS 1',
    'low since 5 Oct, exception removed: 450',
  ],
  [
    'one that was a watch',
    [
      { world: ANN_LOW, rules: WATCHED },
      { world: ANN_LOW, rules: [{ name: 'low', if: 'score < 500' }] },
    ],
    'NEW ALARMS 1',
    'low since 5 Oct, was watch: 450',
  ],
  [
    'one that an answer closed',
    [{ world: ANN_LOW }, {}],
    'CLOSED 1',
    'low, open from 5 Oct, closed: the answer no longer matches',
  ],
  [
    'one that a changed rule closed',
    [{ world: ANN_LOW }, { world: ANN_LOW, rules: MILD }],
    'CLOSED 1',
    'low, open from 5 Oct, closed: the rule was removed or changed',
    'low: score < 400',
  ],
  [
    'one whose rule was removed',
    [{ world: ANN_LOW }, { world: ANN_LOW, rules: OTHER }],
    'CLOSED 1',
    'low, open from 5 Oct, closed: the rule was removed or changed low: score < 500',
  ],
  [
    'one whose rule is a watch now',
    [{ world: ANN_LOW }, { world: ANN_LOW, rules: WATCHED }],
    'CLOSED 1',
    'watch: low since 5 Oct: 450; low, open from 5 Oct, closed: the rule was removed or changed',
  ],
  [
    'one that an exception hides',
    [{ world: ANN_LOW }, { world: ANN_LOW, exceptions: [{}] }],
    'CLOSED 1',
    'low since 5 Oct, excused: 450 (known); low, open from 5 Oct, closed: an exception hides it',
  ],
  [
    'one that left with its wallet',
    [{ world: ANN_LOW }, { list: [2] }],
    'CLOSED 1',
    'Ann 0x00...0001 450 $1,000.00 low, open from 5 Oct, closed: the wallet left the list; removed',
  ],
  [
    'one whose exception soon ends',
    [{ world: ANN_LOW, exceptions: [{ until: '2026-10-12' }] }],
    'EXCUSED 1',
    'low since 5 Oct, excused until 12 Oct, 7 days left: 450 (known)',
  ],
  [
    'a watch that closed',
    [{ world: ANN_LOW, rules: WATCHED }, {}],
    'CLOSED 1',
    'watch: low, open from 5 Oct, closed: the answer no longer matches',
  ],
  [
    'a rule that cannot be judged, and the last score',
    [{}, { world: { 1: { score: null } } }],
    'NOT JUDGED 1',
    'Ann 0x00...0001 no score $1,000.00 not judged since 12 Oct: low: no score; last score 700 on 5 Oct',
  ],
  ['one that is judged again', [{ world: { 1: { status: 404 } } }, {}], 'CHANGED 1', 'judged again'],
  [
    'an answer that was incomplete before',
    [{ world: { 1: INCOMPLETE } }, { world: { 1: { ...INCOMPLETE, score: 690 } } }],
    'CHANGED 1',
    '690 -10 $1,000.00 incomplete: errors: aave: timed out',
  ],
  ['a value that was lost', [{}, { world: { 1: { usd: null } } }], 'CHANGED 1', 'before: collateral $1,000.00'],
  ['a value from nothing', [{ world: { 1: { usd: 0 } } }, { world: { 1: { usd: 5 } } }], '$5.00 from $0.00'],
  [
    'a value whose earlier one is older than the base',
    [{}, { world: { 1: { status: 404 } } }, { world: { 1: { score: 600 } } }],
    '600 -100 $1,000.00 judged again; compared with its answer of 5 Oct',
  ],
];
const named = cases.map(([title, weeks, ...words]) => [title, { weeks, words }] as const);
it.each(named)('describes in words %s', async (_, { weeks, words }) => {
  const letter = await lastLetter(weeks);
  for (const text of words) expect(letter).toContain(text);
});

it('leaves out a wallet whose change is too small to report', async () => {
  const letter = await lastLetter([{}, { world: { 1: { usd: 1100 } } }]);
  expect(letter).toBe(
    'holders.csv, 12 Oct 2026 (days are UTC): compared with 5 Oct wallets 2, scored 2 ' +
      'alarms: open 0, new 0, closed 0 ',
  );
});

const heads: readonly (readonly [title: string, weeks: readonly Week[], words: string])[] = [
  ['the base is of another year', [{}, { day: 91 }], '4 Jan 2027 (days are UTC): compared with 5 Oct 2026 w'],
  [
    'a rule is new',
    [{ rules: OTHER }, { world: ANN_LOW, rules: MILD }],
    'rule low (new): score < 400: new 0, closed 0',
  ],
  ['a rule was removed', [{ world: ANN_LOW }, { rules: OTHER }], 'rule low (removed): score < 500: new 0, closed 1'],
  [
    'a rule is a watch now',
    [{ world: ANN_LOW }, { world: ANN_LOW, rules: WATCHED }],
    'rule low (now watch): score < 500: new 0, closed 1',
  ],
  [
    'a rule is an alarm now',
    [
      { world: ANN_LOW, rules: WATCHED },
      { world: ANN_LOW, rules: MILD },
    ],
    'rule low (now alarm): score < 400 (before: score < 500): new 0, closed 1',
  ],
  [
    'a condition changed',
    [{ rules: MILD }, { world: ANN_LOW, rules: [{ name: 'low', if: 'score < 500' }] }],
    'rule low: score < 500 (before: score < 400): new 1, closed 0',
  ],
  [
    'answers are of an earlier day',
    [{}, { day: 0.9, words: ['--max-age', '24h'] }, { day: 1, words: ['--max-age', '24h'] }],
    'answers of an earlier day: 2 of 5 Oct',
  ],
];
it.each(heads)('says in the head of a letter that %s', async (_, weeks, words) => {
  expect(await lastLetter(weeks)).toContain(words);
});

it('says that scores are read from a new path, and closes alarms on the score as by a changed rule', async () => {
  const { review, policy, now } = await stage(ANN_LOW, [1]);
  const words = policy([{ name: 'low', if: 'score < 500' }]);
  await review(0, ...words);
  now.score = 'total_collateral_usd';
  const { stdout } = await review(7, ...words);
  expect(stdout).toContain('compared with 5 Oct; its scores were read from another path\n');
  expect(stdout).toMatch(/^Ann .* low, open from 5 Oct, closed: the rule was removed or changed$/m);
});

it('prints a letter in 100 columns of ASCII in a pipe, whatever the labels', async () => {
  const { review, at, now } = await stage({ 1: { score: 450, errors: { aave: 'é'.repeat(300) } } }, [1]);
  appendFileSync(at('holders.csv'), `${'Long '.repeat(40)},${address(2)}\nZoë,${address(3)}\n`);
  now.world[3] = { score: 400 };
  const { stdout } = await review(0, '--fail-if', 'low: score < 900');
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  expect(stdout.replaceAll(/[éë]/g, '')).toMatch(/^[\n -~]*$/);
  expect(stdout).toContain('Zoë');
});

it('shows 40 rows of a section, the worst first, and counts the rest', async () => {
  const many = Array.from({ length: 45 }, (_, i) => i + 1);
  const { review, json } = await stage(Object.fromEntries(many.map((one) => [one, { score: 500 - one }])), many);
  const { stdout } = await review(0, '--fail-if', 'low: score < 500');
  const rows = stdout.split('\n').filter((line) => line.includes('low since'));
  expect([rows.length, rows[0], rows[39]]).toEqual([
    40,
    expect.stringMatching(/^Owner 45 .* 455 /),
    expect.stringMatching(/^Fay .* 494 /),
  ]);
  expect(stdout).toMatch(/^and 5 more/m);
  expect((await json(0.1, '--fail-if', 'low: score < 500')).open.wallets).toHaveLength(45);
});

it('shows ten changes, the largest first, unless more of them are news', async () => {
  const many = Array.from({ length: 15 }, (_, i) => i + 1);
  const shown = async (by: number) => {
    const { review, now } = await stage({}, many);
    await review(0);
    now.world = Object.fromEntries(many.map((one) => [one, { score: 700 - by * one }]));
    const { stdout } = await review(7);
    return stdout.split('\n').filter((line) => /^(Owner|Ann|Ben|Cem|Dan|Eve|Fay) /.test(line));
  };
  expect((await shown(1)).map((line) => line.split(/ {2,}/)[0])).toEqual([
    ...['Owner 15', 'Owner 14', 'Owner 13', 'Owner 12', 'Owner 11', 'Owner 10', 'Owner 9', 'Owner 8', 'Owner 7', 'Fay'],
  ]);
  // From 7 on a tenth is lost: news.
  expect(await shown(10)).toHaveLength(10);
  expect(await shown(35)).toHaveLength(14);
});

it('puts new alarms first, then the worst by their own rule, then the largest collateral', async () => {
  const { review, json, now } = await stage({ 1: { usd: 9000 }, 3: { usd: 7000 } }, [1, 2, 3, 4, 5]);
  const rules = ['--fail-if', 'low: score < 500', '--fail-if', 'rich: total_collateral_usd > 5000'];
  await review(0, ...rules);
  now.world = {
    ...{ 1: { usd: 9000 }, 3: { usd: 8000, score: 300 }, 2: { score: 450, usd: 10 }, 4: { score: 450, usd: 20 } },
    5: { usd: 6000 },
  };
  const { new: opened, open } = await json(7, ...rules);
  expect([names(opened), names(open)]).toEqual([['Cem', 'Dan', 'Ben', 'Eve'], ['Ann']]);
});

it('counts a wallet that is listed twice as one, named by the first row that matches', async () => {
  const { run, at } = await stage({});
  appendFileSync(at('twice.csv'), `name,exposure,wallet\nAnn,100,${address(1)}\nBob,9000,${address(1)}\n`);
  const words = ['review', at('twice.csv'), '--fail-if', 'large: input.exposure > 1000'];
  const { stdout } = await run([...words, '-o', at('page.html')]);
  expect(stdout).toContain('wallets 1, scored 1, rows 2\nalarms: open 1, new 0, closed 0\n');
  expect(stdout).toMatch(/^Bob .* large since 5 Oct: 9000; also Ann$/m);
  const html = readFileSync(at('page.html'), 'utf8');
  expect(html).toMatch(/<tr [^>]*data-row="1">.*?Bob</);
  const { counts, open } = JSON.parse((await run([...words, '--json'])).stdout);
  expect(counts).toMatchObject({ rows: 2, wallets: 1, scored: 1, open: 1 });
  expect(open.wallets[0]).toMatchObject({ label: 'Bob', line: 3, columns: { exposure: '9000' } });
});

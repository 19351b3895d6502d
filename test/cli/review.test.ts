/**
 * `riskcli review` over simulated weeks: the whole program, with a clock that is set, against a
 * service on this machine.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DAY, LOW, MONDAY, names, stage, type World } from '../fixtures/cli/review-weeks.ts';
import { address } from '../fixtures/place/wallets.ts';

describe('a review', () => {
  it('is kept as one file, and says who needs a look, what is unknown, and what changed', async () => {
    const { review, json, kept, at } = await stage({ 1: { score: 450 }, 3: { status: 404 } });
    const first = await review(0, ...LOW);
    expect(first.exitCode).toBe(10);
    expect(first.stdout).toMatch(
      /^holders\.csv, 5 Oct 2026 \(UTC\): wallets 3, scored 2, failed 1; the first review\n/,
    );
    expect(first.stdout).toContain('TO LOOK AT  1');
    expect(first.stdout).not.toContain('new');
    const told = await json(7, ...LOW);
    expect(told).toMatchObject({
      news: false,
      compared_with: { file: '2026-10-05T060312Z.jsonl' },
      rules: [{ name: 'low', matched: 1, new: 0, new_by_rule: 0, not_judged: 1, excused: 0 }],
      to_look_at: {
        count: 1,
        new: 0,
        rows: [{ label: 'Ann', matched: ['low'], score: { old: 450, new: 450, delta: 0 } }],
      },
      not_judged: { count: 1, new: 0, rows: [{ label: 'Cem' }] },
      changed: { count: 0 },
    });
    expect(kept()).toEqual(['2026-10-05T060312Z.jsonl', '2026-10-12T060312Z.jsonl']);
    const folder = at('holders.csv.reviews');
    expect([statSync(folder).mode & 0o777, statSync(join(folder, kept()[0]!)).mode & 0o777]).toEqual([0o700, 0o600]);
    const lines = readFileSync(join(folder, kept()[0]!), 'utf8').trimEnd().split('\n');
    const digest = createHash('sha256')
      .update(readFileSync(at('holders.csv')))
      .digest('hex');
    expect(JSON.parse(lines[0]!)).toMatchObject({ riskcli_review: 1, list: { name: 'holders.csv', sha256: digest } });
    expect(JSON.parse(lines[1]!)).toMatchObject({ wallet_address: address(1), _meta: { matched: ['low'] } });
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ riskcli_review_end: 1, rows: 3, exit_code: 10 });
  });

  it('tells a fall of collateral that a rule on change asks for, and each section once', async () => {
    const { json, now } = await stage({ 1: { usd: 277053491 }, 2: { level: 'Low' }, 3: { score: 600 } }, [1, 2, 3, 4]);
    const fell = ['--fail-if', 'fell: total_collateral_usd.ratio < 0.5'];
    await json(0, ...fell);
    now.world = { 1: { usd: 1500000 }, 2: { level: 'High' }, 3: { score: 590 }, 4: { usd: 700 } };
    const told = await json(7, ...fell);
    expect(names(told.to_look_at)).toEqual(['Ann']);
    expect(told.to_look_at.rows[0]).toMatchObject({ new: ['fell'], total_collateral_usd: { percent: -99.5 } });
    expect(names(told.changed)).toEqual(['Ben', 'Cem', 'Dan']);
    expect(told.changed.rows[0].texts).toEqual([{ field: 'risk_level', old: 'Low', new: 'High' }]);
    expect(told.news).toBe(true);
  });

  it('says where else reviews may be kept when its journal cannot be used', async () => {
    const { review, at } = await stage({});
    await review(0);
    writeFileSync(join(at('holders.csv.reviews'), 'unfinished.journal'), 'foreign');
    expect(await review(7)).toMatchObject({
      exitCode: 8,
      stderr: expect.stringMatching(
        /unfinished\.journal' is not a riskcli journal; keep reviews elsewhere with --keep DIR/,
      ),
    });
  });

  it('asks again for what is no answer in the kept review of the day, which somebody has edited', async () => {
    const { json, at, kept, asked } = await stage({});
    await json(0);
    const path = join(at('holders.csv.reviews'), kept()[0]!);
    const [header, first = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [header, first.replace('"total_collateral_usd":', '"was":'), ...rest].join('\n'));
    await json(0.1);
    expect(asked.sort()).toEqual([1, 1, 2, 3]);
  });

  it('pays for nothing again, though the review before it is named a second later, since its second was taken', async () => {
    const { review, kept, now, asked } = await stage({ 1: { status: 404 } });
    const HALF_A_SECOND = 0.5 / 86_400;
    await review(0);
    now.world = {};
    await review(HALF_A_SECOND);
    expect(kept()).toEqual(['2026-10-05T060312Z.jsonl', '2026-10-05T060313Z.jsonl']);
    asked.length = 0;
    await review(HALF_A_SECOND);
    expect(asked).toEqual([]);
  });

  it('is the same in the letter, on one line, in csv and json', async () => {
    const { review, json, now, at } = await stage({ 1: { score: 450 } }, [1, 2, 3, 4]);
    const first = (await review(0, ...LOW, '--brief')).stdout.split('\n');
    expect(first[1]).toBe('to look at 1: Ann (low)');
    now.world = { 1: { score: 440 }, 2: { score: 400 }, 3: { status: 404 } };
    const told = await json(7, ...LOW);
    const letter = (await review(7, ...LOW, '-o', at('rows.csv'))).stdout;
    expect(letter).toContain(`TO LOOK AT  ${told.to_look_at.count}, new ${told.to_look_at.new}`);
    expect(letter).toMatch(/^Ben .* 400 +-300 .* low \(new\)$/m);
    for (const line of letter.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(100);
    expect(letter).toContain('NOT JUDGED  1, new 1');
    const csv = readFileSync(at('rows.csv'), 'utf8').split('\n');
    expect(csv.filter((line) => line.endsWith(',low,')).length).toBe(told.to_look_at.count);
    const brief = (await review(7, ...LOW, '--brief')).stdout.split('\n');
    expect(brief.slice(1, 3)).toEqual(['to look at 2, new 1: Ben (low)', 'not judged 1, new 1: Cem']);
  });
});

describe('what it is compared with', () => {
  it.each([
    ['a hand run in mid-week, by another policy', 7, [2], '2026-10-05T060312Z.jsonl'],
    ['cron that is three minutes early', 7 - 3 / 1440, [], '2026-10-05T060312Z.jsonl'],
    ['cron that is a day late', 8, [], '2026-10-05T060312Z.jsonl'],
    ['two weeks, one of which was left out', 14, [], '2026-10-05T060312Z.jsonl'],
  ])('after %s is the review of last week', async (_, days, between, file) => {
    const { review, json } = await stage({ 1: { score: 450 } });
    await review(0, ...LOW);
    for (const day of between) await review(day, '--fail-if', 'score < 900');
    expect((await json(days, ...LOW)).compared_with.file).toBe(file);
  });

  it('with --since 1d is yesterday, with a day the one of --as-of, and is told where there is none', async () => {
    const { review, json } = await stage({});
    expect((await review(0)).stdout).toContain('the first review');
    expect((await json(1, '--since', '1d')).compared_with.file).toBe('2026-10-05T060312Z.jsonl');
    const early = await review(2);
    expect(early.stdout).toContain(
      'nothing to compare with yet: the newest is of 6 Oct 2026, and --since 2026-10-06T06:03:12Z takes it',
    );
    expect((await json(9, '--since', '2026-10-06')).compared_with.file).toBe('2026-10-06T060312Z.jsonl');
  });

  it('tells who came and left, once', async () => {
    const { json, review, list } = await stage({ 1: { score: 450 }, 4: { score: 300 } });
    await json(0, ...LOW);
    list([1, 2, 4]);
    const told = await json(7, ...LOW, '--fail-if', 'gone: change == removed');
    expect(names(told.to_look_at)).toEqual(['Dan', 'Cem', 'Ann']);
    expect(told.to_look_at.rows.map((row: { new: string[] }) => row.new)).toEqual([['low'], ['gone'], []]);
    list([1, 2, 4, 5]);
    expect(await json(14, ...LOW)).toMatchObject({ came: { count: 1 }, left: { count: 0 }, to_look_at: { new: 0 } });
    list([1, 2, 3, 4, 5]);
    const back = await json(21, ...LOW);
    expect([names(back.came), back.left.count]).toEqual([['Cem'], 0]);
    list([1, 2]);
    expect(names((await json(28, ...LOW)).left)).toEqual(['Cem', 'Dan', 'Eve']);
    expect((await review(28, ...LOW)).stdout).toMatch(/^Dan +\S+ +300 +\$1,000\.00 +left; matched before: low$/m);
  });

  it('takes the last score of a wallet that had none, and sees its fall the week after', async () => {
    const { json, review, now } = await stage({ 1: { score: 700 } });
    await json(0, ...LOW);
    now.world = { 1: { score: null } };
    const without = await json(7, ...LOW);
    expect(without.not_judged).toMatchObject({ count: 1, new: 1, rows: [{ label: 'Ann', score: { old: 700 } }] });
    expect((await review(7, ...LOW)).stdout.replace(/\n {9,}/g, ' ')).toContain('last score 700 on 5 Oct 2026');
    now.world = { 1: { score: 400 } };
    const told = await json(14, ...LOW);
    expect(told.compared_with.file).toBe('2026-10-12T060312Z.jsonl');
    expect(told.to_look_at).toMatchObject({ new: 1, rows: [{ score: { old: 700, new: 400, delta: -300 } }] });
  });

  it('tells of the end of an exception 7 days before, and on the day after', async () => {
    const { json, review, at } = await stage({ 1: { score: 450 } });
    const exceptions = [{ wallet: address(1), rule: 'low', reason: 'known', until: '2026-10-15' }];
    writeFileSync(at('policy.json'), JSON.stringify({ rules: [{ name: 'low', if: 'score < 500' }], exceptions }));
    const daily = ['--policy', at('policy.json'), '--since', '1d', '--only-news'];
    const news: boolean[] = [];
    for (let day = 0; day < 13; day++) news.push((await json(day, ...daily)).news);
    // 5 Oct has nothing to compare with, 8 Oct is 7 days before the last day, 16 Oct the day after
    // it.
    expect(news.flatMap((one, day) => (one ? [day] : []))).toEqual([0, 3, 11]);
    const { stdout } = await review(11, ...daily);
    expect(stdout).toMatch(/^Ann .* low \(new\); exception ended 15 Oct 2026$/m);
  });
});

describe('diff of kept reviews', () => {
  it('never compares one as whole that is torn, and tells of rows that were taken out', async () => {
    const { review, run, kept, at } = await stage({});
    await review(0, ...LOW);
    const whole = join(at('holders.csv.reviews'), kept()[0]!);
    const lines = readFileSync(whole, 'utf8').split('\n');
    const other = at('other.jsonl');
    for (const left of [lines.slice(0, -2), lines.slice(0, 3)]) {
      writeFileSync(other, `${left.join('\n')}\n`);
      for (const files of [
        [whole, other],
        [other, whole],
      ]) {
        const { exitCode, stdout, stderr } = await run(['diff', ...files]);
        expect([exitCode, stdout]).toEqual([9, '']);
        expect(stderr).toContain('is torn: its last line is missing');
      }
    }
    writeFileSync(other, lines.toSpliced(1, 1).join('\n'));
    const { exitCode, stderr } = await run(['diff', whole, other]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('1 row taken out of the kept review');
  });
});

describe('a review that was stopped', () => {
  it('prints nothing, leaves what there is, and is made up for by the next one, paid once', async () => {
    const { review, now, kept, asked } = await stage({ 1: { score: 450 } });
    await review(0, ...LOW);
    const stopped = await review(7, ...LOW, '--max-requests', '2');
    expect(stopped).toMatchObject({ exitCode: 7, stdout: '' });
    expect(kept()).toEqual(['2026-10-05T060312Z.jsonl', 'unfinished.journal']);
    now.isDown = true;
    expect(await review(7.1, ...LOW)).toMatchObject({ exitCode: 4, stdout: '' });
    now.isDown = false;
    asked.length = 0;
    expect((await review(7.2, ...LOW)).exitCode).toBe(10);
    expect(asked).toHaveLength(1);
    expect(kept()).toHaveLength(2);
    asked.length = 0;
    expect((await review(7.5, ...LOW)).stdout).toContain('compared with 5 Oct 2026');
    expect(asked).toEqual([]);
  });

  it.each([
    { later: 19, asks: [5] },
    { later: 21, asks: [1, 2, 3, 4, 5] },
  ])('counts all of its answers $later h after it began, if that is within --max-age', async ({ later, asks }) => {
    const { review, list, asked } = await stage({});
    await review(0, ...LOW);
    list([1, 2, 3, 4, 5]);
    // It begins with three answers that are 11 h old.
    await review(11 / 24, ...LOW, '--max-requests', '1');
    asked.length = 0;
    await review((11 + later) / 24, ...LOW);
    expect(asked.sort()).toEqual(asks);
  });

  it('is no review in which one wallet always fails', async () => {
    const { review, kept } = await stage({ 2: { status: 500 } });
    const { exitCode, stdout } = await review(0, ...LOW, '--timeout', '300ms');
    expect([exitCode, kept()]).toEqual([5, ['2026-10-05T060312Z.jsonl']]);
    expect(stdout).toContain('NOT JUDGED  1');
  });
});

describe('--as-of', () => {
  it('prints what each week printed, but for the first line, without a key; packed, too', async () => {
    const { review, run, now, list, at, kept } = await stage({ 1: { score: 450 } });
    const letters: string[] = [];
    const codes: number[] = [];
    const worlds: World[] = [{}, { 1: { score: 300 } }, { 2: { level: 'High' } }, { 3: { status: 404 } }];
    for (const [week, world] of worlds.entries()) {
      now.world = { 1: { score: 450 }, ...world };
      if (week === 2) list([1, 2, 4]);
      const { stdout, exitCode } = await review(7 * week, ...LOW);
      letters.push(stdout);
      codes.push(exitCode);
    }
    const folder = at('holders.csv.reviews');
    const packed = join(folder, kept()[1]!);
    writeFileSync(`${packed}.gz`, gzipSync(readFileSync(packed)));
    rmSync(packed);
    now.at = MONDAY + 40 * DAY;
    const asOf = (day: string, ...more: string[]) =>
      run(['review', at('holders.csv'), '--as-of', day, ...more], { env: {} });
    for (const [i, day] of ['2026-10-05', '2026-10-12', '2026-10-20', '2026-11-01'].entries()) {
      const { stdout, stderr, exitCode } = await asOf(day);
      expect({ stdout, stderr, exitCode }).toEqual({ stdout: letters[i], stderr: '', exitCode: codes[i] });
    }
    const rows = await asOf('2026-10-05', '-o', at('then.csv'));
    expect([rows.exitCode, readFileSync(at('then.csv'), 'utf8').split('\n')[0]]).toEqual([
      10,
      expect.stringContaining('matched'),
    ]);
    rmSync(join(folder, kept()[0]!));
    const gone = await asOf('2026-10-12');
    expect(gone.stdout.split('\n')[0]).toContain('is gone (2026-10-05T060312Z.jsonl): changes are left out');
    const none = await asOf('2026-10-01');
    expect([none.exitCode, none.stderr]).toEqual([
      9,
      expect.stringContaining('the oldest is from 2026-10-12T06:03:12Z'),
    ]);
  });
});

describe('the folder', () => {
  it('may be named, for lists whose names change, and for standard input', async () => {
    const { run, list, at, now, kept } = await stage({ 1: { score: 450 } });
    list([1, 2, 3], 'a.csv');
    await run(['review', at('a.csv'), '--keep', at('k'), ...LOW]);
    now.at += 7 * DAY;
    const { stdout } = await run(['review', '-', '--keep', at('k'), ...LOW], {
      stdin: `${address(1)}\n${address(2)}\n`,
    });
    expect(stdout).toMatch(/^k, 12 Oct 2026 \(UTC\): wallets 2, scored 2; compared with 5 Oct 2026/);
    expect(kept('k')).toHaveLength(2);
    now.at += 7 * DAY;
    list([4, 5, 6], 'other.csv');
    const stranger = await run(['review', at('other.csv'), '--keep', at('k')]);
    expect(stranger.stderr).toContain("fewer than half of its wallets in common with 'standard input'");
  });

  it('may have files that are torn, foreign, newer, or of another service: they are named and passed over', async () => {
    const { review, json, at } = await stage({});
    await review(0);
    const folder = at('holders.csv.reviews');
    const whole = readFileSync(join(folder, '2026-10-05T060312Z.jsonl'), 'utf8');
    const spoilt: Record<string, string> = {
      '2026-10-05T070000Z.jsonl': whole.slice(0, whole.lastIndexOf('{"riskcli_review_end')),
      '2026-10-05T080000Z.jsonl': 'nonsense\n',
      '2026-10-05T090000Z.jsonl': whole.replace('"riskcli_review":1', '"riskcli_review":2'),
      '2026-10-05T100000Z.jsonl': whole.replace(/"base_url":"[^"]*"/, '"base_url":"https://other.example"'),
    };
    for (const [name, text] of Object.entries(spoilt)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const { stdout, stderr } = await review(7.1, '--json');
    expect(JSON.parse(stdout).compared_with.file).toBe('2026-10-05T060312Z.jsonl');
    for (const name of Object.keys(spoilt)) expect(stderr).toContain(name);
    const lines = whole.split('\n');
    writeFileSync(join(folder, '2026-10-05T060312Z.jsonl'), [lines[0], ...lines.slice(2)].join('\n'));
    for (const name of Object.keys(spoilt)) rmSync(join(folder, name));
    const taken = await review(7.2, '--json');
    expect(taken.stderr).toContain('1 row taken out');
    expect(names(JSON.parse(taken.stdout).came)).toEqual(['Ann']);
    expect((await json(7.3)).compared_with.file).toBe('2026-10-05T060312Z.jsonl');
  });

  it('of the sandbox is another one', async () => {
    const { review, run, at, kept } = await stage({});
    await review(0);
    await run(['review', at('holders.csv'), '--sandbox'], { env: {} });
    expect([kept().length, kept('holders.csv.sandbox-reviews').length]).toEqual([1, 1]);
  });

  it('takes two reviews at once: the second exits 11, and nothing of the first is lost', async () => {
    const { run, at, kept } = await stage({});
    const args = ['review', at('holders.csv')];
    const ends = await Promise.all([run(args), run(args)]);
    expect(ends.map(({ exitCode }) => exitCode).sort()).toEqual([0, 11]);
    expect(kept()).toEqual(['2026-10-05T060312Z.jsonl']);
  });

  it('has the next free name where there is one already, also after the clock was a year ahead once', async () => {
    const { review, json, kept } = await stage({});
    await review(365);
    await review(0);
    await review(0);
    expect(kept()).toEqual(['2026-10-05T060312Z.jsonl', '2026-10-05T060313Z.jsonl', '2027-10-05T060312Z.jsonl']);
    expect((await json(7)).compared_with.file).toBe('2026-10-05T060312Z.jsonl');
  });

  it('is left as it is by a dry run', async () => {
    const { review, at, asked } = await stage({});
    expect((await review(0, '--dry-run')).stdout).toContain('requests_needed\t3');
    expect([existsSync(at('holders.csv.reviews')), asked]).toEqual([false, []]);
  });
});

describe('--only-news', () => {
  it('is silent about rows that are comments where there is no news, and tells them otherwise', async () => {
    const { review, at } = await stage({});
    writeFileSync(at('holders.csv'), `${readFileSync(at('holders.csv'), 'utf8')}#Dora,${address(9)}\n`);
    const told = expect.stringMatching(/^riskcli: rows that are comments: 1, first on line 5; put the # in quotes/);
    expect(await review(0)).toMatchObject({ stderr: told, exitCode: 0 });
    expect(await review(7)).toMatchObject({ stderr: told, exitCode: 0 });
    expect(await review(14, '--only-news')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  it('prints nothing, not even the line of the exit code, where nothing is new', async () => {
    const { review, now } = await stage({ 1: { score: 450 }, 2: { status: 404 } });
    expect((await review(0, ...LOW, '--only-news')).stdout).not.toBe('');
    now.world = { 1: { score: 452 }, 2: { status: 404 }, 3: { usd: 1300 } };
    expect(await review(7, ...LOW, '--only-news')).toEqual({ stdout: '', stderr: '', exitCode: 10 });
    now.world = { 1: { score: 452 }, 3: { usd: 400 } };
    expect((await review(14, ...LOW, '--only-news')).stdout).toContain('CHANGED');
  });
});

describe('duplicates', () => {
  it('are one wallet, whose first row counts', async () => {
    const { json, at } = await stage({ 1: { score: 450 } });
    writeFileSync(at('holders.csv'), `name,wallet\nAnn,${address(1)}\nBen,${address(2)}\nAnn again,${address(1)}\n`);
    await json(0, ...LOW);
    expect(await json(7, ...LOW)).toMatchObject({
      rows: 3,
      wallets: 2,
      came: { count: 0 },
      left: { count: 0 },
      to_look_at: { count: 1 },
    });
  });
});

describe('what is refused, before anything is paid', () => {
  it.each([
    [['--since', '2027-01-01'], 2, '--since is in the future'],
    [['--as-of', '2027-01-01'], 2, '--as-of is in the future'],
    [['--keep', 'FILE'], 2, 'is not a folder'],
    [['--keep', 'FILE/below'], 2, 'is not a folder'],
    [['-o', 'rows.txt'], 2, 'does not say what to write; end it in .html'],
    [['--as-of', '2026-10-01', '--fail-if', 'score < 1'], 2, '--as-of cannot be used with --'],
    [['--brief', '--json'], 2, '--brief is text'],
    [['--label', 'nonsense'], 2, 'no column'],
  ])('%j', async (args, exitCode, told) => {
    const { review, at, asked } = await stage({});
    writeFileSync(at('FILE'), '');
    const { stderr, ...end } = await review(0, ...args.map((word) => word.replace('FILE', at('FILE'))));
    expect({ ...end, asked }).toEqual({ exitCode, stdout: '', asked: [] });
    expect(stderr).toContain(told);
  });

  it('a list from standard input without --keep', async () => {
    const { run } = await stage({});
    expect(await run(['review', '-'], { stdin: '' })).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('a list that cannot be looked at', async () => {
    const { run, at } = await stage({});
    symlinkSync('self', at('self'));
    expect(await run(['review', at('self')])).toMatchObject({ exitCode: 9, stdout: '' });
  });

  it('a rule on change in profile', async () => {
    const { run, at, asked } = await stage({});
    const { exitCode, stderr } = await run(['profile', '-f', at('holders.csv'), '--fail-if', 'score.ratio < 0.5']);
    expect([exitCode, asked, stderr]).toEqual([2, [], expect.stringContaining('only review and diff compare')]);
  });
});

describe('the page of a review', () => {
  it('has the words and numbers of the letter, then and afterwards', async () => {
    const { review, json, run, at, now } = await stage({ 1: { score: 450 }, 2: { score: 480 }, 3: { status: 404 } });
    await review(0, ...LOW);
    now.world[2] = { score: 700 };
    now.world[1] = { score: 410 };
    const page = at('monday.html');
    const told = await json(7, ...LOW, '-o', page);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('<title>holders.csv, 12 Oct 2026</title>');
    expect(html).toMatch(/<h1>holders\.csv, 12 Oct 2026<\/h1><p class="note">(rows|wallets) 3, /);
    expect(html).toContain('compared with 5 Oct 2026 (2026-10-05T060312Z.jsonl)');
    for (const [name, section] of [
      ['To look at', told.to_look_at],
      ['Not judged', told.not_judged],
      ['Changed', told.changed],
    ] as const) {
      expect(html).toContain(`>${name}: ${section.count}`);
    }
    expect(html).toContain('<code>low: score &lt; 500</code>');
    expect(html).toContain(told.list.sha256);
    expect(html).toContain('>-40</td>');
    const tiles = [...html.matchAll(/<div class="tile">([^<]*)<.*?<strong>(.*?)<\/strong>/g)].map(([, ...one]) => one);
    expect(tiles).toEqual([
      ['to look at', String(told.to_look_at.count)],
      ['not judged', String(told.not_judged.count)],
      ['changed', String(told.changed.count)],
    ]);
    const rows = JSON.parse(/id="data">(.*)<\/script>/.exec(html)?.[1] ?? '').rows;
    expect(rows.map(({ section }: { section: string }) => section)).toEqual(['to look at', 'changed', 'not judged']);
    const sections = (path: string) => /<header[\s\S]*?(?=<section id="shares")/.exec(readFileSync(path, 'utf8'))?.[0];
    await review(8, '--as-of', '2026-10-12', '-o', at('again.html'));
    await run(['report', join(at('holders.csv.reviews'), '2026-10-12T060312Z.jsonl'), '-o', at('report.html')]);
    expect(sections(at('again.html'))).toBe(sections(page));
    expect(sections(at('report.html'))).toBe(sections(page));
    expect(sections(page)).toBeDefined();
    expect(readFileSync(page, 'utf8')).not.toContain('made up');
  });

  it('opens the card of the row that matched, of a wallet that is listed twice', async () => {
    const { run, at } = await stage({});
    writeFileSync(at('twice.csv'), `name,exposure,wallet\nAnn,100,${address(1)}\nBob,9000,${address(1)}\n`);
    await run(['review', at('twice.csv'), '--fail-if', 'large: input.exposure > 1000', '-o', at('page.html')]);
    const html = readFileSync(at('page.html'), 'utf8');
    expect(/id="review-to-look-at".*?<tr [^>]*data-row="(\d)">.*?<b>(\w+)</.exec(html)?.slice(1)).toEqual(['1', 'Bob']);
  });

  it('of a sandbox says first that its data is made up, and so do its figures', async () => {
    const { review, run, at } = await stage({});
    await review(0, '--sandbox', '-o', at('page.html'));
    const first = /<header[^>]*>(.*?)<h1>/.exec(readFileSync(at('page.html'), 'utf8'))?.[1];
    expect(first).toBe('<p class="synthetic">Sandbox: synthetic data, made up for trying riskcli.</p>');
    const kept = join(at('holders.csv.sandbox-reviews'), '2026-10-05T060312Z.jsonl');
    expect((await run(['report', kept])).stdout).toMatch(/^Sandbox: synthetic data/);
    expect(JSON.parse((await run(['report', kept, '--json'])).stdout)).toMatchObject({ synthetic: true });
  });
});

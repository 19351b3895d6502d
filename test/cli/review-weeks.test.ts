/**
 * What weeks of use showed: Mondays that failed, wallets that had no score, and reviews that are
 * told again.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LOW, names, stage, type World } from '../fixtures/cli/review-weeks.ts';
import { address } from '../fixtures/place/wallets.ts';

const FELL = ['--fail-if', 'fell: total_collateral_usd.ratio < 0.5'] as const;
const FAILED = { status: 404 };
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('a Monday that failed half-way', () => {
  it('and was made good two hours later, is compared with as it was then', async () => {
    const { review, json, now } = await stage({}, [1, 2]);
    await review(0, ...FELL);
    now.world = { 1: FAILED, 2: FAILED };
    await review(7, ...FELL);
    now.world = { 1: { usd: 3000 }, 2: { usd: 400 } };
    const again = await json(7.1, ...FELL);
    expect([again.compared_with.file, names(again.to_look_at)]).toEqual(['2026-10-05T060312Z.jsonl', ['Ben']]);
    now.world = { 1: { usd: 600 }, 2: { usd: 400 } };
    const told = await json(14, ...FELL);
    expect(told.compared_with.file).toBe('2026-10-12T060312Z.jsonl');
    expect(told.to_look_at).toMatchObject({ count: 1, new: 1, rows: [{ label: 'Ann' }] });
    // Both are of the day that the first line names.
    expect((await review(14, ...FELL)).stdout).not.toContain('since');
  });
});

describe('a week without a score', () => {
  it('is compared with in what it had: the collateral with it, the score with the last one', async () => {
    const { review, json, now } = await stage({}, [1, 2]);
    await review(0, ...FELL);
    now.world = { 1: { usd: 3000, score: null }, 2: { usd: 400, score: null } };
    expect(names((await json(7, ...FELL)).to_look_at)).toEqual(['Ben']);
    now.world = { 1: { usd: 600, score: 650 }, 2: { usd: 400 } };
    const told = await json(14, ...FELL);
    expect(told.to_look_at).toMatchObject({
      count: 1,
      rows: [{ label: 'Ann', new: ['fell'], score: { old: 700, delta: -50 }, total_collateral_usd: { percent: -80 } }],
    });
    const { stdout } = await review(14, ...FELL);
    expect(stdout).toMatch(/^Ann .* 650 +-50 +\$600\.00 +-80\.0% +fell \(new\); score since 5 Oct 2026$/m);
  });

  it('takes no score of a review that is torn, or of another service', async () => {
    const { review, json, now, at } = await stage({ 1: { score: 600 } });
    await review(0, ...LOW);
    const folder = at('holders.csv.reviews');
    const whole = readFileSync(join(folder, '2026-10-05T060312Z.jsonl'), 'utf8').replaceAll('600', '999');
    writeFileSync(join(folder, '2026-10-06T060312Z.jsonl'), whole.slice(0, whole.lastIndexOf('{"riskcli_review_end')));
    writeFileSync(
      join(folder, '2026-10-07T060312Z.jsonl'),
      whole.replace(/"base_url":"[^"]*"/, '"base_url":"https://other.example"'),
    );
    now.world = { 1: { score: null } };
    await review(7, ...LOW);
    now.world = { 1: { score: 400 } };
    expect((await json(14, ...LOW)).to_look_at.rows[0].score).toMatchObject({ old: 600, new: 400 });
  });

  it('shows that there is no score today, with the last one and its date', async () => {
    const { review, json, now } = await stage({ 1: { score: 528 }, 2: { score: 600 } }, [1, 2]);
    const poor = [...LOW, '--fail-if', 'poor: total_collateral_usd < 500'];
    await review(0, ...poor);
    now.world = { 1: { score: null, usd: 400 }, 2: FAILED };
    const { stdout } = await review(7, ...poor);
    expect(stdout.replace(/\n {9,}/g, ' ')).toMatch(
      /^Ann .* no score +\$400\.00 +-60\.0% +poor \(new\); not judged by low: no score \(new\); last score 528 on 5 Oct 2026$/m,
    );
    expect(stdout.replace(/\n {9,}/g, ' ')).toMatch(/^Ben +\S+ +- +- +.*; last score 600 on 5 Oct 2026$/m);
    expect((await json(7, ...poor)).to_look_at.rows[0].score).toMatchObject({ old: 528, new: null });
    now.world = { 1: { usd: 800 }, 2: { usd: 3000 } };
    const changed = (await review(14, ...poor)).stdout;
    expect(changed).toMatch(/^Ann .* \+172 .* \+100\.0% +no longer poor; score since 5 Oct 2026$/m);
    expect(changed.replace(/\n {9,}/g, ' ')).toMatch(
      /^Ben .* \+100 .* \+200\.0% +score since 5 Oct 2026; collateral since 5 Oct 2026$/m,
    );
  });
});

describe('--as-of', () => {
  it('of the first review is its letter, also when there are others', async () => {
    const { review, kept, at } = await stage({});
    const { stdout } = await review(0.00001);
    expect(stdout).toContain('the first review');
    expect((await review(1, '--as-of', '2026-10-05')).stdout).toBe(stdout);
    await review(7);
    expect((await review(8, '--as-of', '2026-10-05')).stdout).toBe(stdout);
    expect(kept()).toHaveLength(2);
    expect(existsSync(at('holders.csv.reviews'))).toBe(true);
  });

  it('names the reviews from which scores were taken, and says so when one is gone', async () => {
    const { review, at, now, kept } = await stage({ 1: { score: 700 } });
    await review(0, ...LOW);
    now.world = { 1: { score: null } };
    // Of the third day's nothing is taken.
    for (const day of [3, 7]) await review(day, ...LOW);
    now.world = { 1: { score: 400 } };
    const { stdout } = await review(14, ...LOW);
    const [first = '', , , last = ''] = kept().map((name) => join(at('holders.csv.reviews'), name));
    const end = JSON.parse(readFileSync(last, 'utf8').trimEnd().split('\n').at(-1) ?? '');
    expect(end.values_from).toEqual([{ name: '2026-10-05T060312Z.jsonl', sha256: sha256(first) }]);
    writeFileSync(`${first}.gz`, gzipSync(readFileSync(first)));
    rmSync(first);
    expect((await review(20, '--as-of', '2026-10-19')).stdout).toBe(stdout);
    rmSync(`${first}.gz`);
    const { stderr } = await review(20, '--as-of', '2026-10-19');
    expect(stderr).toContain("values were taken from '2026-10-05T060312Z.jsonl', which is gone");
  });

  it('writes the same rows as the review did', async () => {
    const { review, at } = await stage({ 1: { score: 450 }, 2: FAILED });
    writeFileSync(
      at('holders.csv'),
      `id,wallet,name\n7,${address(1)},Ann\n8,${address(2)},Ben\n99,nonsense,"C, em"\n9,${address(3)},Dan\n`,
    );
    for (const name of ['rows.csv', 'rows.jsonl', 'rows.json']) {
      await review(0, ...LOW, '-o', at(name));
      await review(1, '--as-of', '2026-10-05', '-o', at(`then-${name}`));
      expect(readFileSync(at(`then-${name}`), 'utf8')).toBe(readFileSync(at(name), 'utf8'));
    }
  });
});

describe('what is paid', () => {
  it('is forecast with the answers of the newest kept review', async () => {
    const { review, asked, at } = await stage({});
    await review(0);
    const { stdout } = await review(1 / 24, '--dry-run');
    expect(stdout).toContain('known_from_journal\t3\n');
    expect(stdout).toContain('requests_needed\t0\n');
    expect((await review(21 / 24, '--dry-run')).stdout).toContain('requests_needed\t3\n');
    expect([asked.length, readdirSync(at('holders.csv.reviews'))]).toEqual([3, ['2026-10-05T060312Z.jsonl']]);
  });

  it('and used again is a note, but not with --only-news where there is none', async () => {
    const { review } = await stage({});
    await review(0);
    await review(7);
    expect((await review(7.1)).stderr).toBe(
      'riskcli: answers used again: 3, the oldest dated 2026-10-12T06:03:12.000Z\n',
    );
    expect(await review(7.2, '--only-news')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });
});

describe('the folder of a list that cannot be read', () => {
  it('is not left behind empty, and one that was there is', async () => {
    const { review, run, at, now } = await stage({});
    writeFileSync(at('holders.csv'), 'id,name\n1,Ann\n');
    expect((await review(0)).exitCode).toBe(9);
    expect(existsSync(at('holders.csv.reviews'))).toBe(false);
    now.isDown = true;
    writeFileSync(at('holders.csv'), `${address(1)}\n`);
    expect((await review(0, '--keep', at('a/b'))).exitCode).toBe(4);
    expect(existsSync(at('a/b'))).toBe(false);
    expect((await run(['review', at('none.csv')])).exitCode).not.toBe(0);
    expect(existsSync(at('none.csv.reviews'))).toBe(false);
  });
});

describe('an exception that ends', () => {
  it('is told with the label and the address', async () => {
    const { review, at } = await stage({ 1: { score: 450 } });
    const exceptions = [{ wallet: address(1), rule: 'low', reason: 'known', until: '2026-10-10' }];
    writeFileSync(at('policy.json'), JSON.stringify({ rules: [{ name: 'low', if: 'score < 500' }], exceptions }));
    const { stdout } = await review(0, '--policy', at('policy.json'));
    expect(stdout).toContain(`\nAnn  ${address(1)}  low, ends 10 Oct 2026\n`);
  });
});

describe('a torn review', () => {
  it('is told in one line', async () => {
    const { review, at, kept } = await stage({});
    await review(0);
    const path = join(at('holders.csv.reviews'), kept()[0] ?? '');
    const whole = readFileSync(path, 'utf8');
    for (const text of [whole.slice(0, -40), whole.slice(0, whole.length / 2)]) {
      writeFileSync(path, text);
      const { stderr, stdout } = await review(7);
      expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('is passed over: ')]);
      expect(stdout).toContain('; nothing to compare with: the reviews that are old enough were passed over\n');

      rmSync(join(at('holders.csv.reviews'), '2026-10-12T060312Z.jsonl'));
    }
  });
});

describe('what the mail is about', () => {
  const all = Array.from({ length: 60 }, (_, i) => i + 1);
  const everyWallet = (world: (number: number) => World[number]): World =>
    Object.fromEntries(all.map((number) => [number, world(number)]));

  it('stands first, in a section of more rows than the letter shows', async () => {
    const { review, now } = await stage(
      everyWallet(() => ({ score: 400 })),
      all,
    );
    await review(0, ...LOW);
    now.world = everyWallet((number) => ({ score: 400, level: number === 39 ? 'High' : 'Low' }));
    const letter = (await review(7, ...LOW, '--only-news')).stdout.split('\n');
    expect(letter.findIndex((line) => line.startsWith('TO LOOK AT  60'))).toBe(2);
    expect(letter[3]).toMatch(/^Owner 39 .*Low -> High/);
    const brief = (await review(7, ...LOW, '--brief')).stdout.split('\n');
    expect(brief[1]).toBe('to look at 60: Owner 39 (changed)');
  });

  it('stands among the changes, though larger ones are no news', async () => {
    const { review, json, now } = await stage({}, all);
    await review(0);
    now.world = everyWallet((number) => ({ score: 700 - (number % 9), usd: number === 20 ? 300 : 1000 }));
    const letter = (await review(7, '--only-news')).stdout.split('\n');
    expect(letter[3]).toMatch(/^Owner 20 .*-70\.0%/);
    const { rows } = (await json(7)).changed;
    expect(rows.filter(({ news }: { news: boolean }) => news)).toEqual([rows[0]]);
  });

  it('is all of what is news, where more than ten have changed so', async () => {
    const { review, now } = await stage({}, all);
    await review(0);
    now.world = everyWallet((number) => ({ usd: number <= 15 ? 300 : 1000 }));
    const letter = (await review(7, '--only-news')).stdout;
    expect(letter.match(/-70\.0%/g)).toHaveLength(15);
  });

  it('is an alarm that ended only where its rule is gone or weaker, and the letter names the others', async () => {
    const { review, json, now, at } = await stage({ 1: { score: 450 }, 2: { score: 450 } });
    await review(0, ...LOW);
    now.world = { 1: { score: 450 }, 2: { score: 460 } };
    const weaker = ['--fail-if', 'low: score < 300', '--only-news'];
    expect(await review(7, ...weaker)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'riskcli: rules that matched before are gone or weaker: low (wallets 2)\n',
    });
    expect((await json(7)).cleared_by_rule).toEqual([{ rule: 'low', wallets: 2 }]);
    const page = at('page.html');
    const { stdout } = await review(7, '--fail-if', 'low: score < 300', '-o', page);
    for (const told of [stdout, readFileSync(page, 'utf8'), (await review(7, '--brief')).stdout])
      expect(told).toContain('rules that matched before are gone or weaker: low (wallets 2)');
    now.world = { 1: { score: 450 }, 2: { score: 600 } };
    const told = await json(7, ...LOW, '--max-age', '0');
    expect([told.news, told.changed.rows[0].cleared, told.cleared_by_rule]).toEqual([true, ['low'], []]);
    expect((await review(7, ...LOW)).stdout).toMatch(/^Ben .* no longer low$/m);
  });

  it.each<[string, World[number]]>([
    ['failed', FAILED],
    ['had an incomplete answer', { score: 600, errors: { aave: 'timeout' } }],
  ])('is an alarm that ended, after a week in which the wallet %s', async (_, between) => {
    const { review, now } = await stage({ 1: { score: 450 } });
    await review(0, ...LOW);
    now.world = { 1: between };
    await review(7, ...LOW);
    now.world = { 1: { score: 600 } };
    expect((await review(14, ...LOW)).stdout).toMatch(/^Ann .*no longer low/m);
  });

  it('is all that could be judged, on a day when no answer has a field that they had before', async () => {
    const { review, now, kept } = await stage({});
    const rules = [...LOW, '--fail-if', 'bad: defi_score.risk_level == High'];
    await review(0, ...rules);
    now.levelName = 'tier';
    now.world = { 2: { score: 400 } };
    const { stdout, stderr, exitCode } = await review(7, ...rules);
    expect([exitCode, kept().length]).toEqual([10, 2]);
    expect(stderr).toContain('matched 1, not judged 2');
    expect(stdout).toMatch(/^Ben .*\n +low \(new\)/m);
    expect(stdout).toContain('NOT JUDGED  2, new 2');
    expect(stdout).toMatch(/^Ann .* not judged by bad: no defi_score\.risk_level \(new\)/m);
  });

  it('is a text that the service ceases to send for all, and what it is when it comes back', async () => {
    const { review, now } = await stage({ 1: { level: 'High' } });
    await review(0);
    now.levelName = 'tier';
    expect((await review(7, '--only-news')).stdout).toMatch(/^Ann .*risk_level High -> none; tier none -> High/m);
    now.levelName = 'risk_level';
    now.world = { 2: { level: 'High' } };
    expect((await review(14, '--only-news')).stdout).toMatch(/^Ben .*risk_level none -> High/m);
  });

  it('has in a brief which rules are new by rule, and which only watch', async () => {
    const { review, at } = await stage({ 1: { score: 450 } });
    const policy = (rules: object[]) => writeFileSync(at('p.json'), JSON.stringify({ rules, exceptions: [] }));
    policy([{ name: 'old', if: 'score < 0' }]);
    await review(0, '--policy', at('p.json'));
    policy([
      { name: 'low', if: 'score < 500' },
      { name: 'mid', if: 'score < 600', level: 'watch' },
    ]);
    const brief = (await review(7, '--policy', at('p.json'), '--brief')).stdout.split('\n');
    expect(brief[1]).toBe('to look at 1, new by rule 1: Ann (low by rule, watch: mid by rule)');
  });

  it('is no number that is sent as text', async () => {
    const { review, now } = await stage({ 1: { level: '0.30' } });
    await review(0);
    now.world = { 1: { level: '0.3' } };
    expect((await review(7, '--only-news')).stdout).toBe('');
  });
});

it('dates what a wallet was that has left, and had no answer in the review compared with', async () => {
  const { review, list, now } = await stage({ 1: { score: 603 } });
  await review(0);
  now.world = { 1: { status: 404 } };
  await review(7);
  list([2, 3]);
  expect((await review(14)).stdout).toMatch(/^Ann .* 603 .* left; score of 5 Oct 2026; collateral of 5 Oct 2026$/m);
});

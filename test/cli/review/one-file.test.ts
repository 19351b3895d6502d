/**
 * All that a review prints and writes is made of its kept file alone, then and later: the letter,
 * --brief, --json, and in the file of -o the page or the rows.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { DAY, LOW, MONDAY, stage } from '../../fixtures/cli/review-weeks.ts';
import { address } from '../../fixtures/place/wallets.ts';

const FORMATS = ['csv', 'json', 'jsonl', 'xlsx', 'html'];

/** The SHA-256 of a file without its own path, which a page shows in its command line. */
const digest = (path: string, name = path) =>
  createHash('sha256').update(readFileSync(path, 'latin1').replaceAll(name, '')).digest('hex');

/** Two Mondays and the words of a third, of a list with a BOM and semicolons. */
async function threeWeeks() {
  const place = await stage({ 1: { score: 450 }, 2: { score: 480 } });
  const { review, now, at } = place;
  const list = (...numbers: readonly number[]) =>
    writeFileSync(
      at('holders.csv'),
      `\ufeffname;desk;wallet\n${numbers.map((one) => `Owner ${one};a,b;${address(one)}\n`).join('')}`,
    );
  list(1, 2, 3, 4);
  await review(0, ...LOW);
  now.world = { 1: { status: 404 }, 2: { score: 480 }, 3: { score: 300 } };
  await review(7, ...LOW);
  now.world = { 1: { score: 440 }, 3: { score: 320, errors: { aave: 'timed out' } } };
  list(1, 2, 3, 5);
  const third = (...words: readonly string[]) => review(14, ...LOW, ...words);
  const later = (...words: readonly string[]) => review(40, '--as-of', '2026-10-19', ...words);
  return { ...place, third, later };
}

it('prints and writes the same as on its day when all other files are deleted', async () => {
  const { run, kept, at, third, later, now } = await threeWeeks();
  const first = await third();
  const file = join(at('holders.csv.reviews'), kept()[2]!);
  async function everything(name: string) {
    const output = (extension: string) => at(`${name}.${extension}`);
    const ends = [await later(), await later('--brief'), await later('--json')];
    for (const format of FORMATS) ends.push(await later('-o', output(format)));
    ends.push(await run(['report', file]), await run(['report', file, '--json']));
    ends.push(await run(['report', file, '-o', output('page.html')]));
    return { ends, files: [...FORMATS, 'page.html'].map((format) => digest(output(format), at(name))) };
  }
  now.at = MONDAY + 40 * DAY;
  const before = await everything('one');
  for (const other of kept()) if (other !== basename(file)) rmSync(join(at('holders.csv.reviews'), other));
  rmSync(at('holders.csv'));
  const after = await everything('two');
  expect(after).toEqual(before);
  expect(before.ends[0]).toEqual({ ...first, stderr: '' });
  expect(kept()).toHaveLength(1);
});

it('writes with --as-of what -o wrote on the day of the review, in each format', async () => {
  const { at, run, file, third, later: asOf } = await threeWeeks();
  for (const format of FORMATS) {
    const [then, afterwards] = [at(`then.${format}`), at(`later.${format}`)];
    expect((await third('-o', then)).exitCode).toBe(10);
    expect((await asOf('-o', afterwards)).exitCode).toBe(10);
    if (format !== 'html') expect([format, digest(afterwards)]).toEqual([format, digest(then)]);
  }
  await run(['report', file(-1), '-o', at('report.html')]);
  const [page, later, report] = ['then', 'later', 'report'].map((name) => readFileSync(at(`${name}.html`), 'utf8'));
  const sections = (html = '') => /<header[\s\S]*?(?=<section id="shares")/.exec(html)?.[0];
  expect([sections(later), sections(report)]).toEqual([sections(page), sections(page)]);
  expect(sections(page)).toContain('low since 5 Oct: 440');
  const csv = readFileSync(at('later.csv'), 'utf8').split('\n');
  expect(csv[0]).toBe(
    '\ufeffname;desk;wallet;wallet_address;status;total_collateral_usd;score;answered_at;warning;error;matched;unjudged',
  );
  expect(csv[1]).toMatch(/^Owner 1;a,b;0x0+1;0x0+1;scored;1000;440;2026-10-19T.*;;;low;$/);
  expect(csv).toHaveLength(6);
  expect(JSON.parse(readFileSync(at('later.json'), 'utf8'))[0]._meta.alarms).toHaveLength(1);
});

it('writes a header when the kept file has no rows left; for a JSON list, of its members', async () => {
  const { review, run, at, kept, file } = await stage({});
  await review(0);
  const lines = readFileSync(file(0), 'utf8').split('\n');
  writeFileSync(file(0), [lines[0], ...lines.slice(-2)].join('\n'));
  const { exitCode, stderr } = await review(1, '--as-of', '2026-10-05', '-o', at('rows.csv'));
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('3 rows were removed; the others are not verified')]);
  expect(readFileSync(at('rows.csv'), 'utf8')).toBe(
    'name,wallet,wallet_address,status,total_collateral_usd,score,answered_at,warning,error\n',
  );
  writeFileSync(at('list.json'), JSON.stringify([{ wallet: address(1), desk: 'a', tags: ['x'] }]));
  await run(['review', at('list.json')]);
  await run(['review', at('list.json'), '--as-of', '2026-10-06', '-o', at('json.csv')]);
  expect(readFileSync(at('json.csv'), 'utf8').split('\n')[0]).toMatch(/^wallet,desk,wallet_address,status,/);
  expect(kept('list.json.reviews')).toHaveLength(1);
});

it('writes with -o the alarms that are open, confirmed today or not, as the letter has them', async () => {
  const { review, run, at, now, policy } = await stage({ 1: { score: 450 }, 2: { score: 450 }, 3: { usd: 5 } });
  const words = policy(
    [
      { name: 'low', if: 'score < 500' },
      { name: 'thin', if: 'total_collateral_usd < 10', level: 'watch' },
    ],
    [2, 3].map((one) => ({ wallet: address(one), rule: 'low', reason: 'known' })),
  );
  await review(0, ...words);
  now.world = { 1: { score: 650, errors: { aave: 'late' } }, 2: { status: 404 }, 3: { status: 404 } };
  for (const format of ['csv', 'jsonl']) await review(7, ...words, '-o', at(`rows.${format}`));
  const [names, ...rows] = readFileSync(at('rows.csv'), 'utf8').trim().split('\n');
  expect(names).toMatch(/,matched,unjudged,excused,watched$/);
  const cells = rows.map((row) => row.split(',').slice(-4));
  expect(cells).toEqual([
    ['low', '', '', ''],
    ['', 'thin', 'low: known', ''],
    ['', '', 'low: known', 'thin'],
  ]);
  for (const format of ['csv', 'jsonl']) {
    expect((await run(['report', at(`rows.${format}`)])).stdout).toMatch(/^low +1 +0 +2 +33.3%$/m);
  }
});

it('writes the file of -o with --only-news as well, though nothing is printed', async () => {
  const { review, at } = await stage({});
  await review(0, '--only-news');
  for (const format of FORMATS) {
    const output = at(`rows.${format}`);
    expect(await review(7, '--only-news', '-o', output)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(existsSync(output), format).toBe(true);
  }
});

it('keeps the review before it writes the file of -o, so that --as-of can print it if -o fails', async () => {
  const { review, at, kept, now } = await stage({ 1: { score: 450 } });
  mkdirSync(at('out'));
  now.onRequest = () => rmSync(at('out'), { recursive: true, force: true });
  const { exitCode, stderr, stdout } = await review(0, ...LOW, '-o', at('out/rows.csv'));
  expect([exitCode, kept()]).toEqual([8, ['2026-10-05T060312Z.jsonl']]);
  expect(stdout).toContain('OPEN ALARMS  1');
  expect(stderr).toMatch(/the review is kept: riskcli review \S+ --as-of 2026-10-05T06:03:12Z prints it again\n$/);
  expect(await review(1, '--as-of', '2026-10-05T06:03:12Z')).toMatchObject({ stdout, exitCode: 10 });
});

it('prints with --as-of the newest review up to that time, names its day, and returns its exit code', async () => {
  const { review, run, at, now } = await stage({ 1: { score: 450 } });
  const first = await review(0, ...LOW);
  now.world = {};
  const second = await review(7.2, ...LOW);
  now.at = MONDAY + 40 * DAY;
  const asOf = (when: string) => run(['review', at('holders.csv'), '--as-of', when], { env: {} });
  const newest = (day: string) => `riskcli: the newest review up to then is of ${day}\n`;
  for (const [when, { stdout, exitCode }, stderr] of [
    ['2026-10-05', first, ''],
    ['2026-10-11', first, newest('5 Oct 2026')],
    ['2026-10-12T09:00:00Z', first, newest('5 Oct 2026')],
    ['2026-10-12', second, ''],
    ['3w', second, newest('12 Oct 2026')],
  ] as const)
    expect(await asOf(when), when).toEqual({ stdout, stderr, exitCode });
  expect(await asOf('2026-10-01')).toEqual({
    stdout: '',
    stderr: expect.stringContaining('the oldest is from 2026-10-05T06:03:12Z; name a later time\n'),
    exitCode: 9,
  });
  const kept = await run(['review', '--keep', at('holders.csv.reviews'), '--as-of', '2026-10-05'], { env: {} });
  expect(kept.stdout).toBe(first.stdout);
});

it('falls back to the next older review if one is torn, and reads a packed one', async () => {
  const { review, file } = await stage({ 1: { score: 450 } });
  const first = await review(0, ...LOW);
  await review(7, ...LOW);
  const text = readFileSync(file(1), 'utf8');
  writeFileSync(file(1), text.slice(0, -20));
  const torn = file(1);
  writeFileSync(`${file(0)}.gz`, gzipSync(readFileSync(file(0))));
  rmSync(file(0));
  const { stdout, stderr, exitCode } = await review(8, '--as-of', '2026-10-12');
  expect([stdout, exitCode]).toEqual([first.stdout, 10]);
  expect(stderr).toContain(`${basename(torn)}' is skipped: it is torn: its last line is missing`);
  expect(stderr).toContain('the newest review up to then is of 5 Oct 2026');
});

it('names a list from standard input after the folder of its reviews', async () => {
  const { run, at, now, kept, list } = await stage({ 1: { score: 450 } });
  list([1, 2, 3], 'a.csv');
  await run(['review', at('a.csv'), '--keep', at('k'), ...LOW]);
  now.at += 7 * DAY;
  const stdin = `${address(1)}\n${address(2)}\n`;
  const { stdout } = await run(['review', '-', '--keep', at('k'), ...LOW], { stdin });
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'k, 12 Oct 2026 (days are UTC): compared with 5 Oct',
    'wallets 2, scored 2',
  ]);
  expect(kept('k')).toHaveLength(2);
});

it('begins every output of a sandbox with a note that its data is synthetic', async () => {
  const { review, run, at, file } = await stage({});
  const SYNTHETIC = 'Sandbox: synthetic data, made up for trying riskcli.';
  for (const words of [[], ['--brief']]) {
    expect((await review(0, '--sandbox', ...words, '-o', at('page.html'))).stdout.split('\n')[0]).toBe(SYNTHETIC);
  }
  expect(/<header[^>]*>(.*?)<h1>/.exec(readFileSync(at('page.html'), 'utf8'))?.[1]).toContain(SYNTHETIC);
  const kept = join(at('holders.csv.sandbox-reviews'), '2026-10-05T060312Z.jsonl');
  expect((await run(['report', kept])).stdout.split('\n')[0]).toBe(SYNTHETIC);
  await review(0);
  expect(readFileSync(file(0), 'utf8')).not.toContain('sandbox');
});

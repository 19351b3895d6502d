/** The folder of kept reviews: what is kept, and what of it is skipped, named or not trusted. */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { DAY, LOW, MONDAY, names, stage } from '../../fixtures/cli/review-weeks.ts';
import { address } from '../../fixtures/place/wallets.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

it('keeps a header, each row of the list, a line for each removed wallet, and a last line with a hash', async () => {
  const { review, list, at, file, policy } = await stage({ 1: { score: 450 } });
  const words = policy([{ name: 'low', if: 'score < 500', note: 'call' }]);
  const files = [readFileSync(at('holders.csv'), 'utf8'), readFileSync(at('policy.json'), 'utf8')].map(sha256);
  await review(0, ...words, '--accept', 'failed');
  list([2, 3]);
  await review(7, ...words);
  expect([statSync(at('holders.csv.reviews')).mode & 0o777, statSync(file(0)).mode & 0o777]).toEqual([0o700, 0o600]);
  const [first, second] = [0, 1].map((n) => readFileSync(file(n), 'utf8').trimEnd().split('\n'));
  expect(JSON.parse(first![0]!)).toMatchObject({
    riskcli_review: 2,
    list: {
      name: 'holders.csv',
      sha256: files[0],
      kind: 'csv',
      columns: ['name', 'wallet'],
      delimiter: ',',
      bom: false,
    },
    policy: { name: 'policy.json', sha256: files[1] },
    rules: [{ source: '--policy', name: 'low', if: 'score < 500', note: 'call' }],
    ...{ accept: ['failed'], environment: 'default', started: '2026-10-05T06:03:12.000Z' },
  });
  expect(JSON.parse(second![0]!)).toMatchObject({
    base: { name: '2026-10-05T060312Z.jsonl', started: '2026-10-05T06:03:12.000Z', rules: [{ name: 'low' }] },
  });
  expect(JSON.parse(second!.at(-2)!)).toEqual({
    ...{ riskcli_removed: 1, wallet_address: address(1), label: 'Ann' },
    previous: {
      ...{ status: 'scored', answered_at: '2026-10-05T06:03:12.000Z', score: 450, total_collateral_usd: 1000 },
    },
    closed: [{ rule: 'low', level: 'alarm', opened: '2026-10-05', cause: 'list', value: '450' }],
  });
  expect(JSON.parse(second!.at(-1)!)).toMatchObject({
    ...{ riskcli_review_end: 2, rows: 2, distinct: 2, removed: 1, exit_code: 10, counts: { scored: 2 } },
    sha256: sha256(`${second!.slice(0, -1).join('\n')}\n`),
  });
});

it('names a review by the next second if its own is taken, also after one with a clock a year ahead', async () => {
  const { review, json, kept } = await stage({});
  await review(365);
  await review(0);
  await review(0);
  expect(kept()).toEqual(['2026-10-05T060312Z.jsonl', '2026-10-05T060313Z.jsonl', '2027-10-05T060312Z.jsonl']);
  expect((await json(7)).compared_with.file).toBe('2026-10-05T060313Z.jsonl');
});

it('keeps no review of a dry run, nor of the second of two reviews at once, which exits with 11', async () => {
  const { review, run, at, kept, asked } = await stage({});
  expect((await review(0, '--dry-run')).stdout).toContain('requests_needed\t3');
  expect([existsSync(at('holders.csv.reviews')), asked]).toEqual([false, []]);
  const ends = await Promise.all([run(['review', at('holders.csv')]), run(['review', at('holders.csv')])]);
  expect([ends.map(({ exitCode }) => exitCode).sort(), kept()]).toEqual([[0, 11], ['2026-10-05T060312Z.jsonl']]);
});

it('notes that grep removed the lines of a wallet', async () => {
  const { review, file, list, json } = await stage({ 1: { score: 450 } });
  await review(0, ...LOW);
  list([2, 3]);
  await review(7, ...LOW);
  for (const n of [0, 1]) {
    const lines = readFileSync(file(n), 'utf8').split('\n');
    writeFileSync(file(n), lines.filter((line) => !line.includes(address(1))).join('\n'));
  }
  const { stdout, stderr } = await review(8, '--as-of', '2026-10-12');
  expect(stdout).not.toContain('Ann');
  expect(stderr).toContain('1 row was removed; the others are not verified');
  expect((await json(14, ...LOW)).removed.total).toBe(0);
});

const FORM = '"riskcli_review":2';
const RULE = '"if":"score < 500"';
/** What is made of the text of a kept review. */
const edits: readonly (readonly [title: string, reason: string, edit: (whole: string) => string | Uint8Array])[] = [
  ['a torn one', 'it is torn: its last line is missing', (whole) => whole.slice(0, -20)],
  ['one that is cut in a row', 'it is torn', (whole) => whole.slice(0, whole.indexOf('Ann'))],
  ['one of form 1', 'by an older version of riskcli', (whole) => whole.replace(FORM, '"riskcli_review":1')],
  ['one of form 3', 'by a newer version of riskcli', (whole) => whole.replace(FORM, '"riskcli_review":3')],
  ['one with a rule of an unknown form', 'rules[0]', (whole) => whole.replace(RULE, '"if":{"no":1}')],
  [
    'one with a rule that is no condition',
    'first line that cannot be read',
    (whole) => whole.replace(RULE, '"if":"="'),
  ],
  ['one without its hash', 'cannot be read: sha256', (whole) => whole.replace(/,"sha256":"\w+"}\n$/, '}\n')],
  ['one that goes on after its end', 'it is torn', (whole) => `${whole}${whole.split('\n')[1]}\n`],
  ['rows of profile', 'it is not a kept review', (whole) => whole.split('\n').slice(1, 4).join('\n')],
  ['nonsense', '', () => 'nonsense\n'],
  ['an empty file', "jsonl' is skipped: it has no rows", () => ''],
  ['bytes that are no text', '', () => Buffer.from([0, 255, 1, 254])],
];
/** What is made in its place. */
const places: readonly (readonly [title: string, reason: string, make: (path: string) => void])[] = [
  [
    'a copy of an older one',
    'it was renamed: its first line has 2026-10-05',
    (path) => copyFileSync(join(dirname(path), '2026-10-05T060312Z.jsonl'), path),
  ],
  ['a folder', 'cannot be read', (path) => mkdirSync(path)],
  ['a link', 'cannot be read', (path) => symlinkSync('/dev/zero', path)],
];
const written = edits.map(
  ([title, reason, edit]) =>
    [title, reason, (path: string, whole: string) => writeFileSync(path, edit(whole))] as const,
);
it.each([...written, ...places])('skips and names %s, and uses the next older one', async (_, reason, make) => {
  const { review, file, asked, kept, at } = await stage({ 1: { score: 450 } }, [1, 2]);
  await review(0, ...LOW);
  await review(7, ...LOW);
  const [path, whole] = [file(1), readFileSync(file(1), 'utf8')];
  rmSync(path);
  make(path, whole);
  writeFileSync(at('holders.csv.reviews/notes.txt'), 'mine');
  asked.length = 0;
  const { stdout, stderr } = await review(14, ...LOW, '--since', '1d');
  expect(stdout).toContain('compared with 5 Oct\n');
  expect(stdout).toContain('low since 5 Oct: 450');
  const named = stderr.split('\n').filter((line) => line.includes(kept()[1]!));
  expect(named).toEqual([expect.stringMatching(/^riskcli: the kept review '.*' is skipped: /)]);
  expect(named[0]).toContain(reason);
  expect(asked).toEqual([1, 2]);
});

it('reuses the answers of the next older review of the day when the newest cannot be used', async () => {
  const { review, file, asked } = await stage({}, [1, 2]);
  await review(0);
  await review(0.1);
  writeFileSync(file(1), readFileSync(file(1), 'utf8').slice(0, -20));
  asked.length = 0;
  const { stderr } = await review(0.2);
  expect(asked).toEqual([]);
  expect(stderr.split('\n').filter((line) => line.includes('is skipped'))).toHaveLength(1);
});

const changes: readonly (readonly [title: string, note: string, edit: (whole: string) => string])[] = [
  ['an empty line at the end', 'modified after it was saved', (whole) => `${whole}\n`],
  ['a value', 'modified after it was saved', (whole) => whole.replaceAll('700', '701')],
  ['a row less', '1 row was removed; the others are not verified', (whole) => whole.replace(/\n.*Ben.*(?=\n)/, '')],
  ['a row twice', 'modified after it was saved', (whole) => whole.replace(/\n(.*Ben.*)(?=\n)/, '\n$1\n$1')],
  ['a rule', 'modified after it was saved', (whole) => whole.replace('score < 500', 'score < 501')],
];
it.each(changes)(
  'notes in every reader that a kept review was changed, and reuses no answers: %s',
  async (_, note, edit) => {
    const { review, run, at, file, asked } = await stage({ 1: { score: 450 } }, [1, 2]);
    await review(0, ...LOW);
    writeFileSync(file(0), edit(readFileSync(file(0), 'utf8')));
    asked.length = 0;
    const again = await review(0.1, ...LOW);
    expect([again.stderr.includes(note), asked]).toEqual([true, [1, 2]]);
    rmSync(file(1));
    const ends = [
      await review(1, '--as-of', '2026-10-05'),
      await review(7, ...LOW),
      await run(['report', file(0)]),
      await run(['report', file(0), '-o', at('page.html')]),
      await run(['diff', file(0), file(1)]),
    ];
    for (const { stderr } of ends) expect(stderr.split(note)).toHaveLength(2);
    expect(ends[1]?.stdout).toContain('compared with 5 Oct\n');
    expect(ends[1]?.stdout).toContain('low since 5 Oct: 450');
  },
);

it('refuses a kept review without its last line in diff, and says so in report', async () => {
  const { review, run, file, at } = await stage({});
  await review(0);
  const lines = readFileSync(file(0), 'utf8').split('\n');
  writeFileSync(at('torn.jsonl'), `${lines.slice(0, -2).join('\n')}\n`);
  for (const files of [
    [file(0), at('torn.jsonl')],
    [at('torn.jsonl'), file(0)],
  ]) {
    const { exitCode, stdout, stderr } = await run(['diff', ...files]);
    expect([exitCode, stdout, stderr]).toEqual([9, '', expect.stringContaining('is torn: its last line is missing')]);
  }
  const { stderr } = await run(['report', at('torn.jsonl')]);
  expect(stderr).toContain('torn');
});

it('reads a packed review in review, diff and report', async () => {
  const { review, run, file, json } = await stage({ 1: { score: 450 } });
  await review(0, ...LOW);
  writeFileSync(`${file(0)}.gz`, gzipSync(readFileSync(file(0))));
  rmSync(file(0));
  const { compared_with, open } = await json(7, ...LOW);
  expect([compared_with.file, names(open)]).toEqual(['2026-10-05T060312Z.jsonl', ['Ann']]);
  expect((await run(['diff', file(0), file(1)])).exitCode).toBe(0);
  expect(JSON.parse((await run(['report', file(0), '--json'])).stdout).rows).toBe(3);
});

it('keeps reviews in the folder of --keep, and suggests --keep if a journal cannot be used', async () => {
  const { run, at, list, kept, now, review } = await stage({});
  list([1], 'a.csv');
  await run(['review', at('a.csv'), '--keep', at('k')]);
  list([1], 'b.csv');
  now.at = MONDAY + 7 * DAY;
  const { stdout } = await run(['review', at('b.csv'), '--keep', at('k')]);
  expect([stdout.includes('compared with 5 Oct'), kept('k').length]).toEqual([true, 2]);
  mkdirSync(at('holders.csv.reviews'), { mode: 0o700 });
  writeFileSync(join(at('holders.csv.reviews'), 'unfinished.journal'), 'foreign');
  expect(await review(0)).toMatchObject({
    ...{ exitCode: 8, stdout: '' },
    stderr: expect.stringContaining(
      "unfinished.journal' is not a riskcli journal; keep reviews elsewhere with --keep DIR",
    ),
  });
});

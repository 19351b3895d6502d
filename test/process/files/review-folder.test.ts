/**
 * What lies in the folder of kept reviews and in its place, and what is read once: a review goes
 * on, and believes only what is its own.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY, LOW, MONDAY, names, stage } from '../../fixtures/cli/review-weeks.ts';
import { address } from '../../fixtures/place/wallets.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A header that says what a kept review's does, with other rules. */
const withRules = (whole: string, rules: unknown) => {
  const [header = '', ...rows] = whole.split('\n');
  return [JSON.stringify({ ...JSON.parse(header), rules }), ...rows].join('\n');
};

describe('what lies where a kept review is expected', () => {
  const makes: readonly (readonly [string, (path: string, whole: string) => void])[] = [
    ['an empty file', (path) => writeFileSync(path, '')],
    ['a binary file', (path) => writeFileSync(path, Buffer.from([0, 255, 1, 254]))],
    ['a folder', (path) => mkdirSync(path)],
    ['a FIFO', (path) => execFileSync('mkfifo', [path])],
    ['a link', (path) => symlinkSync('/dev/zero', path)],
    ['a rule that is null', (path, whole) => writeFileSync(path, withRules(whole, [null]))],
    [
      'a rule of an unknown form',
      (path, whole) => writeFileSync(path, withRules(whole, [{ name: 'a', if: { no: 1 } }])),
    ],
    ['a rule that is no condition', (path, whole) => writeFileSync(path, withRules(whole, [{ name: 'a', if: '=' }]))],
    ['a file that goes on after its end', (path, whole) => writeFileSync(path, `${whole}${whole.split('\n')[1]}\n`)],
  ];
  it.each(makes)('is named and passed over: %s', async (_, make) => {
    const { review, at, json } = await stage({}, [1]);
    await review(0);
    const folder = at('holders.csv.reviews');
    const whole = readFileSync(join(folder, '2026-10-05T060312Z.jsonl'), 'utf8');
    make(join(folder, '2026-10-05T070000Z.jsonl'), whole);
    const { stderr, stdout, exitCode } = await review(7.05, '--json');
    expect(stdout, stderr).not.toBe('');
    expect([exitCode, JSON.parse(stdout).compared_with.file]).toEqual([0, '2026-10-05T060312Z.jsonl']);
    expect(stderr).toContain('2026-10-05T070000Z.jsonl');
    expect(stderr).toContain('is passed over: ');
    expect((await json(14)).compared_with.file).toBe('2026-10-12T071512Z.jsonl');
  });
});

describe.runIf(isRoot)('what is of another user', () => {
  it('a file is neither paid with nor compared with, and --as-of reads it with a note', async () => {
    const { review, at, asked, now } = await stage({}, [1]);
    now.uid = 0;
    await review(0);
    const folder = at('holders.csv.reviews');
    const file = join(folder, '2026-10-05T060312Z.jsonl');
    chownSync(file, NOBODY, NOBODY);
    asked.length = 0;
    const { stdout, stderr } = await review(0.1, '--json');
    expect(asked).toEqual([1]);
    expect(JSON.parse(stdout).compared_with).toBe(null);
    expect(stderr).toBe('');
    expect((await review(7)).stderr).toContain('is passed over: it belongs to another user');
    const then = await review(8, '--as-of', '2026-10-05T06:10:00Z');
    expect(then.stdout).toContain('holders.csv, 5 Oct 2026');
    expect(then.stderr).toContain('it belongs to another user');
  });

  it.each(['folder', 'link', 'folder that all may write'])('a %s is not written to', async (what) => {
    const { review, at, now } = await stage({}, [1]);
    now.uid = 0;
    const folder = at('holders.csv.reviews');
    mkdirSync(at('elsewhere'));
    if (what === 'link') {
      symlinkSync(at('elsewhere'), folder);
      execFileSync('chown', ['-h', `${NOBODY}`, folder]);
    } else {
      mkdirSync(folder);
      if (what === 'folder') chownSync(folder, NOBODY, NOBODY);
      else chmodSync(folder, 0o777);
    }
    const { exitCode, stdout } = await review(0);
    expect([exitCode, stdout]).toEqual([8, '']);
    expect([...readdirSync(folder), ...readdirSync(at('elsewhere'))]).toEqual([]);
  });
});

describe('a kept review that was edited', () => {
  const edited = 'was edited since it was kept';
  const taken = '1 row taken out of the kept review';
  it.each([
    ['a value', (whole: string) => whole.replaceAll('450', '850'), edited],
    ['a row less', (whole: string) => whole.replace(/\n.*Ann.*\n/, '\n'), taken],
    ['a row twice', (whole: string) => whole.replace(/\n(.*Ann.*)\n/, '\n$1\n$1\n'), edited],
  ])('is named wherever it is read: %s', async (_, edit, note) => {
    const { review, run, at } = await stage({ 1: { score: 450 } }, [1, 2]);
    await review(0, ...LOW);
    const file = join(at('holders.csv.reviews'), '2026-10-05T060312Z.jsonl');
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, edit(whole));
    const ends = [
      await review(1, '--as-of', '2026-10-05'),
      await review(7, ...LOW),
      await run(['report', file]),
      await run(['diff', file, file]),
    ];
    for (const { stderr } of ends) expect(stderr).toContain(note);
    const page = await run(['report', file, '-o', at('page.html')]);
    expect(page.stderr.split(note)).toHaveLength(2);
  });

  it('is not named where an older version kept no hash', async () => {
    const { review, at } = await stage({}, [1]);
    await review(0);
    const file = join(at('holders.csv.reviews'), '2026-10-05T060312Z.jsonl');
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace(/,"sha256":"\w+"}\n$/, '}\n')
        .replace('700', '701'),
    );
    expect((await review(1, '--as-of', '2026-10-05')).stderr).toBe('');
  });

  it('is said of what --as-of compares with', async () => {
    const { review, at } = await stage({}, [1]);
    await review(0);
    await review(7);
    const file = join(at('holders.csv.reviews'), '2026-10-05T060312Z.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('700', '701'));
    const { stdout, stderr } = await review(8, '--as-of', '2026-10-12');
    expect(stderr).toContain("'2026-10-05T060312Z.jsonl' has changed since this review was compared with it");
    expect(stdout).toContain('compared with 5 Oct 2026');
  });
});

describe('what is read once', () => {
  it('is read whole, and its hash is of what was read: a pipe as list, a pipe as policy', async () => {
    const { run, at, kept } = await stage({}, [1, 2]);
    const list = readFileSync(at('holders.csv'), 'utf8');
    const policy = JSON.stringify({ rules: [{ name: 'low', if: 'score < 500' }] });
    const feed = (name: string, text: string) => {
      execFileSync('mkfifo', [at(name)]);
      execFileSync('sh', ['-c', `printf %s "$1" > "$2" &`, 'sh', text, at(name)], { stdio: 'ignore' });
      return at(name);
    };
    const words = ['review', feed('list', list), '--policy', feed('policy', policy), '--keep', at('k')];
    const { exitCode, stdout } = await run(words);
    expect([exitCode, stdout.split(' ')[0]]).toEqual([0, 'k,']);
    const [header = ''] = readFileSync(join(at('k'), kept('k')[0] ?? ''), 'utf8').split('\n');
    expect(JSON.parse(header)).toMatchObject({ list: { sha256: sha256(list) }, policy: { sha256: sha256(policy) } });
    const whole = readFileSync(join(at('k'), kept('k')[0] ?? ''), 'utf8');
    expect((await run(['report', feed('run', whole), '-o', at('page.html')])).exitCode).toBe(0);
    expect(readFileSync(at('page.html'), 'utf8')).toContain(sha256(list));
  });
});

describe('the answers that a review rests on', () => {
  it('are of its day: those of Sunday evening are asked for again on Monday', async () => {
    const { review, now, asked } = await stage({}, [1]);
    await review(-0.5, ...LOW);
    now.world = { 1: { score: 450 } };
    asked.length = 0;
    expect((await review(0, ...LOW)).stdout).toContain('TO LOOK AT  1');
    expect(asked).toEqual([1]);
  });

  it('are of an earlier day where --max-age says so, and the first line says of which', async () => {
    const { review, asked } = await stage({}, [1, 2]);
    await review(-0.5);
    asked.length = 0;
    const { stdout } = await review(0, '--max-age', '20h');
    expect(asked).toEqual([]);
    expect(stdout.split('\n')[0]).toContain('scored 2; answers of 4 Oct 2026: 2; ');
  });

  it('are those of a stopped review, whatever the day, until the time that its line says', async () => {
    const { review, asked } = await stage({}, [1, 2, 3]);
    const stopped = await review(-0.3, '--max-requests', '1');
    expect(stopped.exitCode).toBe(7);
    expect(stopped.stderr).toContain('run the same command again until 2026-10-05T18:51:12Z to resume');
    const { stdout } = await review(0);
    expect(asked).toEqual([1, 2, 3]);
    expect(stdout).toContain('answers of 4 Oct 2026: 1');
  });

  it('are asked for again when the newest of a stopped review is too old', async () => {
    const { review, asked } = await stage({}, [1, 2]);
    await review(0, '--max-requests', '1');
    await review(0.9);
    expect(asked).toEqual([1, 1, 2]);
  });
});

describe('members and texts with names of ours', () => {
  const HOSTILE = ['riskcli_review', 'riskcli_review_end', 'riskcli_journal', '__proto__', 'constructor'];
  it.each(HOSTILE)('%s is a member like any other, in every reader', async (member) => {
    const { review, run, at, now } = await stage({}, [1, 2]);
    now.extra = `"${member}":1,`;
    const output = at('rows.jsonl');
    expect((await run(['profile', '-f', at('holders.csv'), '-o', output])).exitCode).toBe(0);
    expect((await run(['diff', output, output])).exitCode).toBe(0);
    expect(JSON.parse((await run(['report', output, '--json'])).stdout).rows).toBe(2);
    await review(0);
    const json = await review(7, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ rows: 2, came: { count: 0 }, left: { count: 0 } });
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'a text of the score and a rule called %s are told',
    async (name) => {
      const { review, at, json, now } = await stage({ 1: { level: 'High' } }, [1]);
      now.levelName = name;
      const rule = ['--fail-if', `x${name}y: defi_score["${name}"].old == High`];
      await review(0, ...rule);
      now.world = { 1: { level: 'Low' } };
      const { exitCode, stderr } = await review(7, ...rule, '-o', at('page.html'));
      expect(exitCode, stderr).toBe(10);
      expect(names((await json(7, ...rule)).to_look_at)).toEqual(['Ann']);
      rmSync(at('page.html'));
    },
  );
});

it('--since takes a bare number as seconds, as every duration does', async () => {
  const { review, json } = await stage({}, [1]);
  await review(0);
  expect((await json(7, '--since', '604800')).compared_with.begun).toBe(new Date(MONDAY).toISOString());
  expect(MONDAY % DAY).toBeGreaterThan(0);
});

it('a list without a name is called by the folder of its reviews', async () => {
  const { run, at } = await stage({}, [1]);
  const { stdout } = await run(['review', '-', '--keep', at('desk')], { stdin: `${address(1)}\n` });
  expect(stdout).toMatch(/^desk, 5 Oct 2026 \(UTC\): wallets 1, /);
});

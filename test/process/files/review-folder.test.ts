/** The folder of kept reviews among other users and files, and lists that can be read only once. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stage } from '../../fixtures/cli/review-weeks.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

it.runIf(isRoot)('skips a review of another user, which --as-of reads with a note', async () => {
  const { review, at, asked, now } = await stage({}, [1]);
  now.uid = 0;
  await review(0);
  const folder = at('holders.csv.reviews');
  const file = join(folder, '2026-10-05T060312Z.jsonl');
  chownSync(file, NOBODY, NOBODY);
  asked.length = 0;
  expect((await review(0.1)).stderr).toContain('is skipped: it belongs to another user');
  expect(asked).toEqual([1]);
  rmSync(join(folder, '2026-10-05T082712Z.jsonl'));
  const { stdout, stderr } = await review(7, '--json');
  expect(JSON.parse(stdout).compared_with).toBe(null);
  expect(stderr).toContain('is skipped: it belongs to another user');
  const then = await review(8, '--as-of', '2026-10-05T06:10:00Z');
  expect(then.stdout).toContain('holders.csv, 5 Oct 2026');
  expect(then.stderr).toContain('it belongs to another user');
});

it.runIf(isRoot).each(['folder', 'link', 'folder that all may write'])(
  'writes no review to a %s of another user',
  async (what) => {
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
  },
);

it('reads a list and a policy from pipes once, and hashes what it read', async () => {
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

it.each(['riskcli_review', 'riskcli_review_end', 'riskcli_journal', '__proto__', 'constructor'])(
  'takes %s for a member like any other, in every reader',
  async (member) => {
    const { review, run, at, now } = await stage({}, [1, 2]);
    now.extra = `"${member}":1,`;
    const output = at('rows.jsonl');
    expect((await run(['profile', '-f', at('holders.csv'), '-o', output])).exitCode).toBe(0);
    expect((await run(['diff', output, output])).exitCode).toBe(0);
    expect(JSON.parse((await run(['report', output, '--json'])).stdout).rows).toBe(2);
    await review(0);
    const json = await review(7, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ counts: { rows: 2 }, added: { total: 0 }, removed: { total: 0 } });
  },
);

it.each(['constructor', 'toString', '__proto__'])('judges a score text and a rule that are called %s', async (name) => {
  const { review, at, json, now } = await stage({ 1: { level: 'High' } }, [1]);
  now.levelName = name;
  const rule = ['--fail-if', `x${name}y: defi_score["${name}"].old == High`];
  await review(0, ...rule);
  now.world = { 1: { level: 'Low' } };
  const { exitCode, stderr } = await review(7, ...rule, '-o', at('page.html'));
  expect(exitCode, stderr).toBe(10);
  expect((await json(7, ...rule)).new.wallets).toMatchObject([{ label: 'Ann' }]);
  rmSync(at('page.html'));
});

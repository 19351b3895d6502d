/**
 * --policy: rules and exceptions in a file, and that whatever is wrong with it lets nothing pass.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ruleNamesIn } from '../../../src/row/verdict.ts';
import { openRun, openRunFile, SILENT } from '../../../src/runs/open-run.ts';
import { cli, testHost } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { startAnswers } from '../../fixtures/service/answers.ts';

const [A, B, C] = [1, 2, 3].map(address) as [string, string, string];
const SCORES = new Map([
  [A, 700],
  [B, 300],
]);

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);
writeFileSync(path('wallets.txt'), `${A}\n${B}\n${C}\nno wallet\n`);

const { env, asked, close } = await startAnswers((wallet) => {
  const score = SCORES.get(wallet);
  return score === undefined ? undefined : { total_collateral_usd: score * 2, defi_score: { defi_score: score } };
});
afterAll(close);

const LOW = { name: 'low', if: '_meta.score < 400', note: 'ask the desk' };
const SMALL = { name: 'small', if: { all: ['total_collateral_usd < 1000', '_meta.score < 1000'] } };

function policy(content: unknown): string {
  writeFileSync(path('policy.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return path('policy.json');
}

const list = (...args: string[]) => cli(['profile', '-f', path('wallets.txt'), ...args], { env });

it('exits with 10 for matches that are not excused, and names unused exceptions', async () => {
  const exceptions = [
    { wallet: B.toUpperCase().replace('0X', '0x'), rule: 'low', reason: '=known', until: '2999-12-31' },
    { wallet: B, rule: 'small', reason: 'old', until: '2020-12-31' },
    { wallet: A, rule: 'low', reason: 'for nothing' },
  ];
  const file = policy({ rules: [LOW, SMALL], exceptions });
  const { stdout, stderr, exitCode } = await list('--csv', '--policy', file, '--accept', 'failed,invalid');
  expect(stdout.split('\n').map((line) => line.split(',').slice(-3))).toEqual([
    ['matched', 'unjudged', 'excused'],
    ['', '', ''],
    ['small', '', 'low: =known (until 2999-12-31)'],
    ['', '', ''],
    ['', '', ''],
    [''],
  ]);
  expect(stderr.split('\n')).toEqual([
    `riskcli: exceptions expired 1: ${B}, excused from small until 2020-12-31`,
    `riskcli: exceptions without effect 1: ${A}, excused from low`,
    `riskcli: --policy 'small': matched 1, first ${B} in line 2 (scored 2, invalid 1, failed 1)`,
    '',
  ]);
  expect(exitCode).toBe(10);
});

it('lists exceptions in json, and passes if every match is excused', async () => {
  const exceptions = [
    { wallet: B, rule: 'low', reason: '\u001b[2Jx' },
    { wallet: C, rule: 'low', reason: 'gone', until: '2999-12-31' },
  ];
  const file = policy({ rules: [LOW], exceptions });
  const { stdout, exitCode } = await list('--jsonl', '--policy', file, '--accept', 'invalid,failed');
  const rows = stdout.trimEnd().split('\n');
  expect(rows.map((row) => JSON.parse(row)._meta.matched)).toEqual([[], [], [], []]);
  expect(rows.map((row) => JSON.parse(row)._meta.excused)).toEqual([
    [],
    [{ rule: 'low', reason: '\u001b[2Jx' }],
    [],
    [],
  ]);
  expect(stdout).not.toContain('\u001b');
  expect(exitCode).toBe(0);
  const strict = await list('--jsonl', '--policy', file, '--where', '_meta.excused exists', '--fields', '_meta.line');
  expect(strict.stdout).toBe('{"_meta.line":2}\n{"_meta.line":3}\n');
  expect(strict.stderr).toContain("\"--policy 'low': not judged 1, first in line 4 (");
  expect(strict.stderr).toContain('"hint":"ask the desk"');
});

it('combines a policy with --fail-if, to which exceptions do not apply', async () => {
  const file = policy({ rules: [LOW], exceptions: [{ wallet: B, rule: 'low', reason: 'known' }] });
  const args = ['--jsonl', '--accept', 'failed,invalid', '--policy', file];
  const { stdout, stderr, exitCode } = await list(...args, '--fail-if', 'large: total_collateral_usd > 1000');
  expect(stdout.split('\n').flatMap((row) => (row === '' ? [] : JSON.parse(row)._meta.matched))).toEqual(['large']);
  expect(stderr).toContain(`--fail-if 'large': matched 1, first ${A} in line 1`);
  expect(exitCode).toBe(10);
  const twice = await list(...args, '--fail-if', 'low: total_collateral_usd > 1000');
  expect(twice.stderr).toContain("two conditions are called 'low'");
  expect(twice.exitCode).toBe(2);
});

it('refuses a policy that is also the output or the journal', async () => {
  const file = policy({ rules: [LOW] });
  const before = readFileSync(file);
  const refused = [
    [['--csv', '-o', file], 8],
    [['--csv', '--journal', file], 8],
  ] as const;
  for (const [args, code] of refused) {
    expect(await list('--policy', file, ...args)).toMatchObject({ stdout: '', exitCode: code });
    expect(readFileSync(file)).toEqual(before);
  }
  expect((await cli(['profile', A, '--csv', '--policy', file, '-o', file], { env })).exitCode).toBe(8);
  expect(readFileSync(file)).toEqual(before);
});

const NEAR = { name: 'near', if: '_meta.score < 800', level: 'watch' };
const COUNTS = '(scored 2, invalid 1, failed 1)';

it('writes a csv column for watch rules if the policy has any, and reads it back', async () => {
  const file = policy({ rules: [LOW, NEAR] });
  const { stdout } = await list('--csv', '--policy', file);
  expect(stdout.split('\n').map((line) => line.split(',').slice(-4).join())).toEqual([
    'matched,unjudged,excused,watched',
    ',,,near',
    'low,,,near',
    ',low; near,,',
    ',low; near,,',
    '',
  ]);
  writeFileSync(path('judged.csv'), stdout);
  const host = testHost() as never;
  const results = await openRun(await openRunFile(path('judged.csv'), host), { host, report: SILENT });
  const read = [];
  for await (const row of results.rows) read.push([ruleNamesIn(row, 'matched'), ruleNamesIn(row, 'watched')]);
  expect(read).toEqual([
    [[], ['near']],
    [['low'], ['near']],
    [[], []],
    [[], []],
  ]);
});

it('counts watch rules on a terminal, apart from alarms', async () => {
  const args = ['profile', '-f', path('wallets.txt'), '--csv', '--policy', policy({ rules: [LOW, NEAR] })];
  const seen = { env, tty: { stderr: true } };
  const { stderr: wrapped } = await cli(args, seen);
  const stderr = wrapped.replaceAll('\n', ' ');
  expect(stderr).toContain(`--policy 'near': watched 2, not judged 2, first ${A} in line 1 `);
  expect(stderr).toContain(`--policy 'low': matched 1, not judged 2, first ${B} in line 2 ${COUNTS}; ask the desk`);
});

it('exits with 3 for a wallet that is refused under a watch rule', async () => {
  const file = policy({ rules: [NEAR] });
  expect((await cli(['profile', C, '--csv', '--policy', file], { env })).exitCode).toBe(3);
  const { stdout } = await cli(['profile', A, '--policy', file], {
    env: { ...env, NO_COLOR: '1' },
    tty: { stdout: true },
  });
  expect(stdout).toContain('\nWatched     near\n');
});

const exceptions = [B, C].map((wallet) => ({ wallet, rule: 'low', reason: 'known' }));
const one = (wallet: string, ...args: string[]) => cli(['profile', wallet, '--csv', ...args], { env });

it('excuses one wallet, and mentions no other exceptions', async () => {
  const file = policy({ rules: [LOW], exceptions });
  const { stdout, stderr, exitCode } = await one(B, '--policy', file);
  expect(stdout).toMatch(/,matched,unjudged,excused\n.*,,,low: known\n$/);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
});

it('names the expired exception of a single wallet, and the first three of a list', async () => {
  const expired = [1, 2, 3, 4, 5].map((i) => ({
    wallet: address(i),
    rule: 'low',
    reason: 'old',
    until: '2020-12-31',
  }));
  const file = policy({ rules: [LOW], exceptions: expired });
  const expiredNote = (i: number) => `${address(i)}, excused from low until 2020-12-31`;
  expect((await one(B, '--policy', file)).stderr).toContain(`exceptions expired 1: ${expiredNote(2)}\n`);
  expect((await list('--csv', '--policy', file)).stderr).toContain(
    `exceptions expired 5: ${expiredNote(1)}; ${expiredNote(2)}; ${expiredNote(3)}; and 2 more\n`,
  );
});

it('shows on a card what the wallet matched and what it is excused from', async () => {
  const file = policy({ rules: [LOW, SMALL], exceptions });
  const seen = { env: { ...env, NO_COLOR: '1' }, tty: { stdout: true } };
  const { stdout } = await cli(['profile', B, '--policy', file], seen);
  expect(stdout).toMatch(/\nScore {7}.*\n(.+\n)*Matched {5}small\nExcused {5}low: known\n/);
});

it('fails for one wallet that is not excused, even without an answer', async () => {
  const file = policy({ rules: [LOW, SMALL], exceptions });
  expect(await one(B, '--policy', file)).toMatchObject({
    stderr: `riskcli: --policy 'small': matched 1, ${B}\n`,
    exitCode: 10,
  });
  expect((await one(C, '--policy', file)).stderr).toMatch(
    /^riskcli: --policy 'small': not judged 1, 0x.*, which has no answer: /,
  );
  expect((await one(C, '--policy', policy({ rules: [LOW], exceptions }))).exitCode).toBe(3);
  expect(await one(C, '--policy', policy({ rules: [LOW] }))).toMatchObject({
    stderr: expect.stringMatching(/; ask the desk\n$/),
    exitCode: 10,
  });
});

mkdirSync(path('folder'));
writeFileSync(path('latin'), Buffer.from('{"rules":[{"name":"a","if":"x == \xff"}]}', 'latin1'));
writeFileSync(path('large'), `{"rules":[{"name":"a","if":"x < 1"}]}${' '.repeat(1024 * 1024)}`);
writeFileSync(path('none'), '{"rules":[]}');

it.each([
  ['nothing', 'cannot be read: no such file or directory'],
  ['folder', 'cannot be read: it is a directory'],
  ['latin', 'is not UTF-8'],
  ['large', 'is larger than 1 MiB'],
  ['none', 'cannot be used: rules is empty'],
])('exits with 2 before anything is sent if a policy cannot be read: %s', async (name, problem) => {
  const before = asked.length;
  for (const args of [['-f', path('wallets.txt')], [A], ['-f', path('wallets.txt'), '--dry-run']]) {
    const { stdout, stderr, exitCode } = await cli(['profile', ...args, '--csv', '--policy', path(name)], { env });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(`the policy '${path(name)}' ${problem}`);
    expect(stderr).toContain('riskcli help conditions');
  }
  expect(asked.length).toBe(before);
});

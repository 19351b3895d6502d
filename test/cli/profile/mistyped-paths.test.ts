/**
 * Paths that are mistyped are reported before most of a list is paid for, and the row's own
 * names are paths.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { startAnswers } from '../../fixtures/service/answers.ts';

const WALLETS = 60;

/** A list with a column, and a service whose answers have `members` besides. */
async function stage(members: (wallet: string) => object = () => ({})) {
  const service = await startAnswers((wallet) => ({
    total_collateral_usd: 1,
    defi_score: { defi_score: 500, risk_level: 'Low' },
    ...members(wallet),
  }));
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  const rows = Array.from({ length: WALLETS }, (_, i) => `${address(i + 1)},customer ${i % 3}`);
  writeFileSync(path('list.csv'), `holder,customer\n${rows.join('\n')}\n`);
  const profile = ['profile', '-f', path('list.csv'), '--concurrency', '10'];
  const list = (...args: string[]) => cli([...profile, ...args], { env: service.env });
  return { ...service, path, list };
}

it.each([
  [['--fields', '+level=defi_scor.risk_level'], 'defi_score.risk_level'],
  [['--fail-if', 'risky: risk_level == High'], 'defi_score.risk_level'],
  [['--where', 'total_colateral_usd > 1'], 'total_collateral_usd'],
  [['--sort', 'defi_score.risk_levle:desc'], 'defi_score.risk_level'],
  [['--where', 'scor > 1'], 'score'],
])('stops a list with %j after 20 answers, and prints the rows that were paid for', async (args, meant) => {
  await using service = await stage();
  const { stdout, stderr, exitCode } = await service.list('--csv', ...args);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^riskcli: none of the first 20 answers had '/m);
  expect(stderr).toContain(`did you mean ${meant}? If it may be absent, put '?' after the path; `);
  expect(stderr).toMatch(/pending \d+\); /);
  expect(service.asked.length).toBeLessThanOrEqual(40);
  if (!args.includes('--where')) expect(stdout.trimEnd().split('\n').length).toBe(service.asked.length + 1);
});

it.each([
  [['--where', 'customer == x'], "--where 'customer == x'"],
  [['--sort', 'customer'], "--sort 'customer'"],
  [['--fields', 'customer'], '--fields'],
  [['--fail-if', 'mine: customer == x'], "--fail-if 'customer == x'"],
  [['--policy', 'policy.json'], "--policy, rule 'mine', 'customer == x'"],
])('refuses a path that is a column of the list before anything is sent, with both spellings: %j', async (args, of) => {
  await using service = await stage();
  const policy = service.path('policy.json');
  writeFileSync(policy, JSON.stringify({ rules: [{ name: 'mine', if: { any: ['customer == x'] } }] }));
  const typed = args.map((arg) => (arg === 'policy.json' ? policy : arg));
  for (const more of [[], ['--dry-run']]) {
    expect(await service.list('--csv', ...typed, ...more)).toEqual({
      stdout: '',
      stderr: `riskcli: 'customer' of ${of} is a column of the list; write input.customer for the list's, ["customer"] for the answer's\n`,
      exitCode: 2,
    });
  }
  const review = await cli(['review', service.path('list.csv'), '--fail-if', 'customer == x'], { env: service.env });
  expect(review).toMatchObject({ exitCode: 2, stdout: '' });
  expect(service.asked).toEqual([]);
});

it.each([
  [
    'input.custommer exists',
    "the list has no 'input.custommer', which --fail-if 'input.custommer exists' asks for; did",
  ],
  ['customer exists', "'customer' of --fail-if 'customer exists' is a column of the list; write input.customer for"],
  ['input.customer missing', ''],
  ['input.custommer? exists', ''],
  ['warning exists', ''],
])('notes a mistyped path of which a condition only asks whether it exists: %s', async (condition, note) => {
  await using service = await stage();
  const { stderr, exitCode } = await service.list('--csv', '--fail-if', condition);
  expect(exitCode).toBe(0);
  expect(stderr.includes('of the list') || stderr.includes('the list has')).toBe(note !== '');
  expect(stderr).toContain(note);
});

it('refuses a name without a space after its colon before anything is sent', async () => {
  await using service = await stage();
  const { stdout, stderr, exitCode } = await service.list('--fail-if', 'low:score<600');
  expect({ stdout, exitCode, asked: service.asked }).toEqual({ stdout: '', exitCode: 2, asked: [] });
  expect(stderr).toContain("put a space after the colon, as in --fail-if 'low: score<600'");
});

it('leaves paid answers in the journal after a mistyped path, so that the corrected command resumes', async () => {
  await using service = await stage();
  const file = service.path('out.csv');
  const first = await service.list('-o', file, '--where', 'risk_level == Low');
  expect(first).toMatchObject({ exitCode: 2, stdout: '' });
  expect(first.stderr).toContain('the corrected command continues with the answers kept');
  expect(existsSync(file)).toBe(false);
  const paid = service.asked.length;
  expect(paid).toBeLessThanOrEqual(40);
  // The answers in the journal are checked first, so the same mistake costs nothing.
  expect((await service.list('-o', file, '--where', 'risk_level == Low')).exitCode).toBe(2);
  expect(service.asked.length).toBe(paid);
  expect((await service.list('-o', file, '--where', 'defi_score.risk_level == Low')).exitCode).toBe(0);
  expect(service.asked.length).toBe(WALLETS);
});

it("takes the row's own names wherever a path is accepted", async () => {
  await using service = await stage();
  const fields = 'score,status,line,warning,who=input.customer';
  const { stdout, exitCode } = await service.list('--csv', '--fields', fields, '--sort', 'line:desc', '--top', '1');
  expect({ stdout, exitCode }).toEqual({
    stdout: `holder,customer,score,status,line,warning,who\n${address(60)},customer 2,500,scored,61,,customer 2\n`,
    exitCode: 0,
  });
  const where = ['--where', 'input.customer == customer 2', '--where', 'answered_at > 2020-01-01'];
  expect((await service.list('--csv', ...where)).stdout.trimEnd().split('\n')).toHaveLength(21);
  const matched = ['--fail-if', 'low: score < 600', '--where', 'matched exists', '--top', '1'];
  const gate = await service.list('--jsonl', ...matched);
  expect(gate.exitCode).toBe(10);
  expect(JSON.parse(gate.stdout)._meta.matched).toEqual(['low']);
});

it('reads the row\'s own names back, before a member of the document, which is ["score"]', async () => {
  await using service = await stage(() => ({ score: 7, status: 'active', input: { x: 8 } }));
  const { path, list } = service;
  const fields = 'wallet_address,status,score,["score"],["status"],["input"].x';
  await list('-o', path('a.csv'), '--fields', fields);
  await list('-o', path('b.jsonl'), '--fields', fields);
  writeFileSync(path('none.csv'), 'wallet_address,status\n');
  for (const [file, label] of [
    ['a.csv', ',customer 0'],
    ['b.jsonl', ''],
  ] as const) {
    const shown = await cli(['diff', path('none.csv'), path(file), '--csv', '--fields', fields, '--top', '1']);
    expect(shown.stdout.split('\n')[1]).toBe(
      `${address(1)},added,,${address(1)},,,scored,,,500,,,7,,,active,,,8,${label}`,
    );
  }
  const one = await cli(['profile', address(1), '--fields', 'score,["score"]'], { env: service.env });
  expect(one.stdout).toBe('score\t500\n["score"]\t7\n');
});

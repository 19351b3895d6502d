/** The past of a journal: --as-of, --since, and what a prune leaves of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/journal.ts';
import { cli, type Outcome, type RunOptions, testHost } from '../fixtures/cli/here.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';

const NOW = Date.parse('2026-11-22T08:00:00Z');
const [ONE, TWO, LATE] = [address(1), address(2), address(3)];

type Entry = readonly [wallet: string, at: string, score: number | undefined];

/** The first of two wallets is asked each week, a third one is new in the last. */
const WEEKS: readonly Entry[] = [
  [ONE, '2026-11-01T08:00:00Z', 500],
  [TWO, '2026-11-01T08:00:01Z', 700],
  [ONE, '2026-11-08T08:00:00Z', 510],
  [ONE, '2026-11-15T23:59:59.999Z', 520],
  [TWO, '2026-11-16T00:00:00Z', 710],
  [ONE, '2026-11-20T08:00:00Z', undefined],
  [LATE, '2026-11-22T07:00:00Z', 300],
  [ONE, '2026-11-22T07:00:01Z', 530],
];

async function journalOf(entries: readonly Entry[] = WEEKS): Promise<string> {
  const path = join(temporaryFolder(), 'answers.journal');
  const journal = await openJournal(path, { base: 'https://api.example', host: testHost() });
  for (const [wallet, time, score] of entries) {
    const answeredAt = Date.parse(time);
    const text = `{"wallet_address":"${wallet}","total_collateral_usd":1,"defi_score":{"score":${score}}}`;
    const refusal = { code: 'refused', message: 'no such wallet', httpStatus: 404 };
    journal.append(wallet, score === undefined ? { answeredAt, refusal } : { answeredAt, text });
  }
  journal.close();
  return path;
}

const ask = (...args: readonly string[]) => cli(args, { now: () => NOW } satisfies RunOptions);
const SCORES = ['--fields', 'wallet_address,score', '--csv', '--no-header'];
/** The score of each wallet in csv. */
const scores = ({ stdout }: Outcome) =>
  Object.fromEntries(stdout.split('\n').flatMap((line) => (line ? [line.split(',')] : [])));
const exported = (path: string, ...args: readonly string[]) => ask('journal', 'export', path, ...SCORES, ...args);
const FAILED = { exitCode: 9, stdout: '' };

describe('--as-of', () => {
  it.each([
    ['2026-11-01', { [ONE]: '500', [TWO]: '700' }],
    ['2026-11-08T07:59:59Z', { [ONE]: '500', [TWO]: '700' }],
    ['2026-11-15', { [ONE]: '520', [TWO]: '700' }],
    ['7d', { [ONE]: '520', [TWO]: '700' }],
    ['2026-11-16T00:00:00Z', { [ONE]: '520', [TWO]: '710' }],
    ['30m', { [LATE]: '300', [ONE]: '530', [TWO]: '710' }],
  ])('%s exports the newest answer of each wallet at or before it', async (when, expected) => {
    const result = await exported(await journalOf(), '--as-of', when);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(scores(result)).toEqual(expected);
  });

  it('exits with 9 if no answer is that old, and names the date of the oldest one', async () => {
    const path = await journalOf();
    const told = `riskcli: the journal '${path}' has no answer from 2026-10-31T23:59:59Z or before: the oldest is from 2026-11-01T08:00:00Z; name a later time\n`;
    expect(await exported(path, '--as-of', '2026-10-31')).toEqual({ ...FAILED, stderr: told });
    expect(await ask('diff', path, '--since', '2026-10-31')).toEqual({ ...FAILED, stderr: told });
    expect(await ask('report', path, '--format', 'md', '--as-of', '2026-10-31')).toEqual({ ...FAILED, stderr: told });
    const refused = await exported(await journalOf(WEEKS.slice(5, 6)), '--as-of', '1d');
    expect(refused.exitCode).toBe(9);
    expect(refused.stderr).toContain('or before; riskcli journal show says what it contains\n');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"score":500', '"score":599'));
    const damaged = await exported(path, '--as-of', '2026-10-31');
    expect(damaged.stderr).toContain('from 2026-11-01T08:00:01Z, and 1 damaged line is left out; name a later time\n');
  });

  it('reports on a journal as it was, and says so', async () => {
    const path = await journalOf();
    const { stdout, exitCode } = await ask('report', path, '--format', 'md', '--as-of', '2026-11-15');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('# Wallet risk report: answers.journal as of 2026-11-15T23:59:59Z');
    expect(stdout).toContain('2 rows of ');
    expect(stdout).toContain('--as-of 2026-11-15');
  });

  it('applies to the journals of a diff, on either side', async () => {
    const path = await journalOf();
    const [old, other] = [`${path}.csv`, await journalOf(WEEKS.slice(0, 3))];
    await exported(path, '--as-of', '2026-11-01', '-o', old);
    writeFileSync(old, `wallet_address,score\n${readFileSync(old, 'utf8')}`);
    const diff = async (...args: readonly string[]) =>
      (await ask('diff', ...args, '--fields', 'score', '--csv', '--no-header')).stdout;
    expect(await diff(old, path, '--as-of', '2026-11-15')).toBe(`${ONE},changed,500,520,20\n`);
    expect(await diff(path, old, '--as-of', '2026-11-08')).toBe(`${ONE},changed,510,500,-10\n`);
    expect(await diff(other, path, '--as-of', '2026-11-08')).toBe('');
  });

  it.each([
    ['no moment', ['journal', 'export', 'JOURNAL', '--as-of', 'soon'], '--as-of is not a date or time: '],
    ['the future', ['journal', 'export', 'JOURNAL', '--as-of', '2027-11-15'], '--as-of is in the future: '],
    ['two files without a journal', ['diff', 'CSV', 'CSV', '--as-of', '1d'], '--as-of only works with a journal, and '],
    ['a file that is no journal', ['report', 'CSV', '--format', 'md', '--as-of', '1d'], '--as-of only works with a '],
    ['a file to compare with itself', ['diff', 'CSV', '--since', '1d'], '--since only works with a journal, and '],
    ['a report of such a file', ['report', 'CSV', '--format', 'md', '--since', '1d'], '--since only works with a '],
    ['two files since', ['diff', 'JOURNAL', 'CSV', '--since', '1d'], 'diff takes one argument, but 2 were given; '],
    ['one file', ['diff', 'JOURNAL'], '<new> is missing; '],
    ['standard input twice', ['diff', '-', '--since', '1d'], '--since reads the journal twice'],
    ['since after as of', ['diff', 'JOURNAL', '--since', '1d', '--as-of', '2d'], '--since is not before --as-of; '],
    [
      'two baselines',
      ['report', 'JOURNAL', '--format', 'md', '--since', '1d', '--baseline', 'CSV'],
      '--since compares a journal with itself, so --baseline cannot be used with it; ',
    ],
  ])('and --since refuse %s', async (_, words, told) => {
    const path = await journalOf();
    writeFileSync(`${path}.csv`, `wallet_address,score\n${ONE},1\n`);
    const args = words.map((word) => ({ JOURNAL: path, CSV: `${path}.csv` })[word] ?? word);
    const { exitCode, stdout, stderr } = await ask(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(told);
    expect(stderr.split('\n')).toHaveLength(2);
  });
});

describe('--since', () => {
  it('compares a journal with its earlier state: changed and new wallets', async () => {
    const path = await journalOf();
    const { stdout, stderr, exitCode } = await ask(
      'diff',
      path,
      '--since',
      '7d',
      '--fields',
      'score',
      '--csv',
      '--no-header',
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n').sort()).toEqual(
      ['', `${ONE},changed,520,530,10`, `${TWO},changed,700,710,10`, `${LATE},added,,300,`].sort(),
    );
    const between = await ask(
      'diff',
      path,
      '--since',
      '2026-11-01',
      '--as-of',
      '2026-11-08',
      '--fields',
      'score',
      '--csv',
    );
    expect(between.stdout).toContain(`\n${ONE},changed,500,510,10\n`);
    expect(between.stdout.split('\n')).toHaveLength(3);
  });

  it('sets the baseline of a report', async () => {
    const path = await journalOf();
    const { stdout, exitCode } = await ask('report', path, '--format', 'md', '--since', '7d');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2 changed, 1 added');
    expect(stdout).toContain('answers.journal as of 2026-11-15T23:59:59Z');
  });

  it('reports damage once', async () => {
    const path = await journalOf();
    writeFileSync(path, readFileSync(path, 'utf8').replace('"score":510', '"score":599'));
    const { stderr } = await ask('diff', path, '--since', '7d');
    expect(stderr.match(/damaged/g)).toHaveLength(1);
  });
});

describe('answers removed by a prune', () => {
  const pruned = (path: string) =>
    `riskcli: the journal '${path}' was pruned: 1 wallet that has only newer answers than 2026-11-15T23:59:59Z may have had one by then\n`;

  it.each(['--keep 1', '--older-than 200h'])(
    'is said after %s, in a line, also when wallets were erased since',
    async (how) => {
      const path = await journalOf([...WEEKS.slice(0, 5), ...WEEKS.slice(6, 7)]);
      await ask('journal', 'prune', path, ...how.split(' '));
      await ask('journal', 'erase', path, LATE);
      const told = pruned(path);
      expect((await exported(path, '--as-of', '2026-11-15')).stderr).toBe(told);
      expect((await ask('diff', path, '--since', '7d', '--csv')).stderr).toBe(told);
      expect((await ask('report', path, '--since', '7d', '--format', 'md')).stderr).toBe(told);
      expect((await exported(path, '--as-of', '2026-11-20')).stderr).toBe('');
      expect((await exported(path)).stderr).toBe('');
    },
  );

  it('are reported with exit 9 if no answer that old is left', async () => {
    const path = await journalOf();
    await ask('journal', 'prune', path, '--keep', '1');
    const { exitCode, stderr } = await exported(path, '--as-of', '2026-11-15');
    expect(exitCode).toBe(9);
    expect(stderr).toContain('the oldest is from 2026-11-16T00:00:00Z, and older ones may have been pruned; ');
  });

  it('are not reported if the answers of that time were kept', async () => {
    const path = await journalOf();
    await ask('journal', 'prune', path, '--older-than', '2026h', '--keep', '1');
    const before = readFileSync(path, 'utf8');
    expect(before).not.toContain('pruned_until');
    await ask('journal', 'prune', path, '--keep', '9');
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('can still be compared with a baseline exported before', async () => {
    const path = await journalOf();
    const fields = ['--fields', 'score', '--csv'];
    const before = await ask('diff', path, '--since', '7d', ...fields);
    await ask('journal', 'export', path, '--as-of', '7d', '-o', `${path}.jsonl`);
    await ask('journal', 'prune', path, '--older-than', '7d', '--keep', '1');
    expect(await ask('diff', `${path}.jsonl`, path, ...fields)).toEqual(before);
  });

  it('are still known after the journal was repaired', async () => {
    const path = await journalOf();
    await ask('journal', 'prune', path, '--keep', '1');
    const [header = ''] = readFileSync(path, 'utf8').split('\n');
    expect(header).toContain('"pruned_until":"2026-11-22T07:00:01.000Z"');
    writeFileSync(path, `${readFileSync(path, 'utf8')}damage\n`);
    (await openJournal(path, { base: 'https://api.example', host: testHost() })).close();
    expect(readFileSync(path, 'utf8')).not.toContain('damage\n');
    expect(readFileSync(path, 'utf8').split('\n')[0]).toBe(header);
  });
});

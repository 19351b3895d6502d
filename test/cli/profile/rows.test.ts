/**
 * --fail-if, --where, --sort and --top: what they say of rows, which rows they show, and what they
 * never hide.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { startAnswers } from '../../fixtures/service/answers.ts';

/** What the service says of the wallets 1 to 6; it refuses the seventh. */
const DOCUMENTS = [
  { total_collateral_usd: 30, defi_score: { defi_score: 700, risk_level: 'Low' } },
  { total_collateral_usd: '4', defi_score: { defi_score: 300, risk_level: 'High' } },
  { total_collateral_usd: 200, defi_score: { defi_score: 500, risk_level: 'High' }, 'a: b': 1 },
  { total_collateral_usd: 0, defi_score: null },
  { total_collateral_usd: 30, defi_score: { defi_score: 500, risk_level: 'Low' }, price_errors: ['stale'] },
  { total_collateral_usd: 7, defi_score: { defi_score: 100, risk_level: 'High' } },
];
const WALLETS = [1, 2, 3, 4, 5, 6, 7].map(address);

const { env, close } = await startAnswers((wallet) => DOCUMENTS[WALLETS.indexOf(wallet)]);
afterAll(close);

const FILE = join(temporaryFolder(), 'wallets.txt');
writeFileSync(FILE, [...WALLETS, 'not a wallet'].map((line) => `${line}\n`).join(''));
const list = (...args: string[]) => cli(['profile', '-f', FILE, ...args], { env });

interface Line {
  readonly _meta: {
    readonly line: number;
    readonly matched?: readonly string[];
    readonly unjudged?: readonly string[];
  };
}

/** The lines of the list that are shown, and what is said besides. */
async function shown(...args: string[]) {
  const { stdout, stderr, exitCode } = await list('--jsonl', ...args);
  const rows: Line[] = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const notes = stderr.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return {
    lines: rows.map(({ _meta }) => _meta.line),
    rows,
    notes: notes.map(({ note, error }) => note ?? error.message),
    exitCode,
  };
}

const COUNTS = '(scored 5, no_score 1, invalid 1, failed 1)';

it('writes the verdict in the last columns of csv, after added fields, but not in a selection', async () => {
  const header = async (...args: string[]) =>
    (await list('--csv', '--fail-if', 'x: _meta.score < 400', ...args)).stdout;
  expect(await header()).toMatch(/,error,matched,unjudged\n.*,,\n.*,x,\n/);
  expect(await header('--fields', '+total_borrowed_usd?')).toMatch(/,error,total_borrowed_usd,matched,unjudged\n/);
  expect(await header('--fields', '_meta.line,m=_meta.matched')).toMatch(/^_meta\.line,m\n1,\[\]\n2,"\[""x""\]"\n/);
});

it('shows the verdict in the last columns of a table on a pipe', async () => {
  const { stdout } = await list('--format', 'table', '--fail-if', 'low: _meta.score < 400');
  const verdicts = stdout.split('\n').map((line) => line.split('\t').slice(-2).join('|'));
  expect(verdicts.join(' ')).toBe('| low| | |low | low| |low |low ');
});

it('judges `exists` for a path that no answer has', async () => {
  expect((await list('--csv', '--fail-if', 'gone exists', '--accept', 'failed,invalid')).exitCode).toBe(0);
});

it.each([
  [['_meta.score > 400'], [1, 3, 5], 3],
  [['_meta.score > 400', 'defi_score.risk_level == Low'], [1, 5], 3],
  [['_meta.status == failed'], [7], 0],
  [['_meta.status != scored'], [4, 7, 8], 0],
  [['price_errors missing'], [1, 2, 3, 4, 6], 2],
  [['_meta.error exists'], [7, 8], 0],
  [['total_collateral_usd < 10'], [2, 4, 6], 2],
  [['_meta.answered_at > 2020-01-01'], [1, 2, 3, 4, 5, 6], 2],
])(
  'shows only the rows for which --where %j holds, and counts what it cannot judge',
  async (conditions, lines, unclear) => {
    const found = await shown(...conditions.flatMap((condition) => ['--where', condition]));
    expect(found.lines).toEqual(lines);
    const said = unclear === 0 ? [] : [`rows not shown, since they lack this value: ${unclear}`];
    expect(found.notes.slice(0, -1)).toEqual(said);
    expect(found.exitCode).toBe(3);
  },
);

it('leaves the exit code as it is under --where, and reports matched rows that are not shown', async () => {
  const args = ['--fail-if', 'low: _meta.score < 200', '--accept', 'failed,invalid,no_score'];
  const { lines, notes, exitCode } = await shown(...args, '--where', 'defi_score.risk_level == Low');
  expect(lines).toEqual([1, 5]);
  expect(notes).toEqual([
    'rows not shown, since they lack this value: 3',
    'rows matched, but not in the output: 1',
    `--fail-if 'low': matched 1, first ${address(6)} in line 6 ${COUNTS}`,
  ]);
  expect(exitCode).toBe(10);
});

it('selects matched rows by --where', async () => {
  const lines = async (where: string) => (await shown('--fail-if', 'low: _meta.score < 400', '--where', where)).lines;
  expect(await lines('_meta.matched exists')).toEqual([2, 6]);
  expect(await lines('_meta.unjudged exists')).toEqual([4, 7, 8]);
});

it('exits with 2 if no answer has the path of --where, and writes a complete document', async () => {
  const { stdout, stderr, exitCode } = await list('--json', '--where', 'total_colateral_usd > 1');
  expect(stdout).toBe('[]\n');
  expect(stderr).toContain("no answer had 'total_colateral_usd' of --where 'total_colateral_usd > 1'");
  expect(stderr).toContain("did you mean total_collateral_usd? If it may be absent, put '?' after the path");
  expect(exitCode).toBe(2);
});

it.each([
  [['--top', '3'], [1, 2, 3], 8],
  [['--sort', '_meta.score:desc', '--top', '2'], [1, 3], 8],
  [['--sort', '_meta.score', '--top', '2', '--where', 'total_collateral_usd >= 30'], [3, 5], 3],
])('says how many rows %j shows', async (args, lines, of) => {
  const { notes, ...found } = await shown(...args);
  expect(found.lines).toEqual(lines);
  expect(notes).toContain(`showing ${lines.length} of ${of} rows`);
});

it('says before anything is sent that all rows are requested, where --top stands alone', async () => {
  const positionOfNote = async (...args: string[]) =>
    (await shown('--top', '2', ...args)).notes.findIndex((note) => /all rows of the list are requested/.test(note));
  expect([
    await positionOfNote(),
    await positionOfNote('--sort', 'line'),
    await positionOfNote('--where', 'score exists'),
  ]).toEqual([0, -1, -1]);
});

const file = (name: string) => ['-o', join(temporaryFolder(), name)];
const COLUMN = 'column `error` says why';
const MEMBER = '`_meta.error` says why';
it.each<[string, readonly string[], string]>([
  ['a table', [], 'the output says why'],
  ['csv', ['--csv'], COLUMN],
  ['json', ['--json'], MEMBER],
  ['jsonl', ['--jsonl'], MEMBER],
  ['a csv file', file('x.csv'), COLUMN],
  ['a json file', file('x.json'), MEMBER],
  ['columns added by --fields', ['--csv', '--fields', '+total_collateral_usd'], COLUMN],
  ['columns picked by --fields', ['--csv', '--fields', 'total_collateral_usd'], `without --fields ${COLUMN}`],
])('says after a list as %s where the reasons of rows without an answer are', async (_, args, words) => {
  const { stderr, exitCode } = await list(...args);
  expect(exitCode).toBe(3);
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  const text = last.startsWith('{') ? (JSON.parse(last) as { error: { hint: string } }).error.hint : last;
  expect(text.split('; ').at(-1)).toBe(words);
});

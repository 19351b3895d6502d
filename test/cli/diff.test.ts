/** `riskcli diff`: the whole program, against files as riskcli writes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { SignalError } from '../../src/errors.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { displayWidth } from '../../src/text/width.ts';
import { cli, type RunOptions, testHost } from '../fixtures/cli/here.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';

const MIXED = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const LOWER = MIXED.toLowerCase();
const HEADER = 'wallet_address,status,total_collateral_usd,score,answered_at,warning,error\n';

function file(content: string | Uint8Array, name = 'rows'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** A scored row of csv. */
const scored = (wallet: string, score: string, collateral = '1.50') =>
  `${wallet},scored,${collateral},${score},2026-01-01T00:00:00.000Z,,\n`;
const csv = (...rows: readonly string[]) => file(HEADER + rows.join(''));

/** A row of jsonl whose document has `more` members. */
const jsonl = (...rows: readonly (readonly [wallet: string, score: string, more?: string])[]) =>
  file(
    rows
      .map(([wallet, score, more = '']) => {
        const meta = `"_meta":{"line":1,"input":"${wallet}","status":"scored","score":${score},"answered_at":null}`;
        return `{"wallet_address":"${wallet}","total_collateral_usd":1.5,"defi_score":{"s":${score}}${more},${meta}}\n`;
      })
      .join(''),
  );

const OLD = () =>
  csv(scored(address(1), '10'), scored(MIXED, '599', '2'), scored(address(3), '7'), scored(address(4), '1'));
const NEW = () =>
  csv(scored(LOWER, '610.25', '2.00'), scored(address(5), '3'), scored(address(1), '10.0'), scored(address(4), '0'));

const diff = (args: readonly string[], options?: RunOptions) => cli(['diff', ...args], options);
const rowsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const same = (value: unknown) => ({ old: value, new: value, delta: null });

it('refuses a journal, and names the jq line that prints its answers', async () => {
  const path = join(temporaryFolder(), 'j');
  const store = await openJournal({ path, baseUrl: 'https://api.example', host: testHost() });
  store.append(LOWER, { answeredAt: 1, text: '{}' });
  store.close();
  const { stderr, exitCode } = await diff([path, path]);
  expect([exitCode, stderr]).toEqual([9, expect.stringContaining("jq -c '.document // empty'")]);
});

it('compares each wallet, regardless of case and order, with exact deltas', async () => {
  const { stdout, stderr, exitCode } = await diff([OLD(), NEW(), '--jsonl']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(rowsOf(stdout)).toEqual([
    {
      wallet_address: LOWER,
      change: 'changed',
      status: same('scored'),
      score: { old: 599, new: 610.25, delta: 11.25 },
      total_collateral_usd: { old: 2, new: 2, delta: 0 },
    },
    {
      wallet_address: address(5),
      change: 'added',
      status: { old: null, new: 'scored', delta: null },
      score: { old: null, new: 3, delta: null },
      total_collateral_usd: { old: null, new: 1.5, delta: null },
    },
    expect.objectContaining({ wallet_address: address(4), change: 'changed', score: { old: 1, new: 0, delta: -1 } }),
    {
      wallet_address: address(3),
      change: 'removed',
      status: { old: 'scored', new: null, delta: null },
      score: { old: 7, new: null, delta: null },
      total_collateral_usd: { old: 1.5, new: null, delta: null },
    },
  ]);
});

it('reads the same from csv, json and jsonl, compressed and from standard input', async () => {
  const wallets = [
    [MIXED, '5'],
    [address(2), '6'],
  ] as const;
  const lines = jsonl(...wallets);
  const array = file(`[${readFileSync(lines, 'utf8').trimEnd().replaceAll('\n', ',')}]`);
  const table = csv(...wallets.map(([wallet, score]) => scored(wallet, score, '1.50')));
  const packed = file(gzipSync(readFileSync(table)));
  const marked = file(`\ufeff${readFileSync(lines, 'utf8')}`);
  const wide = file(Buffer.from(readFileSync(marked, 'utf8'), 'utf16le'));
  for (const other of [lines, array, packed, marked, wide, '-']) {
    const outcome = await diff([table, other, '--jsonl'], { stdin: readFileSync(lines) });
    expect(outcome).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  }
});

it('keeps the spelling of numbers, including those that do not fit a double', async () => {
  const [older, newer] = [jsonl([MIXED, '9007199254740993']), jsonl([MIXED, '9007199254740993.1e0'])];
  const { stdout } = await diff([older, newer, '--jsonl']);
  expect(stdout).toContain('"score":{"old":9007199254740993,"new":9007199254740993.1e0,"delta":0.1}');
  const far = await diff([jsonl([MIXED, '1']), jsonl([MIXED, '1e4000']), '--jsonl']);
  expect(far.stdout).toContain('"score":{"old":1,"new":1e4000,"delta":null}');
});

it('compares the values of --fields, renamed as for a list', async () => {
  const older = jsonl(
    [MIXED, '1', ',"risk":{"level":"Low","usd":"50000.5"}'],
    [address(2), '1', ',"risk":{"level":"Low"}'],
  );
  const newer = jsonl(
    [MIXED, '2', ',"risk":{"level":"High","usd":50001}'],
    [address(2), '2', ',"risk":{"level":"Low"}'],
  );
  const { stdout, exitCode } = await diff([older, newer, '--csv', '--fields', 'risk.level,usd=risk.usd?']);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    `wallet_address,change,risk.level.old,risk.level.new,risk.level.delta,usd.old,usd.new,usd.delta\n${MIXED},changed,Low,High,,50000.5,50001,0.5\n`,
  );
  const added = await diff([older, newer, '--jsonl', '--fields', '+risk.level', '--where', 'risk.level.new == High']);
  expect(rowsOf(added.stdout)).toMatchObject([
    { wallet_address: MIXED, score: { delta: 1 }, 'risk.level': { old: 'Low', new: 'High', delta: null } },
  ]);
});

it.each([
  [['--fields', 'defi_score.scor'], "/rows': no answer had 'defi_score.scor' of --fields; did you mean score?"],
])('refuses %j with exit code 2', async (args, message) => {
  const { stderr, exitCode } = await diff([jsonl([MIXED, '1']), jsonl([MIXED, '2']), ...args]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

it('includes a field once if it is a default one or has the name of one', async () => {
  const [older, newer] = [jsonl([MIXED, '1', ',"risk":1']), jsonl([MIXED, '2', ',"risk":3'])];
  const usual = await diff([older, newer, '--csv']);
  const again = '+score,status?,total_collateral_usd';
  expect(await diff([older, newer, '--csv', '--fields', again])).toEqual(usual);
  const shown = await diff([older, newer, '--jsonl']);
  expect(await diff([older, newer, '--jsonl', '--fields', again])).toEqual(shown);
  const other = await diff([older, newer, '--csv', '--fields', '+score=risk']);
  const names = other.stdout.split('\n')[0]?.split(',') ?? [];
  expect(names.slice(-3)).toEqual(['riskcli.score.old', 'riskcli.score.new', 'riskcli.score.delta']);
  expect(new Set(names).size).toBe(names.length);
  expect(other.stdout).toMatch(/,1,3,2\n$/);
});

it('chooses the score by the setting where a file has only documents of its own', async () => {
  const picked = () => file(`{"wallet_address":"${MIXED}","total_collateral_usd":1,"defi_score":{},"risk":7}\n`);
  const env = { RISKCLI_SCORE: 'risk' };
  const one = await diff([csv(scored(MIXED, '5')), picked(), '--jsonl'], { env });
  expect(rowsOf(one.stdout)).toMatchObject([{ score: { old: 5, new: 7, delta: 2 } }]);
  // Both files have their scores: the setting has no effect.
  expect((await diff([OLD(), NEW()], { env })).exitCode).toBe(0);
});

it('refuses a file without a column that is compared, by name', async () => {
  const picked = file(`wallet_address,score\n${MIXED},7\n`);
  const { stderr, ...end } = await diff([csv(scored(MIXED, '5')), picked, '--jsonl']);
  expect(end).toEqual({ stdout: '', exitCode: 9 });
  expect(JSON.parse(stderr).error.message).toContain('it has no status, total_collateral_usd');
  const { stdout } = await diff([csv(scored(MIXED, '5')), picked, '--jsonl', '--fields', 'score']);
  expect(rowsOf(stdout)).toEqual([{ wallet_address: MIXED, change: 'changed', score: { old: 5, new: 7, delta: 2 } }]);
});

it('writes csv with a header, tabs on a pipe, and a file that is replaced in one step', async () => {
  const [older, newer] = [OLD(), NEW()];
  const first = `${LOWER},changed,scored,scored,,599,610.25,11.25,2,2.00,0\n`;
  const head =
    'wallet_address,change,status.old,status.new,status.delta,score.old,score.new,score.delta,total_collateral_usd.old,total_collateral_usd.new,total_collateral_usd.delta\n';
  expect((await diff([older, newer, '--csv'])).stdout.startsWith(head + first)).toBe(true);
  expect((await diff([older, newer])).stdout.startsWith(first.replaceAll(',', '\t'))).toBe(true);
  const output = file('before', 'changes.csv');
  expect((await diff([older, newer, '-o', output])).stdout).toBe('');
  expect(readFileSync(output, 'utf8').startsWith(head + first)).toBe(true);
});

it('prints a complete document if nothing changed', async () => {
  const older = OLD();
  expect((await diff([older, older, '--json'])).stdout).toBe('[]\n');
  expect((await diff([older, older, '--csv'])).stdout.split('\n')).toHaveLength(2);
  expect((await diff([older, older])).stdout).toBe('');
});

it.each(['older', 'newer'])('never replaces the %s file with the output', async (which) => {
  const files = { older: OLD(), newer: NEW() };
  const content = readFileSync(files[which as 'older']);
  const output = files[which as 'older'];
  const { exitCode, stderr } = await diff([files.older, files.newer, '--csv', '-o', output]);
  expect(exitCode).toBe(8);
  expect(stderr).toContain('is a file that this run reads');
  expect(readFileSync(output)).toEqual(content);
});

it('shows the sign of each delta on a terminal, and a summary on stderr', async () => {
  const tty = { stdout: true, stderr: true };
  const { stdout, stderr: shown } = await diff([OLD(), NEW()], { tty, columns: 100, env: { NO_COLOR: '1' } });
  const [stderr, ...progress] = shown.split('\u001b[K').reverse();
  expect(progress).toContain('\r1 row');
  expect(stdout).toBe(
    [
      'WALLET                                             SCORE   CHANGE  COLLATERAL CHANGE',
      `${LOWER}  599 → 610.25   +11.25              $0.00`,
      `${address(5)}             3    added              $1.50`,
      `${address(4)}         1 → 0       -1              $0.00`,
      `${address(3)}             7  removed              $1.50`,
      '',
    ].join('\n'),
  );
  expect(stderr).toBe('note: changed 2, added 1, removed 1, same 1\n');
});

it('shortens wallets on a narrow terminal, and leaves the collateral out on a narrower one', async () => {
  const narrow = await diff([OLD(), NEW()], { tty: { stdout: true }, columns: 80, env: { NO_COLOR: '1' } });
  expect(narrow.stdout).toContain(
    '\n0xd8da6bf26964af9d7…03e53415d37aa96045  599 → 610.25   +11.25              $0.00\n',
  );
  const narrowest = await diff([OLD(), NEW()], { tty: { stdout: true }, columns: 40, env: { NO_COLOR: '1' } });
  expect(narrowest.stdout.split('\n').slice(0, 2)).toEqual([
    'WALLET                    SCORE   CHANGE',
    '0xd8da6b…7aa96045  599 → 610.25   +11.25',
  ]);
});

it('filters, sorts and limits rows like those of a list', async () => {
  const sorted = await diff([OLD(), NEW(), '--jsonl', '--sort', 'score.delta:desc', '--top', '1']);
  expect(rowsOf(sorted.stdout)).toMatchObject([{ wallet_address: LOWER, score: { delta: 11.25 } }]);
  expect(JSON.parse(sorted.stderr).note).toBe('showing 1 of 4 rows');
  const where = await diff([OLD(), NEW(), '--csv', '--where', 'change != changed']);
  expect(where.stdout.split('\n').map((line) => line.split(',')[1])).toEqual(['change', 'added', 'removed', undefined]);
  const unclear = await diff([OLD(), NEW(), '--where', 'score.delta < 0']);
  expect(unclear.stdout.split('\n')).toHaveLength(2);
});

it.each([
  ['score.delta', ['-200', '-50', '-10', '30', '']],
  ['score.delta:desc', ['30', '-10', '-50', '-200', '']],
  ['score.ratio', ['-50', '-200', '-10', '30', '']],
])('sorts rows by a change: %s', async (sort, deltas) => {
  const runs = [
    ['100', '1000', '60', '100'],
    ['90', '800', '10', '130', '7'],
  ].map((scores) => csv(...scores.map((score, i) => scored(address(i), score))));
  for (const format of ['--csv', '--jsonl']) {
    const { stdout } = await diff([...runs, format, '--fields', 'score', '--sort', sort]);
    const found =
      format === '--csv'
        ? stdout
            .trimEnd()
            .split('\n')
            .slice(1)
            .map((line) => line.split(',')[4])
        : rowsOf(stdout).map(({ score }) => String(score.delta ?? ''));
    expect(found).toEqual(deltas);
  }
});

it.each([
  ['score.delta < -0.5', ['--accept', 'added,removed'], 10, `matched 1, first ${address(4)}`],
  ['score.delta < -0.5', [], 10, `matched 1, first ${address(4)}`],
  ['score.ratio < -1', [], 0, ''],
  ['score.delta < -2', [], 0, ''],
  ['change == removed', [], 10, `matched 1, first ${address(3)}`],
  ['gone: change == removed', [], 10, "'gone': matched 1,"],
  ['score.delta < -2', ['--accept', 'added,removed'], 0, ''],
  ['status.new missing', [], 10, `matched 1, first ${address(3)}`],
])('judges the gate %s with %j by exit code %i', async (condition, args, exitCode, message) => {
  const outcome = await diff([OLD(), NEW(), '--csv', '--fail-if', condition, ...args]);
  expect(outcome.exitCode).toBe(exitCode);
  expect(outcome.stderr).toContain(message);
  expect(outcome.stdout.split('\n')[0]).toMatch(/,matched,unjudged$/);
  expect(outcome.stdout.split('\n')).toHaveLength(6);
});

it('adds the matched rules to the rows of a diff', async () => {
  const gates = ['--fail-if', 'gone: change == removed', '--fail-if', 'score.new < 4'];
  const { stdout } = await diff([OLD(), NEW(), '--jsonl', ...gates]);
  expect(rowsOf(stdout).map(({ matched, unjudged }) => [matched, unjudged])).toEqual([
    [[], []],
    [['score.new < 4'], []],
    [['score.new < 4'], []],
    [['gone'], ['score.new < 4']],
  ]);
  const cells = await diff([OLD(), NEW(), '--csv', ...gates, '--fail-if', 'low: score.new < 5']);
  expect(cells.stdout).toContain(',score.new < 4; low,\n');
  const shown = await diff([OLD(), NEW(), '--jsonl', ...gates, '--where', 'matched exists']);
  expect(rowsOf(shown.stdout)).toHaveLength(3);
  const unclear = await diff([OLD(), NEW(), '--jsonl', ...gates, '--where', 'unjudged exists']);
  expect(rowsOf(unclear.stdout)).toMatchObject([{ change: 'removed' }]);
});

it('does not match a rule on change for a wallet that came or left', async () => {
  const { stdout, exitCode } = await diff([
    OLD(),
    NEW(),
    '--jsonl',
    '--fail-if',
    'score.delta < -99',
    '--fail-if',
    'score.ratio > 9',
  ]);
  expect(rowsOf(stdout).map(({ matched, unjudged }) => [matched, unjudged])).toEqual(Array(4).fill([[], []]));
  expect(exitCode).toBe(0);
});

it.each([
  ['--fail-if', 'matched exists', "the condition 'matched exists' asks for what the conditions decide"],
  ['--where', 'matched exists', "the rows of this diff have no 'matched'"],
  ['--fail-if', 'scor.delta < 1', 'did you mean score.delta'],
  ['--where', '_meta.score > 1', "the rows of this diff have no 'score'"],
  ['--sort', 'score', "the rows of this diff have no 'score'"],
  ['--top', '0', '--top cannot be'],
])('refuses %s %j with exit code 2', async (flag, value, message) => {
  const { stdout, stderr, exitCode } = await diff([OLD(), NEW(), flag, value]);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain(message);
});

it('does not compare a file that breaks off in its last number', async () => {
  const whole = `wallet_address,score\n${address(2)},1\n${MIXED},597\n`;
  const { stdout, stderr, exitCode } = await diff([
    file(whole),
    file(whole.slice(0, -2)),
    '--csv',
    '-q',
    '--fields',
    'score',
  ]);
  expect({ stdout, exitCode }).toEqual({
    stdout: `wallet_address,change,score.old,score.new,score.delta\n${MIXED},removed,597,,\n`,
    exitCode: 0,
  });
  expect(stderr).toContain('is incomplete and left out: its line does not end');
  expect(await diff([file(whole), file('wallet_address,score')])).toMatchObject({ stdout: '', exitCode: 9 });
});

it('takes the last row of a wallet that is there twice, and reports differences', async () => {
  const twice = csv(scored(MIXED, '1'), scored(address(2), '1'), scored(LOWER, '1'), scored(MIXED, '4'));
  const { stdout, stderr } = await diff([csv(scored(MIXED, '1'), scored(address(2), '1')), twice, '--jsonl']);
  expect(rowsOf(stdout)).toMatchObject([{ wallet_address: MIXED, score: { old: 1, new: 4 } }]);
  expect(JSON.parse(stderr).note).toContain('that have several rows with different values: 1;');
  const quiet = await diff([twice, csv(scored(MIXED, '4'), scored(MIXED, '4'), scored(address(2), '1')), '-q']);
  expect(quiet).toEqual({ stdout: '', stderr: '', exitCode: 0 });
});

it('counts rows without a wallet if they are unexpected', async () => {
  const invalid = 'nonsense,invalid,,,,,line 3: it is not an address\n';
  const long = scored(`0x${'ab'.repeat(32)}`, '1');
  const listed = await diff([csv(scored(MIXED, '1'), invalid), csv(scored(MIXED, '1'))]);
  expect(listed).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  const other = await diff([csv(long), csv(scored(MIXED, '1')), '-q']);
  expect(other.stderr).toContain('without a wallet that can be compared: ');
  expect(other.stdout + other.stderr).not.toContain('abab');
});

it('leaves the file of -o as it was when a signal stops a diff', async () => {
  const controller = new AbortController();
  controller.abort(new SignalError('SIGTERM'));
  const output = file('before', 'changes.csv');
  const { stdout, exitCode } = await diff([OLD(), NEW(), '-o', output], { signal: controller.signal });
  expect({ stdout, exitCode, output: readFileSync(output, 'utf8') }).toEqual({
    stdout: '',
    exitCode: 143,
    output: 'before',
  });
});

const value = (text: string) => `,"v":${JSON.stringify(text)}`;
const against = (text: string, args: readonly string[] = [], options: RunOptions = {}) => {
  const files = ['before', text].map((v) => jsonl([MIXED, '1', value(v)]));
  return diff([...files, '--fields', 'v', ...args], options);
};

it('escapes hostile rows of a diff', async () => {
  for (const tty of [{ stdout: true }, {}]) {
    const hostile = '\u001b]52;c;x\u0007\u202e\r\n\u0000';
    const { stdout } = await against(hostile, [], { tty, columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('\\u001b]52;c;x\\u0007\\u202e\\r\\n\\u0000');
  }
});

it('neutralises rows and column names of a diff for spreadsheets', async () => {
  const { stdout } = await against('=cmd|x', ['--csv', '--fields', '+-a=v']);
  expect(stdout).toContain(",before,'=cmd|x,");
  expect(stdout.split('\n')[0]).toContain("'-a.old");
  const list = file(`wallet_address,v\n${MIXED},'=cmd|x\n`);
  expect((await diff([jsonl([MIXED, '1', value('=cmd|x')]), list, '--fields', 'v'])).stdout).toBe('');
});

it('shows rows of a diff without possible private keys', async () => {
  const key = 'ab12'.repeat(16);
  const { stdout } = await against(`see ${key}`, ['--csv']);
  expect(stdout).toContain('see <withheld: may be a private key>');
  expect(stdout).not.toContain(key.slice(0, 12));
});

it('compares members with names like __proto__', async () => {
  const [older, newer] = ['1', '2'].map((n) =>
    jsonl([MIXED, '1', `,"__proto__":{"polluted":${n}},"constructor":${n},"change":${n}`]),
  );
  const fields = ['--fields', '__proto__.polluted,constructor,change,wallet_address,__proto__'];
  const { stdout, exitCode } = await diff([
    older ?? '',
    newer ?? '',
    ...fields,
    '--jsonl',
    '--where',
    'constructor.delta == 1',
  ]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    '"__proto__.polluted":{"old":1,"new":2,"delta":1},"constructor":{"old":1,"new":2,"delta":1}',
  );
  expect(stdout).toContain('"riskcli.change":{"old":1,"new":2,"delta":1}');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect((await diff([older ?? '', newer ?? '', '--where', 'constructor exists'])).exitCode).toBe(2);
});

it('compares rows that are deep, and refuses those that are too deep or too long', async () => {
  const deep = (depth: number) =>
    file(`{"wallet_address":"${MIXED}","v":${'['.repeat(depth)}${']'.repeat(depth)},"_meta":{}}\n`);
  expect((await diff([deep(2), deep(990), '--fields', 'v'])).exitCode).toBe(0);
  expect(await diff([deep(2), deep(2_000), '--fields', 'v'])).toMatchObject({
    exitCode: 9,
    stderr: expect.stringContaining('nesting deeper than 1000'),
  });
  const long = await against('x'.repeat(17 * 1024 * 1024));
  expect(long).toMatchObject({ exitCode: 9, stderr: expect.stringContaining('longer than') });
});

const names = 'tier,customer,wallet,';
/** A run of a list with columns of its own: wallet and score of each customer. */
const list = (scores: Readonly<Record<string, readonly [wallet: string, score: string]>>) =>
  file(
    names +
      HEADER +
      Object.entries(scores)
        .map(([name, [wallet, score]]) => `gold,${name},${wallet},${scored(wallet, score)}`)
        .join(''),
  );
const old = () => list({ Ann: [address(1), '500'], Ben: [address(2), '600'], Cem: [address(3), '1'] });
const now = () => list({ Ann: [address(1), '550'], '=Dan': [address(4), '700'], 'C\u001b[2Jem': [address(3), '2'] });
const labels = async (...args: readonly string[]) =>
  rowsOf((await diff([...args, '--jsonl'])).stdout).map(({ label }) => label);

it('takes labels from the newer run, or from the earlier one for a removed wallet', async () => {
  expect(await labels(old(), now())).toEqual(['Ann', '=Dan', 'C\\u001b[2Jem', 'Ben']);
});

it('takes labels from the column of --label, in any case', async () => {
  expect(await labels(old(), now(), '--label', 'Tier')).toEqual(['gold', 'gold', 'gold', 'gold']);
});

it('refuses a --label that is in neither run', async () => {
  expect(await labels(OLD(), now(), '--label', 'tier')).toContain('gold');
  expect(await diff([old(), now(), '--label', 'tir'])).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining("the list has no column 'tir' for --label; use one of 'tier'"),
  });
  expect(await diff([OLD(), NEW(), '--label', 'tier'])).toMatchObject({ exitCode: 2 });
});

it('writes labels as the last column in csv, neutralised for spreadsheets, and on pipes', async () => {
  const { stdout } = await diff([old(), now(), '--csv']);
  const [head, ...rows] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^wallet_address,change,status.old,.*,total_collateral_usd.delta,label$/);
  expect(rows.map((row) => row.split(',').at(-1))).toEqual(['Ann', "'=Dan", 'C\\u001b[2Jem', 'Ben']);
  expect((await diff([old(), now()])).stdout.split('\n')[0]).toMatch(/^0x.*\tAnn$/);
  const gated = await diff([old(), now(), '--csv', '--fail-if', 'score.delta > 40', '--accept', 'added,removed']);
  expect(gated.stdout).toMatch(/,matched,unjudged,label\n.*,score.delta > 40,,Ann\n/);
});

it('takes label as a path in --where, --sort and --fail-if', async () => {
  expect(await labels(old(), now(), '--where', 'label == Ann')).toEqual(['Ann']);
  expect(await labels(old(), now(), '--sort', 'label')).toEqual(['=Dan', 'Ann', 'Ben', 'C\\u001b[2Jem']);
  expect(await diff([old(), now(), '--fail-if', 'label == Ben'])).toMatchObject({ exitCode: 10 });
});

it('finds labels in runs written with --fields, in front', async () => {
  const rows = (score: number) => file(`customer,wallet_address,score\nAnn,${address(1)},${score}\n`);
  expect(await labels(rows(1), rows(2), '--fields', 'score')).toEqual(['Ann']);
  for (const field of ['input.customer', 'customer']) {
    const { stdout } = await diff([rows(1), rows(2), '--fields', `score,${field}`, '--csv']);
    expect(stdout).toContain(`${field}.new,${field}.delta,label\n`);
    expect(stdout).toMatch(/,Ann,Ann,,Ann\n$/);
  }
});

it.each([80, 100, 140])('fits labels of any length into the table on a terminal of %i columns', async (columns) => {
  const long = 'Delta Neutral Fund III '.repeat(4);
  const rows = (score: string) => list({ [`${long}A`]: [address(1), score], [`${long}B`]: [address(2), score] });
  const { stdout } = await diff([rows('1'), rows('2')], { tty: { stdout: true }, columns, env: { NO_COLOR: '1' } });
  const [head = '', ...lines] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^CUSTOMER +WALLET +SCORE +CHANGE +COLLATERAL CHANGE$/);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatch(/^Delta Neutral F.*… {2}0x0\S+ {2}1 → 2 +\+1 +\$0\.00$/);
  for (const line of [head, ...lines]) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
});

/** `riskcli journal`: real files, and the whole program against streams that the test reads. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/journal.ts';
import { encodeRecord } from '../../src/journal/record.ts';
import { cli, testHost } from '../fixtures/cli/here.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';

const BASE = 'https://api.example/prefix';
const DAY = 86_400_000;
const NOW = Date.parse('2026-06-01T00:00:00Z');
const day = (number: number) => NOW - 100 * DAY + number * DAY;
const refusal = { code: 'refused', message: 'no such wallet', httpStatus: 404 };
/** A wallet with letters in it, as a person writes it and as a journal does. */
const MIXED = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const answerOf = (wallet: string, score: string, more = '') =>
  `{"wallet_address":"${wallet}","total_collateral_usd":${score}.50,"defi_score":{"score":${score}}${more}}`;

type Entry = readonly [wallet: string, day: number, text: string | undefined];

/** A journal with `entries`; undefined is a refusal. */
async function journalOf(entries: readonly Entry[]): Promise<string> {
  const path = join(temporaryFolder(), 'answers.journal');
  const journal = await openJournal(path, { base: BASE, host: testHost() });
  for (const [wallet, number, text] of entries) {
    const answeredAt = day(number);
    journal.append(wallet.toLowerCase(), text === undefined ? { answeredAt, refusal } : { answeredAt, text });
  }
  journal.close();
  return path;
}

const SAMPLE: readonly Entry[] = [
  [address(1), 1, answerOf(address(1), '10')],
  [address(2), 2, answerOf(address(2), '20')],
  [MIXED, 3, answerOf(MIXED, '599', ',"note":"MARKER-of-599"')],
  [address(1), 40, answerOf(address(1), '11')],
  [address(2), 41, undefined],
  [MIXED.toLowerCase(), 42, answerOf(MIXED, '640', ',"note":"MARKER-of-640"')],
  [address(1), 90, answerOf(address(1), '12')],
];

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line))
    .map(({ wallet, answered_at: at, refused }) => [
      wallet,
      Math.round((Date.parse(at) - day(0)) / DAY),
      ...(refused ? ['refused'] : []),
    ]);

const options = { now: () => NOW };

describe('journal show', () => {
  it('describes the contents of a journal, and changes nothing', async () => {
    const path = await journalOf(SAMPLE);
    const before = readFileSync(path);
    const { stdout, stderr, exitCode } = await cli(['journal', 'show', path, '--json']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toEqual({
      base_url: BASE,
      wallets: 3,
      answers: 6,
      superseded: 3,
      refusals: 1,
      oldest: new Date(day(1)).toISOString(),
      newest: new Date(day(90)).toISOString(),
      bytes: before.length,
      damaged_lines: 0,
    });
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(join(path, '..'))).toEqual(['answers.journal']);
  });

  it('shows one value per line on a terminal', async () => {
    const path = await journalOf(SAMPLE);
    const { stdout } = await cli(['journal', 'show', path], { tty: { stdout: true } });
    expect(stdout).toContain('superseded     3\n');
  });

  it('reads a journal that a run has open, without an unfinished record', async () => {
    const path = await journalOf(SAMPLE);
    const journal = await openJournal(path, { base: BASE, host: testHost() });
    writeFileSync(path, '{"crc":"0000', { flag: 'a' });
    const { stdout, stderr } = await cli(['journal', 'show', path, '--json']);
    expect([JSON.parse(stdout).answers, stderr]).toEqual([6, '']);
    journal.close();
  });

  it('counts damaged lines and says that they are ignored', async () => {
    const path = await journalOf(SAMPLE);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"score":20', '"score":99'));
    const { stdout, stderr } = await cli(['journal', 'show', path, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ answers: 5, damaged_lines: 1 });
    expect(JSON.parse(stderr).note).toBe(`1 damaged line of the journal '${path}' is left out`);
  });

  it.each([
    ['no journal is named', ['journal', 'show'], 2, '<file> is missing; see riskcli help journal show'],
    ['there is none', ['journal', 'show', '/nonexistent/j'], 8, 'there is no journal'],
    ['it is something else', ['journal', 'show', '/proc/self/status'], 8, 'is not a riskcli journal'],
  ])('fails when %s', async (_, args, exitCode, told) => {
    const result = await cli(args);
    expect(result).toMatchObject({ stdout: '', exitCode });
    expect(result.stderr).toContain(told);
  });

  it('refuses a journal that others can write', async () => {
    const path = await journalOf(SAMPLE);
    chmodSync(path, 0o666);
    for (const args of [['show'], ['prune', '--keep', '1'], ['erase', address(1)]]) {
      const { exitCode, stderr } = await cli(['journal', ...args, '--journal', path], { uid: process.getuid?.() ?? 0 });
      expect(exitCode).toBe(8);
      expect(stderr).toContain('is writable by others');
    }
  });
});

describe('the journal of a subcommand', () => {
  it('is named first, or with --journal: then every argument is a wallet', async () => {
    const path = await journalOf(SAMPLE);
    for (const [verb, ...words] of [['show'], ['history', MIXED], ['export'], ['prune', '--keep', '9']] as const) {
      const named = await cli(['journal', verb, path, ...words, '--csv']);
      expect(named).toMatchObject({ exitCode: 0, stderr: '' });
      expect(await cli(['journal', verb, ...words, '--journal', path, '--csv'])).toEqual(named);
    }
    const args = ['--journal', path, address(1), address(2), '--json'];
    const { stdout } = await cli(['journal', 'erase', ...args]);
    expect(JSON.parse(stdout)).toMatchObject({ answers_removed: 5, answers_left: 2 });
  });

  it('may be erased from by the name purge as well', async () => {
    const path = await journalOf(SAMPLE);
    const { stdout, exitCode } = await cli(['journal', 'purge', '--journal', path, MIXED, '--json']);
    expect([exitCode, JSON.parse(stdout).answers_removed]).toEqual([0, 2]);
    expect((await cli(['journal', '--help'])).stdout).not.toContain('purge');
  });

  it.each([
    ['no wallet behind the journal', ['history', 'PATH'], '<wallet> is missing; '],
    ['no wallet with --journal', ['history', '--journal', 'PATH'], '<wallet> is missing; '],
    ['a wallet where the journal has to be', ['history', MIXED, MIXED], 'no journal is named; name it first: '],
    ['wallets alone', ['erase', MIXED, address(1)], 'no journal is named; '],
    ['a list alone', ['erase', '-f', 'PATH'], '<file> is missing; '],
    ['two wallets', ['history', 'PATH', MIXED, MIXED], 'journal history takes 2 arguments, but 3 were given; '],
    ['two with --journal', ['history', '--journal', 'PATH', MIXED, MIXED], 'takes one argument, but 2 were given; '],
    [
      'the journal twice',
      ['show', 'PATH', '--journal', 'PATH'],
      'takes no arguments, but 1 was given; name one journal',
    ],
    ['an empty name', ['show', '--journal', ''], 'no journal is named; '],
    ['a column of an argument', ['erase', 'PATH', MIXED, '--column', 'a'], '--column only works with a list'],
  ])('is asked for when there is %s', async (_, words, told) => {
    const path = await journalOf(SAMPLE);
    const { exitCode, stdout, stderr } = await cli([
      'journal',
      ...words.map((word) => (word === 'PATH' ? path : word)),
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(told);
    expect(linesOf(path)).toHaveLength(7);
  });
});

describe('journal erase', () => {
  it('leaves no byte of the wallet, and every other answer unchanged', async () => {
    const path = await journalOf(SAMPLE);
    chmodSync(path, 0o640);
    const bytes = statSync(path).size;
    const { stdout, stderr, exitCode } = await cli(['journal', 'erase', path, MIXED, '--json']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toEqual({
      answers_removed: 2,
      wallets_affected: 1,
      answers_left: 5,
      bytes_before: bytes,
      bytes_after: statSync(path).size,
    });
    const text = readFileSync(path, 'latin1');
    expect(text.toLowerCase()).not.toContain(MIXED.slice(2).toLowerCase());
    expect(text).not.toContain('MARKER');
    expect(linesOf(path)).toEqual([
      [address(1), 1],
      [address(2), 2],
      [address(1), 40],
      [address(2), 41, 'refused'],
      [address(1), 90],
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(path, '..'))).toEqual(['answers.journal']);
    const again = await openJournal(path, { base: BASE, host: testHost() });
    expect([again.has(address(1)), again.has(MIXED.toLowerCase())]).toEqual([true, false]);
    again.close();
  });

  it('accepts a list, also from stdin, and ignores wallets that are not in the journal', async () => {
    const path = await journalOf(SAMPLE);
    const list = `wallet,why\n${MIXED},asked\n${address(7)},asked\n${address(2)},asked\n`;
    const { exitCode, stdout } = await cli(['journal', 'erase', path, '-', '--json'], { stdin: list });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ answers_removed: 4, wallets_affected: 2, answers_left: 3 });
    expect(linesOf(path).map(([wallet]) => wallet)).toEqual([address(1), address(1), address(1)]);
    const before = statSync(path).ino;
    const again = await cli(['journal', 'erase', path, '-', '--json'], { stdin: list });
    expect([again.exitCode, JSON.parse(again.stdout).answers_removed]).toEqual([0, 0]);
    expect(statSync(path).ino).toBe(before);
  });

  it('accepts lists with -f after the journal', async () => {
    const path = await journalOf(SAMPLE);
    writeFileSync(`${path}.txt`, `${MIXED}\n${address(2)}\n`);
    const { exitCode, stdout } = await cli(['journal', 'erase', path, '-f', `${path}.txt`, '--json']);
    expect([exitCode, JSON.parse(stdout).answers_removed]).toEqual([0, 4]);
  });

  it('erases the wallets of a list with an invalid row, and exits with 3', async () => {
    const path = await journalOf(SAMPLE);
    const { exitCode, stderr } = await cli(['journal', 'erase', path, '-'], { stdin: `${MIXED}\n0x12\n` });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('1 row of the list is not a wallet, the first on line 2; ');
    expect(readFileSync(path, 'latin1')).not.toContain('MARKER');
  });

  it('drops damaged and torn lines, which may belong to the wallet, and names the copies that it leaves', async () => {
    const path = await journalOf(SAMPLE);
    const text = readFileSync(path, 'utf8').replace(MIXED.toLowerCase(), MIXED.toLowerCase().replace('0xd8', '0xd9'));
    writeFileSync(path, `${text}{"crc":"12345678","wallet":"${MIXED.toLowerCase()}","answ`);
    writeFileSync(`${path}.damaged-1`, 'MARKER');
    const { exitCode, stderr } = await cli(['journal', 'erase', path, MIXED]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`1 damaged line of the journal '${path}' was dropped\n`);
    expect(stderr).toContain(`were not touched: '${path}.damaged-1'`);
    expect(readFileSync(path, 'latin1')).not.toMatch(/MARKER|6bf26964/i);
    expect(readdirSync(join(path, '..')).sort()).toEqual(['answers.journal', 'answers.journal.damaged-1']);
  });

  it('reports when another wallet mentions it', async () => {
    const path = await journalOf([
      [MIXED.toLowerCase(), 1, answerOf(MIXED, '1')],
      [address(1), 2, answerOf(address(1), '2', `,"peer":"${MIXED}"`)],
      [address(2), 3, answerOf(address(2), '3')],
    ]);
    const { stderr } = await cli(['journal', 'erase', path, MIXED]);
    expect(linesOf(path).map(([wallet]) => wallet)).toEqual([address(1), address(2)]);
    expect(stderr).toContain("1 answer of other wallets in the journal '");
  });

  it.each([
    ['no wallet', [], 'no wallet was given'],
    ['what is no wallet', ['0x12'], 'is not a wallet'],
  ])('refuses %s', async (_, args, told) => {
    const path = await journalOf(SAMPLE);
    const { exitCode, stderr } = await cli(['journal', 'erase', path, ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(told);
    expect(linesOf(path)).toHaveLength(7);
  });
});

describe('journal prune', () => {
  it.each([
    ['the newest of each wallet', ['--keep', '1'], [2, 41, 42, 90]],
    ['the two newest', ['--keep', '2'], [2, 3, 40, 41, 42, 90]],
    ['what is young', ['--older-than', '60d'], [40, 41, 42, 90]],
    ['what is young, and the newest of each wallet', ['--keep', '1', '--older-than', '59d'], [2, 41, 42, 90]],
  ])('keeps %s', async (_, args, left) => {
    const path = await journalOf(SAMPLE);
    const { exitCode, stderr, stdout } = await cli(['journal', 'prune', path, ...args, '--json'], options);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(linesOf(path).map(([, number]) => number)).toEqual(left);
    expect(JSON.parse(stdout)).toMatchObject({ answers_removed: 7 - left.length, answers_left: left.length });
  });

  it('keeps a copy of a journal with damaged lines', async () => {
    const path = await journalOf(SAMPLE);
    const damaged = readFileSync(path, 'utf8').replace('"score":20', '"score":99');
    writeFileSync(path, damaged);
    const { stderr } = await cli(['journal', 'prune', path, '--keep', '5']);
    expect(stderr).toContain(`was dropped; a copy of it as it was is '${path}.damaged-1'`);
    expect(readFileSync(`${path}.damaged-1`, 'utf8')).toBe(damaged);
    expect(linesOf(path)).toHaveLength(6);
  });

  it('exits with 11 while a run holds the journal, and changes nothing', async () => {
    const path = await journalOf(SAMPLE);
    const before = readFileSync(path);
    const journal = await openJournal(path, { base: BASE, host: testHost() });
    for (const args of [
      ['prune', '--keep', '1'],
      ['erase', address(1)],
    ]) {
      expect((await cli(['journal', ...args, '--journal', path])).exitCode).toBe(11);
    }
    journal.close();
    expect(readFileSync(path)).toEqual(before);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it.each([[[]], [['--keep', '0']], [['--keep', 'x']], [['--older-than', 'soon']]])('refuses %j', async (args) => {
    const path = await journalOf(SAMPLE);
    expect(await cli(['journal', 'prune', path, ...args])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('keeps a record longer than the write buffer', async () => {
    const path = await journalOf([
      [address(1), 1, answerOf(address(1), '1', `,"long":"${'x'.repeat(3_000_000)}"`)],
      ...SAMPLE,
    ]);
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.concat([whole, encodeRecord(address(9), { answeredAt: day(95), text: '{}' })]));
    expect((await cli(['journal', 'prune', path, '--keep', '4'])).exitCode).toBe(0);
    expect(linesOf(path)).toHaveLength(9);
    await cli(['journal', 'erase', path, address(9)]);
    expect(readFileSync(path).equals(whole)).toBe(true);
  });
});

describe('journal history', () => {
  const OVER_TIME: readonly Entry[] = [
    [MIXED, 1, answerOf(MIXED, '9007199254740993')],
    [MIXED, 2, answerOf(MIXED, '9007199254740992.25', ',"level":"high"').replace('.25.50', '.25')],
    [address(1), 3, answerOf(address(1), '1')],
    [MIXED, 4, undefined],
    [MIXED, 5, answerOf(MIXED, 'null').replace('null.50', '1.10')],
    [MIXED, 6, answerOf(MIXED, '9007199254741000')],
  ];

  it('prints the dated answers of one wallet, with exact changes', async () => {
    const path = await journalOf(OVER_TIME);
    const { stdout, stderr, exitCode } = await cli(['journal', 'history', path, MIXED, '--csv']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const at = (number: number) => new Date(day(number)).toISOString();
    expect(stdout).toBe(
      [
        'answered_at,status,score,change,total_collateral_usd',
        `${at(1)},scored,9007199254740993,,9007199254740993.50`,
        `${at(2)},scored,9007199254740992.25,-0.75,9007199254740992.25`,
        `${at(4)},failed,,,`,
        `${at(5)},no_score,,,1.10`,
        `${at(6)},scored,9007199254741000,7.75,9007199254741000.50`,
        '',
      ].join('\n'),
    );
  });

  it('keeps the spelling of numbers in json, and adds the fields of --fields', async () => {
    const path = await journalOf(OVER_TIME);
    const args = ['journal', 'history', path, MIXED.toLowerCase(), '--json'];
    const { stdout, exitCode } = await cli([...args, '--fields', 'level?,score=_meta.status']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('    "score": 9007199254740993,\n    "change": null,');
    const records = JSON.parse(stdout);
    expect(records[1]).toMatchObject({ change: -0.75, level: 'high', 'riskcli.score': 'scored' });
    const mistyped = await cli([...args, '--fields', 'levle']);
    expect(mistyped.exitCode).toBe(2);
    expect(mistyped.stderr).toContain('levle');
    expect(JSON.parse(mistyped.stdout)).toHaveLength(5);
  });

  it('draws the scores on a terminal', async () => {
    const path = await journalOf(SAMPLE);
    const tty = { stdout: true };
    const { stdout } = await cli(['journal', 'history', path, address(1)], { tty, columns: 100 });
    expect(stdout).toContain('ANSWERED AT');
    expect(stdout.endsWith('\n\n▁▅█  10 to 12\n')).toBe(true);
  });

  it('says that a wallet is not in the journal, and ignores an answer about another wallet', async () => {
    const path = await journalOf([...SAMPLE, [address(8), 1, answerOf(address(9), '1')]]);
    const absent = await cli(['journal', 'history', path, address(7)]);
    expect(absent).toMatchObject({ stdout: '', exitCode: 9 });
    expect(absent.stderr).toContain(`has no answer for ${address(7)}; check the address`);
    const other = await cli(['journal', 'history', path, address(8)]);
    expect(other).toMatchObject({ stdout: '', exitCode: 8 });
  });
});

describe('journal export', () => {
  it('writes the newest answer of each wallet in the formats of a list', async () => {
    const path = await journalOf(SAMPLE);
    const { stdout, stderr, exitCode } = await cli(['journal', 'export', path, '--csv']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const at = (number: number) => new Date(day(number)).toISOString();
    expect(stdout).toBe(
      [
        'wallet_address,status,total_collateral_usd,score,answered_at,warning,error',
        `${address(1)},scored,12.50,12,${at(90)},,`,
        `${address(2)},scored,20.50,20,${at(2)},,`,
        `${MIXED},scored,640.50,640,${at(42)},,`,
        '',
      ].join('\n'),
    );
  });

  it('replaces -o FILE, but never the journal, and accepts --fields', async () => {
    const path = await journalOf(SAMPLE);
    const before = readFileSync(path);
    const out = `${path}.jsonl`;
    const args = ['journal', 'export', path];
    const done = await cli([...args, '-o', out, '--fields', 'wallet_address,note?']);
    expect(done).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(readFileSync(out, 'utf8').trimEnd().split('\n').at(-1)).toBe(
      `{"wallet_address":"${MIXED}","note":"MARKER-of-640"}`,
    );
    expect(await cli([...args, '--csv', '-o', path])).toMatchObject({ exitCode: 8 });
    expect(readFileSync(path)).toEqual(before);
    expect(await cli([...args, '--csv', '--fields', 'nothing'])).toMatchObject({ exitCode: 2 });
    const all = await cli([...args, '--csv', '--fields', '*']);
    expect(all.stdout.split('\n')[0]).toContain('defi_score.score');
  });

  it('judges, filters, sorts and limits rows as a list does', async () => {
    const args = ['journal', 'export', '--journal', await journalOf(SAMPLE), '--csv', '--fields', '_meta.score'];
    const shown = await cli([...args, '--sort', '_meta.score:desc', '--top', '1', '--where', '_meta.score < 100']);
    expect(shown).toEqual({
      stdout: '_meta.score\n20\n',
      stderr: 'riskcli: showing 1 of 2 rows\n',
      exitCode: 0,
    });
    const gate = await cli([...args, '--fail-if', 'low: _meta.score < 100']);
    expect(gate.stderr).toBe("riskcli: --fail-if 'low' matched 2 rows, the first in line 1\n");
    expect(gate.exitCode).toBe(10);
    expect((await cli([...args, '--sort', '_meta.scor'])).exitCode).toBe(2);
    const policy = join(temporaryFolder(), 'policy.json');
    const exceptions = [{ wallet: address(1), rule: 'low', reason: 'known' }];
    writeFileSync(policy, JSON.stringify({ rules: [{ name: 'low', if: '_meta.score < 100' }], exceptions }));
    const judged = await cli([...args, '--policy', policy, '--fields', '+_meta.line']);
    expect(judged.stdout).toMatch(/,matched,unjudged,excused\n.*,,,low: known\n.*,low,,\n/);
    expect(judged.stderr).toMatch(/^riskcli: --policy 'low' matched .* in line 2\n$/);
    expect(judged.exitCode).toBe(10);
  });

  it('ignores an answer about another wallet', async () => {
    const path = await journalOf([[address(8), 1, answerOf(address(9), '1')]]);
    expect(await cli(['journal', 'export', path, '--csv'])).toMatchObject({ exitCode: 8 });
  });
});

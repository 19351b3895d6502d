/**
 * No line of a list disappears in silence: what is left out of it or redacted is reported, where
 * somebody needs to hear it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { textRow, workbook } from '../../fixtures/place/workbooks.ts';

const [A, B] = [address(1), address(2)];
const HASH = `0x${'ab'.repeat(32)}`;

/** A list, its rows, the notes on a terminal, and those in a log. */
type Case = readonly [list: string | Buffer, rows: number, tty: RegExp, log: RegExp];

const NOTHING = /^$/;
const COMMENTS = (count: number, line: number) =>
  new RegExp(`^comments that contain an address: ${count}, first on line ${line}; put the # in quotes, .*$`);
const COMMENTED = (count: number, line: number) =>
  new RegExp(`^rows that are comments: ${count}, first on line ${line}; put the # in quotes, .*$`);
const REDACTED_CELLS = (column: string) =>
  new RegExp(
    `^cells redacted, since they may hold private keys: 2 in '${column}'; hashes are kept in a column with .*$`,
  );
const HEADER =
  /^lines taken for a title or a header \('alice,n\/a'\): 1, first on line 1; put a line with the names .*$/;

const TITLE = /^lines taken for a title or a header \('Report, all'\): 1, first on line 1; .*$/;

const CASES: Readonly<Record<string, Case>> = {
  'a # in quotes': [`name,address\n" #1 fund",${A}\n"#2",${B}\n`, 2, NOTHING, NOTHING],
  'a # in a cell of two lines': [`name,address\n"a\n # ${B}\n#",${A}\n`, 1, NOTHING, NOTHING],
  'a row that begins with #': [`name,address\n#1,${A}\nx,${B}\n #2 "of,${A}\n`, 1, COMMENTS(2, 2), COMMENTED(2, 2)],
  'such a row above the header': [`#1,${A}\nname,address\nx,${B}\n`, 1, COMMENTS(1, 1), COMMENTED(1, 1)],
  'a row that somebody has switched off': [`name,address\nx,${B}\n# y,${A}\n`, 1, COMMENTS(1, 3), NOTHING],
  'a comment with fewer cells': [`name,address\nx,${B}\n#was ${A}\n`, 1, COMMENTS(1, 3), NOTHING],
  'lines that are switched off': [`#${A}\n${B}\n# note\n#${A}\n`, 1, COMMENTS(2, 1), NOTHING],
  'elements that are switched off': [`{"wallet":"${B}"}\n# {"wallet":"${A}"}\n`, 1, COMMENTS(1, 2), NOTHING],
  'a comment without an address': [`# of May\nname,address\nx,${B}\n# 1,none\n#1\n`, 1, NOTHING, NOTHING],
  'rows without an address that begin with #': [
    `name,address\nx,${B}\n#1,none\n#2,vitalik.eth\n`,
    1,
    COMMENTED(2, 3),
    COMMENTED(2, 3),
  ],
  'a first line that may be a row': [`alice,n/a\nbob,${B}\n`, 1, HEADER, NOTHING],
  'a title': [`Report, all\nid,address,x\n1,${B},y\n`, 1, TITLE, NOTHING],
  'a header with a usual name': [`name,x\nbob,${B}\n`, 1, NOTHING, NOTHING],
  'a column of keys': [
    `address,memo,tx_hash\n${A},${HASH},${HASH}\n${B},key ${HASH},\n`,
    2,
    REDACTED_CELLS('memo'),
    REDACTED_CELLS('memo'),
  ],
  'members that are keys': [
    `[{"wallet":"${A}","a":["${HASH}"],"tx":{"hash":"${HASH}"}},{"wallet":"${B}","a":{"b":"${HASH}"}}]`,
    2,
    REDACTED_CELLS('a'),
    REDACTED_CELLS('a'),
  ],
};

const SHEET = { name: 'Desk', rows: textRow(1, [A]) };
const MORE = [SHEET, { name: 'Notes', rows: textRow(1, ['x']) }, { ...SHEET, name: 'All' }];
const CELLS = `<row r="2"><c r="A2" t="inlineStr"><is><t>${A}</t></is></c><c r="B2"><f>1+1</f></c><c r="C2"><f>1</f><v/></c></row>`;
const FORMULAS = textRow(1, ['wallet', 'limit', 'x']) + CELLS + CELLS.replaceAll('2', '3');
const UNCOMPUTED = "formulas without a stored value: 2 in 'limit', 2 in 'x'; open and save the workbook .*$";
const WORKBOOKS: Readonly<Record<string, Case>> = {
  'the only sheet': [await workbook({ sheets: [SHEET] }), 1, /^the sheet 'Desk' is read$/, NOTHING],
  'another sheet with addresses': [
    await workbook({ sheets: MORE }),
    1,
    /^the sheet 'Desk' is read, and 'All' also has addresses; choose one with --sheet$/,
    NOTHING,
  ],
  'formulas without a value': [
    await workbook({ sheets: [{ name: 'Desk', rows: FORMULAS }] }),
    2,
    new RegExp(`'Desk' is read[.\\n ]+${UNCOMPUTED}`),
    new RegExp(`^${UNCOMPUTED}`),
  ],
};

/** Runs a list against the sandbox; its rows, and the notes but for those of every run. */
async function run(list: string | Buffer, { isTTY = false, more = [] as readonly string[] } = {}) {
  const file = join(temporaryFolder(), 'list.txt');
  writeFileSync(file, list);
  const args = ['profile', '-f', file, '--sandbox', '--jsonl', ...more];
  const { stdout, stderr, exitCode } = await cli(args, { tty: { stderr: isTTY } });
  const notes = [...stderr.matchAll(/\{"note":.*\}/g)].map(([line]): string => JSON.parse(line).note);
  const note = notes.filter((one) => !/^sandbox: |^rows \d+: /.test(one)).join('\n');
  return { rows: stdout.split('\n').length - 1, note, exitCode, stdout };
}

it.each(Object.entries({ ...CASES, ...WORKBOOKS }))(
  'keeps every row of a list with %s, and notes what a terminal and a log should hear',
  async (_, [list, rows, tty, log]) => {
    expect(await run(list)).toMatchObject({ rows, exitCode: 0, note: expect.stringMatching(log) });
    const seen = await run(list, { isTTY: true });
    expect(seen).toMatchObject({ rows, note: expect.stringMatching(tty) });
    const dry = JSON.parse((await run(list, { more: ['--dry-run'] })).stdout);
    expect(dry.list_notes ?? '').toMatch(tty);
  },
);

it('reports the comments of a list from standard input alike, and nothing with -q', async () => {
  const [list, rows, , log] = CASES['a row that begins with #']!;
  const { stderr } = await cli(['profile', '-', '--sandbox'], { stdin: list });
  expect(stderr.replace(/^.*sandbox: .*\n/m, '').replace('riskcli: ', '')).toMatch(new RegExp(log.source, 'm'));
  expect(await run(list, { more: ['-q'] })).toMatchObject({ rows, note: '' });
});

it.each([
  ['address,rank\n0x,1\n#BEZUG!,2\n#REF!,x\n'],
  ['wallet\n#N/A\n0x\n#GETTING_DATA\n#TREASURY\n'],
  ['#DIV/0! \n#NOTE\n0x\n#NAME?\r\n'],
])('takes an error of a spreadsheet for a row: %j', async (list) => {
  const { stdout, exitCode } = await run(list.replace('0x', A));
  const rows = stdout.trim().split('\n');
  const invalid = rows.filter((row) => JSON.parse(row)._meta.status === 'invalid');
  expect([rows.length, invalid.length, exitCode]).toEqual([3, 2, 3]);
});

it.each([
  [
    'name,address\n#1,0x',
    /the list has no rows, but comments that contain an address: 1, first on line 2; put the # in quotes, /,
  ],
  ['# 0x', /the list has no rows, but comments that contain an address: 1, first on line 1; put the # in quotes, /],
  ['# nothing', /the list is empty; put one wallet address on each line/],
])('reports that a list of comments has no rows: %s', async (list, message) => {
  const { stderr, exitCode } = await cli(['profile', '-', '--sandbox'], { stdin: list.replace('0x', A) });
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringMatching(message), exitCode: 9 });
});

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

interface Case {
  readonly list: string | Buffer;
  readonly rows: number;
  /** The notes on a terminal, and those in a log. */
  readonly tty: RegExp;
  readonly log: RegExp;
}

const NOTHING = /^$/;
const COMMENTS = (count: number, line: number) =>
  new RegExp(`^comments that contain an address: ${count}, first on line ${line}; put the # in quotes, .*$`);
const COMMENTED = (count: number, line: number) =>
  new RegExp(`^rows that are comments: ${count}, first on line ${line}; put the # in quotes, .*$`);
const REDACTED_CELLS = (column: string) =>
  new RegExp(`^cells redacted, since they may hold private keys: '${column}' 2; a column with the word tx or hash .*$`);
const HEADER =
  /^lines taken for a title or a header \('alice,n\/a'\): 1, first on line 1; put a line with the names .*$/;

const CASES: Readonly<Record<string, Case>> = {
  'a # in quotes': { list: `name,address\n" #1 fund",${A}\n"#2",${B}\n`, rows: 2, tty: NOTHING, log: NOTHING },
  'a # in a cell of two lines': { list: `name,address\n"a\n # ${B}\n#",${A}\n`, rows: 1, tty: NOTHING, log: NOTHING },
  'a row that begins with #': {
    list: `name,address\n#1,${A}\nx,${B}\n #2 "of,${A}\n`,
    rows: 1,
    tty: COMMENTS(2, 2),
    log: COMMENTED(2, 2),
  },
  'such a row above the header': {
    list: `#1,${A}\nname,address\nx,${B}\n`,
    rows: 1,
    tty: COMMENTS(1, 1),
    log: COMMENTED(1, 1),
  },
  'a row that somebody has switched off': {
    list: `name,address\nx,${B}\n# y,${A}\n`,
    rows: 1,
    tty: COMMENTS(1, 3),
    log: NOTHING,
  },
  'a comment with fewer cells': {
    list: `name,address\nx,${B}\n#was ${A}\n`,
    rows: 1,
    tty: COMMENTS(1, 3),
    log: NOTHING,
  },
  'lines that are switched off': { list: `#${A}\n${B}\n# note\n#${A}\n`, rows: 1, tty: COMMENTS(2, 1), log: NOTHING },
  'elements that are switched off': {
    list: `{"wallet":"${B}"}\n# {"wallet":"${A}"}\n`,
    rows: 1,
    tty: COMMENTS(1, 2),
    log: NOTHING,
  },
  'a comment without an address': {
    list: `# of May\nname,address\nx,${B}\n# 1,none\n#1\n`,
    rows: 1,
    tty: NOTHING,
    log: NOTHING,
  },
  'rows without an address that begin with #': {
    list: `name,address\nx,${B}\n#1,none\n#2,vitalik.eth\n`,
    rows: 1,
    tty: COMMENTED(2, 3),
    log: COMMENTED(2, 3),
  },
  'a first line that may be a row': { list: `alice,n/a\nbob,${B}\n`, rows: 1, tty: HEADER, log: NOTHING },
  'a title': {
    list: `Report, all\nid,address,x\n1,${B},y\n`,
    rows: 1,
    tty: /^lines taken for a title or a header \('Report, all'\): 1, first on line 1; .*$/,
    log: NOTHING,
  },
  'a header with a usual name': { list: `name,x\nbob,${B}\n`, rows: 1, tty: NOTHING, log: NOTHING },
  'a column of keys': {
    list: `address,memo,tx_hash\n${A},${HASH},${HASH}\n${B},key ${HASH},\n`,
    rows: 2,
    tty: REDACTED_CELLS('memo'),
    log: REDACTED_CELLS('memo'),
  },
  'members that are keys': {
    list: JSON.stringify([
      { wallet: A, a: [HASH], tx: { hash: HASH } },
      { wallet: B, a: { b: HASH } },
    ]),
    rows: 2,
    tty: REDACTED_CELLS('a'),
    log: REDACTED_CELLS('a'),
  },
};

const SHEET = { name: 'Desk', rows: textRow(1, [A]) };
const FORMULAS = `<row r="2"><c r="A2" t="inlineStr"><is><t>${A}</t></is></c><c r="B2"><f>1+1</f></c><c r="C2"><f>1</f><v/></c></row>`;
const WORKBOOKS: Readonly<Record<string, Case>> = {
  'the only sheet': {
    list: await workbook({ sheets: [SHEET] }),
    rows: 1,
    tty: /^the sheet 'Desk' is read$/,
    log: NOTHING,
  },
  'another sheet with addresses': {
    list: await workbook({ sheets: [SHEET, { name: 'Notes', rows: textRow(1, ['x']) }, { ...SHEET, name: 'All' }] }),
    rows: 1,
    tty: /^the sheet 'Desk' is read, and 'All' also has addresses; choose one with --sheet$/,
    log: NOTHING,
  },
  'formulas without a value': {
    list: await workbook({
      sheets: [{ name: 'Desk', rows: textRow(1, ['wallet', 'limit', 'x']) + FORMULAS + FORMULAS.replaceAll('2', '3') }],
    }),
    rows: 2,
    tty: /'Desk' is read[.\n ]+formulas without a stored value: 'limit' 2, 'x' 2; open and save the workbook .*$/,
    log: /^formulas without a stored value: 'limit' 2, 'x' 2; open and save the workbook .*$/,
  },
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
  '%s is reported to whom it concerns, and never lost',
  async (_, { list, rows, tty, log }) => {
    expect(await run(list)).toMatchObject({ rows, exitCode: 0, note: expect.stringMatching(log) });
    const seen = await run(list, { isTTY: true });
    expect(seen).toMatchObject({ rows, note: expect.stringMatching(tty) });
    const dry = JSON.parse((await run(list, { more: ['--dry-run'] })).stdout);
    expect(dry.list_notes ?? '').toMatch(tty);
  },
);

it('a list from standard input is reported alike, and -q says nothing', async () => {
  const { list, rows, log } = CASES['a row that begins with #'] as Case;
  const { stderr } = await cli(['profile', '-', '--sandbox'], { stdin: list });
  expect(stderr.replace(/^.*sandbox: .*\n/m, '').replace('riskcli: ', '')).toMatch(new RegExp(log.source, 'm'));
  expect(await run(list, { more: ['-q'] })).toMatchObject({ rows, note: '' });
});

it.each([
  ['address,rank\n0x,1\n#BEZUG!,2\n#REF!,x\n'],
  ['wallet\n#N/A\n0x\n#GETTING_DATA\n#TREASURY\n'],
  ['#DIV/0! \n#NOTE\n0x\n#NAME?\r\n'],
])('an error of a spreadsheet is a row: %j', async (list) => {
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
])('a list of comments is no empty list: %s', async (list, message) => {
  const { stderr, exitCode } = await cli(['profile', '-', '--sandbox'], { stdin: list.replace('0x', A) });
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringMatching(message), exitCode: 9 });
});

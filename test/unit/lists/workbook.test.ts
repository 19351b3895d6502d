/** Lists in workbooks, as Excel, Google Sheets, LibreOffice and others write them. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { writeCompact } from '../../../src/document/write.ts';
import type { ListRecord } from '../../../src/lists/list.ts';
import { builtInFormat } from '../../../src/lists/workbook/dates.ts';
import { inputNode } from '../../../src/row/row.ts';
import { PROGRAMS, partsOf, textRow, type WorkbookXml, workbook, zipped } from '../../fixtures/place/workbooks.ts';
import { A, B, C, read, walletsOf } from './reading.ts';

const HEAD = textRow(1, ['Name', 'Wallet Address', 'x']);
/** A sheet with a column x, which is `cell` in its only row; `cell` stands in column C. */
const withCell = (cell: string, about: Partial<WorkbookXml> = {}) =>
  workbook({
    sheets: [
      { name: 'Wallets', rows: `${HEAD}<row r="2"><c r="B2" t="inlineStr"><is><t>${A}</t></is></c>${cell}</row>` },
    ],
    ...about,
  });
/** A row element with one cell. */
const piece = (row: number | undefined, place: string, text: string) =>
  `<row${row === undefined ? '' : ` r="${row}"`}><c r="${place}" t="inlineStr"><is><t>${text}</t></is></c></row>`;
const json = ({ input }: ListRecord) => writeCompact(inputNode(input));

it.each(PROGRAMS)('reads a workbook as %s writes it', async (by) => {
  const texts = [
    '<t>Name</t>',
    '<t>Wallet Address</t>',
    '<t>Amount</t>',
    `<t>${A}</t>`,
    '<r><t>Big </t></r><r><rPr><b/></rPr><t xml:space="preserve">Fund &amp; Co</t></r><rPh sb="0" eb="1"><t>reading aid</t></rPh>',
    `<t>${B}</t>`,
  ];
  const rows = `
    <row r="1" spans="1:3"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>
    <row r="2" hidden="1"><c r="A2" t="s"><v>4</v></c><c r="B2" t="s"><v>3</v></c><c r="C2"><v>10.119999999999999</v></c></row>
    <row r="3"/><row r="4"><c r="A4" s="1"/></row>
    <row r="7"><c r="B7" t="s"><v>5</v></c><c r="C7" t="str"><f>"1"&amp;"2"</f><v>12</v></c></row>`;
  const content = await workbook({ sheets: [{ name: 'Wallets', rows }], texts, formats: [14], by });
  for (const [chunk, bytes] of [
    [1 << 16, content],
    [100, content],
    [1 << 16, gzipSync(content)],
  ] as const) {
    const { head, records } = await read(bytes, { chunk });
    expect(head).toMatchObject({ kind: 'workbook', columns: ['Name', 'Wallet Address', 'Amount'], walletColumn: 1 });
    expect(records.map(({ line, cells, wallet }) => [line, cells, wallet.ok && wallet.id])).toEqual([
      [2, ['Big Fund & Co', A, '10.12'], A],
      [7, ['', B, '12'], B],
    ]);
    expect(records.map(json)).toEqual([
      `{"Name":"Big Fund & Co","Wallet Address":"${A}","Amount":10.12}`,
      `{"Name":"","Wallet Address":"${B}","Amount":"12"}`,
    ]);
  }
});

it('gives each cell the shared string that it names, of however many', async () => {
  const texts = Array.from({ length: 600 }, (_, i) => `<t>text ${i}</t>`);
  for (const i of [0, 255, 256, 511, 512, 599]) {
    const { records } = await read(await withCell(`<c r="C2" t="s"><v>${i}</v></c>`, { texts }));
    expect(records[0]?.cells?.[2]).toBe(`text ${i}`);
  }
});

const AID = '<rPh sb="0" eb="1"><t>aid</t></rPh>';

it.each<[what: string, cell: string, value: string]>([
  ['a number', '<c><v>42612800282.17</v></c>', '42612800282.17'],
  ['30 digits', '<c><v>123456789012345678901234567890</v></c>', '123456789012345678901234567890'],
  ['16 digits past 2^53', '<c><v>9007199254740993</v></c>', '9007199254740993'],
  ['17 digits that Excel has made of fewer', '<c><v>0.28999999999999998</v></c>', '0.29'],
  ['17 digits that it needs', '<c><v>0.30000000000000004</v></c>', '0.30000000000000004'],
  ['17 digits of another program', '<c><v>12345678901234.569</v></c>', '12345678901234.569'],
  ['an exponent', '<c><v>1.5E-7</v></c>', '1.5E-7'],
  ['1e400', '<c><v>1e400</v></c>', '1e400'],
  ['a number that JSON does not have', '<c><v>.5</v></c>', '".5"'],
  ['a truth', '<c t="b"><v>1</v></c>', '"TRUE"'],
  ['a text in a value', '<c t="inlineStr"><v>a_x000D_</v></c>', '"a\\r"'],
  ['a text of a cell without a type', '<c><is><t>007</t></is></c>', '"007"'],
  ['a text of a formula', '<c t="str"><is><t>a</t></is></c>', '"a"'],
  ['a text without its element', '<c t="inlineStr"><t>a</t></c>', '"a"'],
  ['a text that is stored twice', '<c t="inlineStr"><is><t>a</t></is><v>a</v></c>', '"a"'],
  ['a text in the value of a number', '<c><v>n/a</v></c>', '"n/a"'],
  ['a value beside an extension', '<c><v>1</v><extLst><ext>x</ext></extLst></c>', '1'],
  ['an error', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', '"#DIV/0!"'],
  ['a formula', '<c><f>SUM(A1:A2)</f><v>7</v></c>', '7'],
  ['a shared formula', '<c><f t="shared" si="0"/><v>8</v></c>', '8'],
  ['a formula of an empty text', '<c t="str"><f>""</f><v></v></c>', '""'],
  ['a formula that nobody has computed', '<c><f>1+1</f></c>', '"#N/A (formula without a value)"'],
  ['a formula with an empty value', '<c><f>1+1</f><v/></c>', '"#N/A (formula without a value)"'],
  ['a whole number with a point', '<c><v>7.0</v></c>', '7'],
  ['a whole number with an exponent', '<c><v>-1.2345678E7</v></c>', '-12345678'],
  ['a thousand', '<c><v>1E3</v></c>', '1000'],
  ['nothing', '<c><v>0.0</v></c>', '0'],
  ['17 digits of a whole number', '<c><v>1.2345678901234567E16</v></c>', '12345678901234567'],
  ['more digits than a cell holds', '<c><v>1.5E17</v></c>', '1.5E17'],
  ['30 digits with a point', '<c><v>123456789012345678901234567890.0</v></c>', '123456789012345678901234567890'],
  ['zeros behind a fraction', '<c><v>7.50</v></c>', '7.50'],
  ['a text with a carriage return', '<c t="inlineStr"><is><t>a_x000D_b_x005F_x000D_</t></is></c>', '"a\\rb_x000D_"'],
  ['a text as XML has it', '<c t="inlineStr"><is><t><![CDATA[<&]]>&#x1F433;&gt;</t></is></c>', '"<&🐳>"'],
  ['runs with a reading aid', `<c t="inlineStr"><is><r><t>a</t></r> ${AID}<r><t>b</t></r></is></c>`, '"ab"'],
  ['a text of spaces', '<c t="inlineStr"><is><t xml:space="preserve"> a </t></is></c>', '" a "'],
  ['digits as a text', '<c t="inlineStr"><is><t>007</t></is></c>', '"007"'],
  ['64 hex digits', `<c t="inlineStr"><is><t>${'ab'.repeat(32)}</t></is></c>`, '"<withheld: may be a private key>"'],
  ['a day', '<c s="1"><v>45292</v></c>', '"2024-01-01"'],
  ['a day with a time', '<c s="1"><v>45292.604166666664</v></c>', '"2024-01-01T14:30:00"'],
  ['a moment at midnight', '<c s="2"><v>45292</v></c>', '"2024-01-01T00:00:00"'],
  ['milliseconds', '<c s="2"><v>45292.000005787035</v></c>', '"2024-01-01T00:00:00.500"'],
  ['a time', '<c s="3"><v>0.60416666666666663</v></c>', '"14:30:00"'],
  ['a declared date', '<c s="4"><v>45292</v></c>', '"2024-01-01"'],
  ['a length of time', '<c s="5"><v>1.5</v></c>', '1.5'],
  ['a number whose format has letters', '<c s="6"><v>5</v></c>', '5'],
  ['a date in ISO 8601', '<c s="1" t="d"><v>2024-01-01T12:00:00</v></c>', '"2024-01-01T12:00:00"'],
  ['the first day', '<c s="1"><v>1</v></c>', '"1900-01-01"'],
  ['the day that 1900 did not have', '<c s="1"><v>60</v></c>', '60'],
  ['a day before the first', '<c s="1"><v>-1</v></c>', '-1'],
  ['a day after the last', '<c s="1"><v>2958466</v></c>', '2958466'],
])('reads a cell by its type: %s', async (_, cell, value) => {
  const formats = [14, 22, 'h:mm', '[$-409]d. mmm yyyy;@', '[h]:mm:ss', '[Red]0.00" days"\\s'];
  const { records } = await read(await withCell(cell.replace('<c', '<c r="C2"'), { formats }));
  expect(records.map(json)).toEqual([`{"Name":"","Wallet Address":"${A}","x":${value}}`]);
});

it('reads a cell as a date or a time by the built-in number formats', () => {
  const all = Array.from({ length: 60 }, (_, id) => builtInFormat(id)?.[0] ?? '.');
  // d is a date, t a time, b both; 46 is a duration (ECMA-376, 18.8.30).
  expect(all.join('')).toBe(`${'.'.repeat(14)}ddddttttb....dddddttddd........t.t..ddddddddd.`);
});

it('counts dates from 1904 where the workbook says so', async () => {
  const { records } = await read(await withCell('<c r="C2" s="1"><v>43830</v></c>', { formats: [14], is1904: true }));
  expect(records.map(json)).toEqual([`{"Name":"","Wallet Address":"${A}","x":"2024-01-01"}`]);
});

/** @param rows their cells, between bars */
const rowsOf = async (rows: readonly string[]) => {
  const xml = rows.map((row, i) => textRow(i + 1, row.split('|'))).join('');
  const { head, records } = await read(await workbook({ sheets: [{ name: 'a', rows: xml }] }));
  return [head.columns?.join(), walletsOf(records)];
};

it.each<[string, rows: string[], columns: string | undefined, wallets: string]>([
  ['a title above the header', ['Holdings in May', '', 'Desk|Holder', `a|${A}`], 'Desk,Holder', '4 A'],
  ['no header', [`a|${A}`, `b|${B}`], 'column_1,column_2', '1 A, 2 B'],
  ['one column with a name', ['wallet', A], 'wallet', '2 A'],
  ['one column without one', [A, 'x', B], undefined, '1 A, 2 not_address, 3 B'],
  ['a row that begins with #', ['id|wallet', `#1|${A}`, `#N/A|${B}`], 'id,wallet', '2 A, 3 B'],
  ['a link to the wallet', ['n|wallet', `1|https://etherscan.io/address/${A}`], 'n,wallet', '2 A'],
  ['cells beyond the header', ['n|wallet', `1|${A}|note`], 'n,wallet,', '2 A'],
])('reads the rows of a sheet as those of a CSV: %s', async (_, rows, columns, all) => {
  expect(await rowsOf(rows)).toEqual([columns, all]);
});

it.each<[what: string, rows: string, wallets: string]>([
  ['pieces', `${piece(1, 'A1', 'wallet')}${piece(1, 'B1', 'n')}${piece(2, 'B2', '1')}${piece(2, 'A2', A)}`, '2 A'],
  ['one of two cells in a place empty', `${piece(1, 'A1', A)}<row r="1"><c r="A1"/></row>`, '1 A'],
  ['two equal cells in a place', `${piece(1, 'A1', A)}${piece(1, 'A1', A)}`, '1 A'],
  ['numbers only in the places of cells', `${piece(undefined, 'A2', A)}${piece(undefined, 'A5', B)}`, '2 A, 5 B'],
])('orders and numbers rows by their row numbers: %s', async (_, rows, all) => {
  const { records } = await read(await workbook({ sheets: [{ name: 'a', rows }] }));
  expect(walletsOf(records)).toBe(all);
});

it('reads rows and cells without references', async () => {
  const cells = [A, B, C].map((text) => `<row><c/><c t="inlineStr"><is><t>${text}</t></is></c></row>`).join('');
  const { records } = await read(
    await workbook({ sheets: [{ name: 'a', rows: `${textRow(5, ['n', 'wallet'])}${cells}` }] }),
  );
  expect(walletsOf(records)).toBe('6 A, 7 B, 8 C');
});

const sheets = [
  { name: 'Chart', rows: '', type: 'chartsheet' },
  { name: 'Old', rows: textRow(1, [A]), state: 'hidden' },
  { name: 'Now', rows: textRow(1, [B]) },
  { name: 'Q3 & Q4', rows: textRow(1, [C]) },
  { name: 'Cover', rows: '' },
  { name: 'Notes', rows: textRow(1, ['a', 'b']) + textRow(2, ['c', 'd']) },
] as const;
const idsOf = async (sheet?: string) =>
  (await read(await workbook({ sheets }), { sheet })).records.map(({ input }) => input);

it('reads the first sheet that is not hidden, or the one that is named', async () => {
  expect(await Promise.all([undefined, 'Old', 'q3 & q4'].map(idsOf))).toEqual([[B], [A], [C]]);
});

it.each([
  ['missing', 'Next', "it has no sheet 'Next'", "name one with --sheet: 'Old', 'Now', 'Q3 & Q4', 'Cover', 'Notes'"],
  ['empty', 'Cover', "the sheet 'Cover': it is empty", "name another sheet with --sheet: 'Old', 'Now', 'Q3 & Q4'"],
  ['without a wallet', 'Notes', "the sheet 'Notes': none of the columns contains addresses", "--sheet: 'Old', 'Now'"],
])('names the sheets with addresses in an error: %s', async (_, sheet, message, hint) => {
  const error = { exitCode: 9, message: expect.stringContaining(message), hint: expect.stringContaining(hint) };
  await expect(idsOf(sheet)).rejects.toMatchObject(error);
});

it('refuses a workbook with hidden sheets only, and --sheet for a list that is not a workbook', async () => {
  const hidden = sheets.map((sheet) => ({ ...sheet, state: 'veryHidden' as const }));
  await expect(read(await workbook({ sheets: hidden }))).rejects.toThrow('all of its sheets are hidden');
  await expect(read(`${A}\n`, { sheet: 'Now' })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('--sheet'),
  });
});

const whole = withCell('<c r="C2"><v>1</v></c>');
const [CHANGED, AS_CSV] = ['it ends too early, or was changed', 'CSV UTF-8'];
const sheet = (rows: string) => workbook({ sheets: [{ name: 'Q 1', rows }] });
const cell = (xml: string) => sheet(`<row r="3">${xml.replace('<c', '<c r="B3"')}</row>`);
/** A workbook with `xml` in place of one of its parts. */
const part = (xml: string | Buffer, name = 'xl/worksheets/sheet1.xml') =>
  workbook({ sheets: [{ name: 'a', rows: '' }], parts: { [name]: xml } });
const damaged = async () => {
  const bytes = Buffer.from(await whole);
  return bytes.fill(0xff, bytes.indexOf('sheet1.xml') + 30, bytes.indexOf('sheet1.xml') + 60);
};
/** Its directory says less than the sheet unpacks to. */
const lying = async () => {
  const bytes = Buffer.from(await sheet(textRow(1, [A]).repeat(9)));
  bytes.writeUInt32LE(9, bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 22);
  return bytes;
};
const locked = async () => {
  const bytes = Buffer.from(await whole);
  bytes.writeUInt16LE(1, bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 38);
  return bytes;
};
const entity = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><worksheet><sheetData>${textRow(1, ['&b;'])}</sheetData></worksheet>`;
const elsewhere =
  '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="http://elsewhere/sheet1.xml"/></Relationships>';
/** One byte of the sheet, which is not packed: B in place of A. */
const changed = async () => {
  const bytes = Buffer.from(await zipped(await partsOf({ sheets: [{ name: 'a', rows: textRow(1, [A]) }] }), false));
  bytes.writeUInt8(bytes.readUInt8(bytes.indexOf(A) + 9) ^ 1, bytes.indexOf(A) + 9);
  return bytes;
};
const attributes = Array.from({ length: 2_000 }, (_, i) => `a${i}=""`);
/** Rows that are a few bytes each, and 16,384 cells. */
const wide = Array.from({ length: 1_000 }, (_, i) => `<row><c r="XFD${i + 26}"><v>1</v></c></row>`).join('');
const longTexts = {
  texts: [`<t>${'x'.repeat(32_767)}</t>`],
  sheets: [{ name: 'a', rows: '<row><c t="s"><v>0</v></c></row>'.repeat(10_000) }],
};
const cases: readonly (readonly [string, Buffer | Promise<Buffer>, string, string])[] = [
  ['cut short', whole.then((bytes) => bytes.subarray(0, bytes.length / 2)), CHANGED, AS_CSV],
  ['changed inside', damaged(), CHANGED, 'save it again'],
  ['more than its directory says', lying(), CHANGED, AS_CSV],
  ['a password', locked(), 'the workbook has a password', 'without a password'],
  ['an entity', part(entity), 'it has a document type declaration', AS_CSV],
  ['XML that ends early', part('<worksheet><sheetData><row r="1">'), 'a part of it is not XML', AS_CSV],
  ['bytes that are no text', part(Buffer.from('<worksheet>\xff</worksheet>', 'latin1')), 'not XML', AS_CSV],
  ['one byte of a text', changed(), CHANGED, AS_CSV],
  ['a shared string that is not there', cell('<c t="s"><v>7</v></c>'), 'the cell Q 1!B3 has the type s and', AS_CSV],
  ['a type that is none', cell('<c t="x"><v>7</v></c>'), 'the cell Q 1!B3 has the type x and', AS_CSV],
  ['a truth that is none', cell('<c t="b"><v>7</v></c>'), 'the cell Q 1!B3 has the type b and', AS_CSV],
  ['text in an unknown place', cell(`<c>${A}</c>`), 'the cell Q 1!B3 has text in an unknown place', AS_CSV],
  ['two texts', cell(`<c t="inlineStr"><is><t>${A}</t></is><v>${B}</v></c>`), 'Q 1!B3 has two texts', AS_CSV],
  ['two cells in a place', sheet(piece(3, 'B3', A) + piece(3, 'B3', B)), 'Q 1!B3 is there twice', AS_CSV],
  ['a number with a style that is missing', cell('<c s="9"><v>7</v></c>'), 'Q 1!B3 has a style that is not', AS_CSV],
  ['a cell of another row', sheet(piece(3, 'B4', A)), 'the cell Q 1!B3 says that it is B4', AS_CSV],
  ['rows that go back', sheet(piece(3, 'B3', A) + piece(2, 'B2', B)), 'row 2 comes after row 3', AS_CSV],
  ['text beside a string', workbook({ sheets: [{ name: 'a', rows: '' }], texts: [A] }), 'shared string 0', AS_CSV],
  ['a place that is none', sheet('<row r="0"/>'), 'a row has no number', AS_CSV],
  ['a column that is none', sheet('<row r="1"><c r="ZZZ1"><v>1</v></c></row>'), 'a cell has no place', AS_CSV],
  ['more rows than a sheet has', sheet('<row r="1048577"/>'), 'more than 1048576 rows', AS_CSV],
  ['a sheet that is not in it', part(elsewhere, 'xl/_rels/workbook.xml.rels'), "it has no part 'xl/", AS_CSV],
  ['depth', part(`<worksheet>${'<a>'.repeat(1_000)}`), 'too large', AS_CSV],
  ['attributes', part(`<worksheet ${attributes.join(' ')}/>`), 'too large', AS_CSV],
  ['one long text', sheet(textRow(1, ['x'.repeat(17 * 1024 * 1024)])), 'longer than', 'wallet list'],
  ['rows of 16,384 columns', sheet(textRow(1, [A]).repeat(25) + wide), 'too large', AS_CSV],
  ['too many columns', sheet(`<row>${'<c><v>1</v></c>'.repeat(16_385)}</row>`), 'a cell has no place', AS_CSV],
  ['a long text in each cell', workbook(longTexts), 'too large', AS_CSV],
  ['an empty zip archive', zipped({}), 'an empty zip archive', 'export the list again'],
  ['.xlsb', zipped({ 'xl/workbook.bin': '' }), '(.xlsb)', 'save it as .xlsx'],
  ['.ods', zipped({ mimetype: 'application/x', 'content.xml': '' }), '(.ods)', 'save it as .xlsx'],
  ['.numbers', zipped({ 'Index/Document.iwa': '' }), 'Apple Numbers', 'save it as .xlsx'],
  ['.docx', zipped({ 'word/document.xml': '' }), '(.docx)', AS_CSV],
  ['a zip archive of a list', zipped({ 'list.csv': A }), 'a zip archive', 'unzip -p'],
  ['in gzip, cut short', gzipSync('PK\u0003\u0004..[Content_Types].xml'), CHANGED, AS_CSV],
];

it.each(cases)('refuses an unreadable workbook in one line: %s', async (_, content, message, hint) => {
  const error = {
    name: 'ListError',
    exitCode: 9,
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  };
  await expect(read(await content)).rejects.toMatchObject(error);
});

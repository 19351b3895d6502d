/** Rows as a workbook: what each cell holds, what the second sheet says, and what is refused. */
import { expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import type { ListHead } from '../../../../src/lists/list.ts';
import { parseFields } from '../../../../src/paths/fields.ts';
import type { Row } from '../../../../src/row/row.ts';
import { parseRule } from '../../../../src/rules/rules.ts';
import { answered, type OutputOptions, written } from '../rows.ts';

const RUN = { source: 'list.csv', at: Date.UTC(2026, 0, 2, 3, 4, 5), rules: [], isSynthetic: false };

/** The two sheets of the workbook of `rows`, as XML, or its other parts that `names` names. */
async function sheetsOf(rows: readonly Row[], options: OutputOptions = {}, names = 'worksheets/') {
  const zip = await fromBufferPromise(await written('xlsx', rows, { run: RUN, ...options }));
  const sheets: string[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.includes(names)) continue;
    sheets.push(Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray()).toString());
  }
  return sheets;
}

/** The cells of a row: texts in quotes, dates with their style. */
function cellsOf(sheet: string | undefined, line: number): readonly string[] {
  const [, row = ''] = new RegExp(`<row r="${line}">(.*?)</row>`, 's').exec(sheet ?? '') ?? [];
  return [...row.matchAll(/<c r="([A-Z]+)\d+"(?: s="(\d)")?(?: t="inlineStr")?>(.*?)<\/c>/gs)].map(
    ([, place, style, content = '']) => {
      const [, text] = /<t xml:space="preserve">(.*)<\/t>/s.exec(content) ?? [];
      const [, value] = /<v>(.*)<\/v>/.exec(content) ?? [];
      return `${place} ${text === undefined ? `${value}${style === undefined ? '' : ` style ${style}`}` : `'${text}'`}`;
    },
  );
}

it.each<[what: string, name: string, json: string, cell: string, note?: string]>([
  ['a score', 'score', '474.5', 'A 474.5'],
  ['a score of many digits', 'score', '474.12345678901234567890', 'A 474.1234567890123', 'rounded'],
  ['a score that was sent as a text', 'score', '"474.50"', 'A 474.5'],
  ['a collateral past 2^53', 'total_collateral_usd', '9007199254740993', 'A 9007199254740992', 'rounded'],
  ['a score past all doubles', 'score', '1e400', "A '1e400'", 'asText'],
  ['a score below all that Excel has', 'score', '1e-310', "A '1e-310'", 'asText'],
  ['a score that is none', 'score', '"n/a"', "A 'n/a'"],
  ['no score', 'score', 'null', ''],
  ['a number', 'x', '10.12', 'A 10.12'],
  ['a number with zeros', 'x', '-10.500', 'A -10.5'],
  ['a number with an exponent', 'x', '1E3', 'A 1000'],
  ['a number past 2^53', 'x', '9007199254740993', "A '9007199254740993'", 'asText'],
  ['30 digits', 'x', '0.123456789012345678901234567890', "A '0.123456789012345678901234567890'", 'asText'],
  ['digits that were sent as a text', 'x', '"10.12"', "A '10.12'"],
  ['a formula', 'x', '"=HYPERLINK(\\"x\\")"', "A '=HYPERLINK(&quot;x&quot;)'"],
  ['a truth', 'x', 'true', "A 'true'"],
  ['characters of XML', 'x', '"<a> & \\"b\\""', "A '&lt;a&gt; &amp; &quot;b&quot;'"],
  ['characters that XML does not have', 'x', '"a\\u0000\\r\\n\\uffff\\ud800b"', "A 'a_x0000__x000D_\n_xFFFF_\ufffdb'"],
  ['what stands for such a character', 'x', '"_x000D_ _x00_"', "A '_x005F_x000D_ _x00_'"],
  ['a time', 'answered_at', '"2026-01-01T12:00:00.000Z"', 'A 46023.5 style 2'],
  ['a time that is none', 'answered_at', '"today"', "A 'today'"],
])('writes a number as a double if it is close enough, and else as text: %s', async (_, name, json, cell, note) => {
  const row = answered(`{"wallet_address":"0x","total_collateral_usd":1,"defi_score":null,"v":${json}}`);
  const [sheet, about] = await sheetsOf([row], { fields: parseFields(`${name}=v`) });
  expect(cellsOf(sheet, 2).join()).toBe(cell);
  const counts = { rounded: /rounded.*?<v>(\d)/s, asText: /kept as text.*?<v>(\d)/s };
  for (const [kind, count] of Object.entries(counts)) {
    expect(count.exec(about ?? '')?.[1]).toBe(kind === note ? '1' : '0');
  }
});

it('truncates a value that is longer than a cell, and suggests csv in a note', async () => {
  const row = answered(
    `{"wallet_address":"0x","total_collateral_usd":1,"defi_score":null,"v":"${'x'.repeat(32_766)}🐳"}`,
  );
  const notes: string[] = [];
  const [sheet, about] = await sheetsOf([row], { fields: parseFields('v'), note: (text) => notes.push(text) });
  expect(cellsOf(sheet, 2)).toEqual([`A '${'x'.repeat(32_766)}'`]);
  expect(cellsOf(about, 8)).toEqual(["A 'Texts cut to 32767 characters; csv has them whole'", 'B 1']);
  expect(notes).toEqual(['1 text cut to 32767 characters; csv has them whole']);
});

const document = '{"wallet_address":"0xA","total_collateral_usd":1.5,"defi_score":{"score":2}}';
const head: ListHead = { kind: 'csv', columns: ['n', 'score'], walletColumn: 1, delimiter: ';', bom: true };
const input = [
  ['n', '007'],
  ['score', '=1'],
] as const;

it('writes the columns of csv, frozen and with a filter, and the cells of the list as text', async () => {
  const [sheet] = await sheetsOf([answered(document, { input })], { head });
  expect(cellsOf(sheet, 1).join()).toBe(
    "A 'n',B 'score',C 'wallet_address',D 'status',E 'total_collateral_usd',F 'riskcli.score',G 'answered_at',H 'warning',I 'error'",
  );
  expect(cellsOf(sheet, 2).join()).toBe("A '007',B '=1',C '0xA',D 'scored',E 1.5,F 2,G 45809 style 2");
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2"');
  expect(sheet).toContain('<autoFilter ref="A1:I2"/>');
});

it('keeps the numbers of a list that was a workbook', async () => {
  const members = [
    ['n', { kind: 'string', value: '007' }],
    ['score', { kind: 'number', spelling: '10.120' }],
  ] as const;
  const row = answered(document, { input: { kind: 'object', members }, cells: ['007', '10.120'] });
  const [sheet, about] = await sheetsOf([row], { head: { ...head, kind: 'workbook', sheet: 'Q1' } });
  expect(cellsOf(sheet, 2).slice(0, 2)).toEqual(["A '007'", 'B 10.12']);
  expect(cellsOf(about, 2)).toEqual(["A 'Sheet'", "B 'Q1'"]);
});

it('truncates the name of a column that is longer than a cell, and counts it', async () => {
  const notes: string[] = [];
  const columns = ['x'.repeat(32_768), 'score'];
  const [sheet] = await sheetsOf([answered(document, { input })], {
    head: { ...head, columns },
    note: (text) => notes.push(text),
  });
  expect(cellsOf(sheet, 1)[0]).toBe(`A '${'x'.repeat(32_767)}'`);
  expect(notes).toEqual(['1 text cut to 32767 characters; csv has them whole']);
});

it('says first in a workbook that its data is synthetic, and then which run wrote it', async () => {
  const rules = [parseRule('low: score < 5')];
  const [sheet, about] = await sheetsOf([answered(document)], { run: { ...RUN, rules, isSynthetic: true } });
  expect(cellsOf(sheet, 1)).toEqual(["A 'Sandbox: synthetic data'"]);
  expect(sheet).toContain('<autoFilter ref="A2:G3"/>');
  const [workbook] = await sheetsOf([answered(document)], { run: { ...RUN, isSynthetic: true } }, 'xl/workbook.xml');
  expect(workbook).toContain(
    '<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">Rows!$A$2:$G$3</definedName>',
  );
  expect([1, 2, 3, 4, 5, 6, 7].map((line) => cellsOf(about, line).join())).toEqual([
    "A 'Data',B 'Sandbox: synthetic data'",
    "A 'Source',B 'list.csv'",
    expect.stringMatching(/^A 'Written \(UTC\)',B 46024.12783564815 style 2$/),
    "A 'Program',B 'riskcli source'",
    "A 'rows',B 1",
    "A 'scored',B 1",
    "A 'Rule low',B 'score &lt; 5'",
  ]);
});

it.each<[string, OutputOptions, RegExp]>([
  ['a stream', { rows: undefined }, /stream/],
  ['more rows than a sheet has', { rows: 1_048_575 }, /room for 1048574 rows, and there are 1048575/],
  ['more columns', { head: { ...head, columns: Array(16_384).fill('a') } }, /room for 16384 columns/],
])('refuses a workbook before anything is sent, and suggests csv: %s', async (_, asked, message) => {
  const error = { exitCode: 2, message: expect.stringMatching(message), hint: expect.stringContaining('csv') };
  await expect(sheetsOf([], asked)).rejects.toMatchObject(error);
});

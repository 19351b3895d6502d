import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../../src/document/node.ts';
import { parseDocument } from '../../../../src/document/parse.ts';
import { parseFields } from '../../../../src/paths/fields.ts';
import type { ListFormat } from '../../../../src/row/formats.ts';
import type { Row } from '../../../../src/row/row.ts';
import { displayWidth } from '../../../../src/text/width.ts';
import { address } from '../../../fixtures/place/wallets.ts';
import { answered, FAILED, INVALID, type OutputOptions, openOutput, ROWS, SCORED, WALLET, written } from '../rows.ts';

async function write(format: ListFormat, rows: readonly Row[], options: Partial<OutputOptions> = {}) {
  return (await written(format, rows, options)).toString();
}

const SEVEN = ['wallet_address', 'status', 'total_collateral_usd', 'score', 'answered_at', 'warning', 'error'];
const ANSWERED_AT = '2025-06-01T00:00:00.000Z';
const fields = parseFields('score=defi_score.defi_score,wallet_address,_meta.status,gone?');
const csvHead = (columns: readonly string[], more = {}) =>
  ({ kind: 'csv', columns, delimiter: ',', bom: false, ...more }) as const;

it('writes the same objects in the same order as json and as jsonl', async () => {
  for (let count = 0; count < ROWS.length; count++) {
    const rows = ROWS.slice(0, count);
    const lines = (await write('jsonl', rows)).split('\n').slice(0, -1);
    expect(JSON.parse(await write('json', rows))).toEqual(lines.map((line) => JSON.parse(line)));
  }
  const array = JSON.parse(await write('json', ROWS));
  expect(array[0]).toMatchObject({
    wallet_address: WALLET,
    defi_score: { defi_score: 474 },
    _meta: { line: 1, status: 'scored', score: 474, answered_at: '2025-06-01T00:00:00.000Z' },
  });
  expect(array[2]).toEqual({
    _meta: {
      line: 3,
      input: 'vitalik.eth',
      status: 'invalid',
      score: null,
      answered_at: null,
      error: { code: 'ens', message: 'an ENS name is not an address' },
    },
  });
  expect(array[3]._meta.error.http_status).toBe(404);
});

it('writes only the picked fields as json, in order, with null for missing ones', async () => {
  expect(await write('jsonl', [SCORED, INVALID], { fields })).toBe(
    `{"score":474,"wallet_address":"${WALLET}","_meta.status":"scored","gone":null}\n` +
      '{"score":null,"wallet_address":null,"_meta.status":"invalid","gone":null}\n',
  );
  expect(JSON.parse(await write('json', [SCORED], { fields }))[0].score).toBe(474);
});

it('writes the same seven columns of csv for any answers', async () => {
  expect(parse(await write('csv', ROWS))).toEqual([
    SEVEN,
    [WALLET, 'scored', '1234567.89', '474', ANSWERED_AT, '', ''],
    [WALLET, 'no_score', '0', '', ANSWERED_AT, '', ''],
    ['vitalik.eth', 'invalid', '', '', '', '', 'line 3: an ENS name is not an address'],
    [WALLET, 'failed', '', '', '', '', 'the service refused it: no such wallet'],
    [WALLET, 'pending', '', '', '', '', ''],
  ]);
});

it('writes the columns of the input first, unchanged, with its delimiter and byte order mark', async () => {
  const input = [
    ['status', '=1+1'],
    ['Wallet', ` ${WALLET} `],
    ['note', 'a;b "c"\nd'],
  ] as const;
  const head = csvHead(['status', 'Wallet', 'note'], { delimiter: ';', bom: true });
  const text = await write('csv', [{ ...SCORED, input }], { head });
  expect(text.split('\n')[0]).toBe(
    '\ufeffstatus;Wallet;note;wallet_address;riskcli.status;total_collateral_usd;score;answered_at;warning;error',
  );
  expect(parse(text, { delimiter: ';', bom: true })[1]).toEqual([
    '=1+1',
    ` ${WALLET} `,
    'a;b "c"\nd',
    WALLET,
    'scored',
    '1234567.89',
    '474',
    ANSWERED_AT,
    '',
    '',
  ]);
});

it('gives every added column of csv a unique name, and every cell its column', async () => {
  const columns = ['score', 'riskcli.score', 'warning', 'answered_at', 'error'];
  const input = columns.slice(0, 2).map((column, i) => [column, String(i)] as const);
  const [names, cells] = parse(await write('csv', [{ ...FAILED, input }], { head: csvHead(columns) }));
  expect(names).toEqual([
    ...columns,
    'wallet_address',
    'status',
    'total_collateral_usd',
    'riskcli.riskcli.score',
    'riskcli.answered_at',
    'riskcli.warning',
    'riskcli.error',
  ]);
  expect(cells?.slice(0, 7)).toEqual(['0', '1', '', '', '', WALLET, 'failed']);
});

it('neutralises formulas from the service, also in names, and leaves numbers alone', async () => {
  const row = answered(
    '{"wallet_address":"x","total_collateral_usd":-5,"defi_score":{"defi_score":"-7.5","a":"=1+1","@b":" +x","c":"-2+3","d":"\\n=x"}}',
  );
  const names = 'total_collateral_usd,defi_score.defi_score,defi_score.a,@b,defi_score.@b';
  expect(parse(await write('csv', [row], { fields: parseFields(names) }))).toEqual([
    ['total_collateral_usd', 'defi_score.defi_score', 'defi_score.a', "'@b", 'defi_score.@b'],
    ['-5', '-7.5', "'=1+1", '', "' +x"],
  ]);
  expect(parse(await write('csv', [row], { fields: parseFields('defi_score.c,defi_score.d') }))[1]).toEqual([
    "'-2+3",
    "'\n=x",
  ]);
});

const table = (rows: readonly Row[], width: number, options: Partial<OutputOptions> = {}) =>
  write('table', rows, { terminal: { width, color: 0 }, ...options });

it('writes a table on a pipe with tabs and no header, not cut, with foreign text escaped', async () => {
  const hostile = answered('{"wallet_address":"x","total_collateral_usd":null,"defi_score":{"score":"a\\tb\\u001b"}}');
  expect(await write('table', [SCORED, INVALID, hostile])).toBe(
    [
      `${WALLET}\tscored\t1234567.89\t474\t`,
      'vitalik.eth\tinvalid\t\t\tline 3: an ENS name is not an address',
      `x\tscored\t\ta\\tb\\u001b\t`,
      '',
    ].join('\n'),
  );
  expect(await write('table', [SCORED], { fields })).toBe(`474\t${WALLET}\tscored\t\n`);
});

it('shortens the wallet, never an amount, and rounds dollars to cents', async () => {
  const rich = answered(
    `{"wallet_address":"${WALLET}","total_collateral_usd":1000000000000.123456,"defi_score":{"score":474.123456789}}`,
  );
  const [, row] = (await table([rich], 80)).split('\n');
  expect(row).toMatch(/^0xd8dA6BF\S+…\S+6045 {2}scored {4}\$1,000,000,000,000\.12 {2}474\.123456789$/);
  expect(row).toHaveLength(80);
  expect(await table([rich], 80, { fields: parseFields('total_collateral_usd') })).toContain('$1,000,000,000,000.12');
});

it('escapes the text of a row that is not a wallet', async () => {
  const shown = await table([{ ...INVALID, input: 'a\u001b[2J\tb\u202e' }], 80);
  expect(shown).toContain('\na\\u001b[2J\\tb\\u202e ');
});

it.each([0, 10, 20, 40, 60, 80, 120, 200])('fits a table into %d columns, with and without colour', async (columns) => {
  const width = columns || 80;
  for (const options of [{}, { fields }]) {
    const plain = await table(ROWS, width, options);
    for (const line of plain.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    const colored = await write('table', ROWS, { terminal: { width, color: 1 }, ...options });
    expect(colored).toContain('\u001b[');
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(plain);
  }
});

const columns = ['id', 'wallet', 'tier', 'customer', 'link'];
const held = (n: number, cells: readonly string[], more: Partial<Row> = {}): Row => {
  const wallet = address(n);
  const body = `{"wallet_address":"${wallet}","total_collateral_usd":${n}000,"defi_score":{"defi_score":${n}}}`;
  return {
    ...answered(body),
    wallet,
    cells,
    input: cells.map((cell, i) => [columns[i] ?? '', cell]),
    ...more,
  };
};
const record = (n: number, name: string) => [String(n), address(n), 'gold', name, `https://x.io/${address(n)}?a`];
const records = [1, 2, 3].map((n) => record(n, `Customer ${n}`));
const rows = records.map((cells, i) => held(i + 1, cells));
const head = csvHead(columns, { walletColumn: 1, sample: records });
const own = (list: readonly Row[], width: number, options: Partial<OutputOptions> = {}) =>
  table(list, width, { head, ...options });

it.each<[number, RegExp]>([
  [140, /^ID {2}TIER {2}CUSTOMER {4}WALLET {38}STATUS .*\n 1 {2}gold {2}Customer 1 {2}0x0{38}01 {2}scored /],
  [80, /^ID {2}TIER {2}CUSTOMER {4}WALLET .*\n 1 {2}gold {2}Customer 1 {2}0x0+…0+1 {2}scored +\$1,000\.00 +1\n/],
  [63, /^ID {2}CUSTOMER {4}WALLET .*\n 1 {2}Customer 1 {2}0x0+…0+1 {2}scored +\$1,000\.00 +1\n/],
  [40, /^CUSTOMER {4}WALLET .*\nCustomer 1 {2}0x0+…0+1 {6}1\n/],
])('shows as many columns of the list as fit %d, the label first, and the wallet once', async (width, shown) => {
  expect(await own(rows, width)).toMatch(shown);
});

it('keeps the label and amounts visible when a wider row comes later', async () => {
  const later = held(4, record(4, 'A customer with a name that is longer'), {
    document: parseDocument('{"total_collateral_usd":1234567890123}') as ObjectNode,
  });
  const output = await openOutput('table', { head, terminal: { width: 80, color: 0 } });
  for (const row of rows) await output.row(row);
  await output.flush();
  await output.row(later);
  await output.end({ counts: {} });
  const last = output.take().toString().trimEnd().split('\n').at(-1) ?? '';
  expect(last).toMatch(/^ 4 {2}gold {2}A custome… {2}0x0+…0+4 {2}scored +\$1,234,567,890,123\.00 +4$/);
  expect(displayWidth(last)).toBeLessThanOrEqual(80);
});

it('shows an error below its row if it does not fit after it', async () => {
  const failed = { ...FAILED, cells: record(1, 'Ann'), wallet: address(1) };
  expect(await own([failed], 50)).toMatch(/\n *Ann +0x0\S+ {2}failed\n {4}the service refused it: no such wallet\n$/);
});

it('keeps the column of an empty cell, also of the wallet', async () => {
  const noWallet = ['', '', 'silver', 'Bob'].map((cell, i) => [columns[i] ?? '', cell] as const);
  const short = [['id', '6']] as const;
  const invalid = [noWallet, short].map((input) => ({ ...INVALID, input }));
  const lines = (await own([...rows, held(4, ['', address(4), '', 'Dan', '']), ...invalid], 120)).split('\n');
  expect(lines.slice(4)).toEqual([
    `            Dan         ${address(4)}  scored         $4,000.00      4`,
    '    silver  Bob                                                     invalid   line 3: an ENS name is not an address',
    ' 6                                                                  invalid   line 3: an ENS name is not an address',
    '',
  ]);
});

it('escapes control characters in the columns of the list, and fits the terminal', async () => {
  const hostile = held(1, ['1', address(1), 'a\u001b[2J\tb', '顧客 \u202e1', '']);
  for (const width of [20, 30, 40, 60, 80, 120]) {
    const text = await own([hostile], width);
    expect(text).not.toMatch(/[\u001b\u202e\t]/);
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  }
});

it('adds no columns on a pipe, because scripts count them', async () => {
  expect(await write('table', rows, { head })).toMatch(/^0x0{38}01\tscored\t1000\t1\t\n/);
});

/** The output for each of `blocks`: rows that are ready together. */
async function shownBlocks(blocks: readonly (readonly Row[])[], options: Partial<OutputOptions>) {
  const output = await openOutput('table', { terminal: { width: 100, color: 0 }, ...options });
  const shown: Buffer[] = [];
  for (const rows of blocks) {
    for (const row of rows) await output.row(row);
    await output.flush();
    shown.push(output.take());
  }
  await output.end({ counts: {} });
  return [...shown, output.take()].map((text) => text.toString().split('\n').slice(0, -1));
}
const noted = (n: number, text: string, wallet = WALLET) =>
  answered(`{"wallet_address":"${wallet}","total_collateral_usd":0,"defi_score":${n},"n":${n},"text":"${text}"}`);

it('sizes columns for the rows that are ready together, and widens them for later rows', async () => {
  const picked = { fields: parseFields('n,text,wallet_address') };
  const blocks = [[noted(1, 'a'), noted(22, 'bc')], [noted(1234567890, 'some long words')], [], [noted(2, 'b')]];
  expect(await shownBlocks(blocks, picked)).toEqual([
    [
      '           N  TEXT          WALLET ADDRESS',
      `           1  a             ${WALLET}`,
      `          22  bc            ${WALLET}`,
    ],
    [`  1234567890  some long words  ${WALLET}`],
    [],
    [`           2  b                ${WALLET}`],
    [],
  ]);
  const [, narrow] = (await table([noted(1, 'word '.repeat(40))], 80, picked)).split('\n');
  expect(narrow).toMatch(/^ {11}1 {2}(word ){4}.*… {2}0xd8dA\w+…\w+6045$/);
});

it('draws no header if there are no rows', async () => expect(await table([], 80)).toBe(''));

it('shows rows of a fast list before the last one arrives', async () => {
  const [first] = await shownBlocks([Array.from({ length: 199 }, () => noted(1, 'a'))], {});
  expect(first).toHaveLength(200);
  const output = await openOutput('table', { terminal: { width: 100, color: 0 } });
  for (let rows = 0; rows < 201; rows++) await output.row(noted(1, 'a'));
  expect(output.take().toString().split('\n')).toHaveLength(202);
});

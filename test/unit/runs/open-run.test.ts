import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { parsePath } from '../../../src/document/parse-path.ts';
import { lookup } from '../../../src/document/path.ts';
import { cellText, writeCompact } from '../../../src/document/write.ts';
import { openSource } from '../../../src/lists/source.ts';
import { parseFields } from '../../../src/paths/fields.ts';
import { DATA_FORMATS, type DataFormat, dataFormat, hasColumns } from '../../../src/row/formats.ts';
import { classify, type Row } from '../../../src/row/row.ts';
import { rowNode } from '../../../src/row/row-node.ts';
import { type Verdict, verdictText } from '../../../src/row/verdict.ts';
import { openRun, openRunFile } from '../../../src/runs/open-run.ts';
import { collateralOf, valueAt } from '../../../src/runs/run.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { ABSENT, temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { offsets } from '../../fixtures/sweep.ts';
import { type OutputOptions, written } from '../output/rows.ts';

const AT = '2026-01-02T03:04:05.000Z';
const MIXED = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

function answered(line: number, text: string): Row {
  const document = parseDocument(text) as ObjectNode;
  const wallet = String(lookup(document, ['wallet_address']) && address(line));
  return { line, input: wallet, wallet, document, answeredAt: AT, ...classify(document) };
}

const SCORED = answered(
  1,
  `{"wallet_address":"${MIXED}","total_collateral_usd":9007199254740993.10,"defi_score":{"score":1e400,"level":"=HYPERLINK(\\"x\\")"},"errors":{"aave":"could not, get"},"_meta":7}`,
);
const NO_SCORE = answered(2, `{"wallet_address":"${address(2)}","total_collateral_usd":"0.0","defi_score":null}`);
const FAILED: Row = {
  line: 3,
  input: address(3),
  wallet: address(3),
  status: 'failed',
  error: { code: 'refused', message: 'no such wallet', httpStatus: 404 },
};
const INVALID: Row = {
  line: 4,
  input: 'nonsense',
  status: 'invalid',
  error: { code: 'not_address', message: 'it is not an address' },
};
const QUIET = { info() {}, warn() {} };
const ROWS = [SCORED, NO_SCORE, FAILED, INVALID];
const READ_BACK = DATA_FORMATS.filter((name) => dataFormat(name).isReadBack);

async function read(content: string | Uint8Array, { file }: { readonly file?: string } = {}) {
  const path = file ?? join(temporaryFolder(), 'results');
  if (file === undefined) writeFileSync(path, content);
  const messages: string[] = [];
  const host = testHost({ stdin: content });
  const report = { info: (text: string) => messages.push(text), warn: (text: string) => messages.push(text) };
  const source = await openSource(path, host);
  const rows: Row[] = [];
  try {
    const results = await openRun(source, { host, report });
    for await (const row of results.rows) rows.push(row);
  } finally {
    source.close();
  }
  return { rows, messages };
}

const failure = (content: string | Uint8Array) => read(content).then(String, (error: Error) => error);

const plain = (row: Row) => {
  const { wallet, status, score, answeredAt, warning, error } = row;
  const collateral = collateralOf(row);
  return {
    wallet,
    status,
    score: score && writeCompact(score),
    collateral: collateral && writeCompact(collateral),
    answeredAt,
    warning,
    error: error?.message,
  };
};
const at = (row: Row | undefined, path: string) => {
  const found = row && lookup(rowNode(row), parsePath(path));
  return found && writeCompact(found);
};

const EXPECTED = [
  {
    wallet: MIXED,
    status: 'scored',
    score: '1e400',
    collateral: '9007199254740993.10',
    answeredAt: AT,
    warning: 'errors: aave: could not, get',
  },
  { wallet: address(2), status: 'no_score', collateral: '"0.0"', answeredAt: AT },
  { wallet: address(3), status: 'failed', error: 'no such wallet' },
  { status: 'invalid', error: 'it is not an address' },
];

/**
 * Standard input of a megabyte, `first` and then the same chunk again and again; `taken` says how
 * many chunks were asked for.
 */
function manyChunks(chunk: string, first = '') {
  let taken = 0;
  function* chunks() {
    yield Buffer.from(first);
    for (; taken < 1_000; taken++) yield Buffer.from(chunk.padEnd(1_024));
  }
  return { host: testHost({ stdin: Readable.from(chunks()) }), taken: () => taken };
}

const bare = `{"wallet_address":"${MIXED}","status":"scored"}`;
it.each([
  ['json lines', '\n\n', `${bare}\n\n`],
  ['json', '[', `${bare},`],
  ['csv', 'wallet_address,status\n', `${MIXED},scored\n`],
])('returns rows before all of them were read: %s', async (_, first, chunk) => {
  const { host, taken } = manyChunks(chunk, first);
  const source = await openSource('-', host);
  const { rows } = await openRun(source, { host, report: QUIET });
  for await (const { wallet } of rows) {
    expect([wallet, taken() < 300]).toEqual([MIXED, true]);
    break;
  }
  source.close();
});

it.each(READ_BACK.filter((name) => !hasColumns(name)))('reads rows from %s, with their documents', async (format) => {
  const { rows, messages } = await read(await written(format, ROWS));
  expect(messages).toEqual([]);
  expect(rows.map(plain)).toEqual(EXPECTED);
  expect(rows.map(({ document }) => document && writeCompact(document))).toEqual(
    ROWS.map(({ document }) => document && writeCompact(document)),
  );
  expect(at(rows[0], '_meta.score')).toBe('1e400');
  expect(rows[2]?.error).toEqual(FAILED.error);
});

const withColumns = READ_BACK.filter(hasColumns);
it.each(withColumns)('reads rows from %s, where numbers and text that looks like one are the same', async (format) => {
  const { rows, messages } = await read(await written(format, ROWS));
  expect(messages).toEqual([]);
  expect(rows.map(plain)).toEqual(
    EXPECTED.map((row, i) => ({
      ...row,
      collateral: ['9007199254740993.10', '0.0'][i],
      ...(i === 3 && { error: 'line 4: it is not an address' }),
    })),
  );
  expect(at(rows[0], '_meta.status')).toBe('"scored"');
  expect([at(rows[0], '_meta.error'), at(rows[2], '_meta.error.message')]).toEqual([undefined, '"no such wallet"']);
});

it('finds the columns of results after input columns with the same names, with any delimiter', async () => {
  const columns = ['#id', 'wallet_address', 'status', '#', '__proto__', 'riskcli.wallet_address'];
  const head = { kind: 'csv', columns, delimiter: ';', bom: true } as const;
  const cells = ['#7', address(9), 'active', '#1', 'x;"y\n', ''];
  const { rows } = await read(await written('csv', [{ ...SCORED, cells }], { head }));
  expect(rows.map(plain)).toEqual([EXPECTED[0]]);
  expect(at(rows[0], '_meta.input["__proto__"]')).toBe('"x;\\"y\\n"');
  expect(at(rows[0], '_meta.input.status')).toBe('"active"');
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

it('reads the columns of csv at their paths: first those of the input, last the matches', async () => {
  const head = { kind: 'csv', columns: ['name', 'wallet_address'], delimiter: ',', bom: false } as const;
  const verdicts = [
    { rule: 'low', level: 'alarm', says: 'matches' },
    { rule: 'b', level: 'alarm', says: 'unknown' },
  ] as const;
  const row = { ...SCORED, cells: ['Ann', MIXED.toLowerCase()], verdicts };
  const options = { head, fields: parseFields('level=defi_score.level'), keepsDefaults: true } as const;
  const { rows } = await read(await written('csv', [row], { ...options, verdictColumns: ['matched', 'unjudged'] }));
  expect(rows[0] && JSON.parse(writeCompact(rowNode(rows[0])))).toEqual({
    _meta: {
      line: 2,
      input: { name: 'Ann', wallet_address: MIXED.toLowerCase() },
      status: 'scored',
      score: Number('1e400'),
      answered_at: AT,
      warning: 'errors: aave: could not, get',
      matched: ['low'],
      unjudged: ['b'],
    },
    wallet_address: MIXED,
    total_collateral_usd: Number('9007199254740993.10'),
    level: '=HYPERLINK("x")',
  });
});

it('reads the results of the last run if its input was itself an output of riskcli', async () => {
  const usual = ['wallet_address', 'status', 'total_collateral_usd', 'score', 'answered_at', 'warning', 'error'];
  const head = { kind: 'csv', columns: usual, delimiter: ',', bom: false } as const;
  const cells = [MIXED, 'no_score', '1', '2', '2020-01-01T00:00:00.000Z', '', ''];
  const fields = parseFields('score=defi_score.level');
  const { rows } = await read(await written('csv', [{ ...SCORED, cells }], { head, fields, keepsDefaults: true }));
  expect(rows.map(plain)).toEqual([EXPECTED[0]]);
  expect(at(rows[0], 'score') ?? '').toBe('"=HYPERLINK(\\"x\\")"');
});

it('reads the results of the last run also where its columns were picked', async () => {
  const header = 'wallet_address,score,riskcli.wallet_address,riskcli.score';
  const { rows } = await read(`${header}\n${address(9)},1,${MIXED},7\n`);
  expect(rows.map(plain)).toMatchObject([{ wallet: MIXED, score: '7' }]);
});

it.each([
  ['csv, neutralised', `wallet_address,'-a\n${MIXED},5\n`, '-a'],
  ['csv, in another spelling', `wallet_address,"a[""b""]"\n${MIXED},5\n`, 'a.b'],
  ['csv, no path', `wallet_address,a]\n${MIXED},5\n`, '["a]"]'],
  ['json lines, in another spelling', `{"wallet_address":"${MIXED}","a[\\"b\\"]":5}\n`, 'a.b'],
])('reads columns whose names are paths: %s', async (_, content, path) => {
  const { rows } = await read(content);
  expect(rows[0] && cellText(valueAt(rows[0], parsePath(path)))).toBe('5');
});

it('reads the excused rules from csv', async () => {
  const { rows } = await read(`wallet_address,excused\n${MIXED},b: known\n${address(2)},\n`);
  expect(rows.map((row) => verdictText(row, 'excused'))).toEqual(['b: known', undefined]);
});

it('reads the columns of the header, wherever it starts and however it is wrapped', async () => {
  const blank = ' \n\n'.repeat(75);
  const { rows } = await read(`${blank}wallet_address,"a\n\nb",c.riskcli.d\n${MIXED},5,7\n`);
  const found = ['["a\\n\\nb"]', 'c.riskcli.d'].map((path) => rows[0] && cellText(valueAt(rows[0], parsePath(path))));
  expect(found).toEqual(['5', '7']);
});

it.each([
  ['as riskcli prints it', (text: string) => text],
  ['on one line', (text: string) => text.replaceAll(/\s/g, '')],
])('reads the single document of one wallet, %s', async (_, form) => {
  const text = `{\n  "wallet_address": "${MIXED}",\n  "total_collateral_usd": 1.50,\n  "defi_score": {"score": 7}\n}\n`;
  const { rows } = await read(form(text));
  expect(rows.map(plain)).toEqual([{ wallet: MIXED, status: 'scored', score: '7', collateral: '1.50' }]);
  expect(rows[0]?.document).toBeDefined();
});

it('reads results compressed, from standard input and in UTF-16', async () => {
  const text = await written('csv', ROWS);
  expect((await read(gzipSync(text))).rows).toHaveLength(4);
  expect((await read(text, { file: '-' })).rows).toHaveLength(4);
  expect((await read(Buffer.from(`\ufeff${text}`, 'utf16le'))).rows).toHaveLength(4);
});

it.each(READ_BACK)('reads from %s which rules could not be judged', async (form) => {
  const unknown = (rule: string): Verdict => ({ rule, level: 'alarm', says: 'unknown' });
  const verdicts: Verdict[] = [{ rule: 'low', level: 'alarm', says: 'matches' }, unknown('b'), unknown('c')];
  const row = { ...SCORED, verdicts, verdictColumns: ['matched', 'unjudged'] as const };
  const { rows } = await read(await written(form, [row], { verdictColumns: ['matched', 'unjudged'] }));
  expect(rows.map((one) => one.verdicts)).toEqual([verdicts]);
});

it('reads an output without rows', async () => expect(await read('[]\n')).toMatchObject({ rows: [] }));

it('reads rows without a wallet if the list had none, and matches if they were picked', async () => {
  const picked = '"status":"scored","matched":["low"],"unjudged":["c"],"excused":["b: known"]';
  const bare = `{"wallet_address":"${MIXED}",${picked}}\n`;
  const { rows } = await read(`{"wallet_address":"${MIXED}","_meta":{"status":"invalid"}}\n${bare}`);
  const columns = ['matched', 'unjudged', 'excused'] as const;
  expect(rows.map((row) => [row.wallet, ...columns.map((column) => verdictText(row, column))])).toEqual([
    [undefined, undefined, undefined, undefined],
    [MIXED, 'low', 'c', 'b: known'],
  ]);
});

it('does not treat 64 hex digits as a wallet', async () => {
  const { rows } = await read(`{"wallet_address":"0x${'ab'.repeat(32)}","_meta":{"status":"scored"}}\n`);
  expect(rows.map(({ wallet }) => wallet)).toEqual([undefined]);
});

it('reads the output of a stopped run without its truncated last row, and reports that row', async () => {
  const csv = (await written('csv', [SCORED, NO_SCORE])).toString();
  expect(await failure(csv.slice(0, csv.indexOf('\n')))).toMatchObject({
    message: expect.stringContaining('it ends within its first line'),
  });
  const { rows, messages } = await read(csv.slice(0, -40));
  expect([rows.length, messages.length]).toEqual([1, 1]);
});

const SMALL = answered(
  1,
  `{"wallet_address":"${MIXED}","total_collateral_usd":12.5,"defi_score":{"score":59,"ok":true,"no":null,"t":"é\\"\\u0001,"}}`,
);
const OTHER = answered(2, `{"wallet_address":"${address(2)}","total_collateral_usd":1e2,"defi_score":{"score":597}}`);
const PICKED = { fields: parseFields('wallet_address,note=defi_score.t,score=_meta.score') };
const WHOLE: readonly (readonly [string, DataFormat, OutputOptions])[] = [
  ['jsonl', 'jsonl', {}],
  ['jsonl with --fields', 'jsonl', PICKED],
  ['json', 'json', {}],
  ['json with --fields', 'json', PICKED],
  ['csv', 'csv', {}],
  ['csv with --fields that ends in a number', 'csv', PICKED],
];

it.each(WHOLE)(
  'reports a truncated output wherever it was cut, and reads only whole rows: %s',
  async (_, format, options) => {
    await cutEverywhere(await written(format, [SMALL, OTHER, OTHER], options));
  },
);

it('reports a truncated csv wherever it was cut, also as saved by a spreadsheet', async () => {
  const csv = (await written('csv', [SMALL, OTHER])).toString();
  await cutEverywhere(Buffer.from(csv.replaceAll('\n', '\r\n')));
  await cutEverywhere(Buffer.from(`\ufeff${csv}`, 'utf16le'));
  await cutEverywhere(gzipSync(csv));
});

/**
 * Each prefix of `whole` is refused, or gives the first rows of `whole` and is reported unless it
 * ends with a row.
 */
async function cutEverywhere(whole: Buffer): Promise<void> {
  const all = (await read(whole)).rows.map(plain);
  for (const length of offsets(whole, 1)) {
    const piece = whole.subarray(0, length);
    const found = await read(piece).catch((error: Error) => error);
    if (found instanceof Error) {
      expect({ length, found }).toMatchObject({ found: { exitCode: 9 } });
      continue;
    }
    const { rows, messages } = found;
    expect({ length, rows: rows.map(plain) }).toEqual({ length, rows: all.slice(0, rows.length) });
    const endsWithRow = /[\n}\]]\0?$/.test(piece.toString('latin1')) && messages.length === 0;
    if (!endsWithRow)
      expect({ length, messages }).toEqual({ length, messages: [expect.stringMatching(/is incomplete and left out/)] });
  }
}

const csvRow = `${MIXED},scored,1,2,${AT},,\n`;
it.each([
  ['nothing at all', '', 'it has no rows'],
  ['blank lines', '\n \n', 'it has no rows'],
  ['a list of addresses', `${MIXED}\n${MIXED}\n`, 'it begins with a row'],
  ['csv without its header', csvRow, 'it begins with a row'],
  ['csv of something else', 'id,holder\n1,x\n', 'it has no column wallet_address'],
  ['text', 'hello\n', 'it has no column wallet_address'],
  ['another JSON object', '{"a":1}\n', 'it has no wallet_address'],
  ['a JSON list of addresses', `["${MIXED}"]`, 'line 1: this is not a row that riskcli wrote'],
  ['half a JSON array', `[{"wallet_address":"${MIXED}"}`, 'the JSON array is not closed'],
  ['deep JSON', `${'['.repeat(100_000)}`, 'nesting deeper|not closed'],
  ['a deep row', `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`, 'nesting deeper than 1000'],
  ['a workbook', 'PK\u0003\u0004', 'a workbook is not read back'],
  ['a PDF', '%PDF-1.4\n', 'it is a PDF, not a list'],
  ['bytes that are no text', Buffer.from([0x77, 0xff, 0x00, 0x81, 0x0a]), 'not valid UTF-8'],
  ['a header that breaks off', '\n\nwallet_address,b', 'it has no rows'],
  ['half a document', '\n{"wallet_address":\n"0x",\n\n', "/results', line 2: not valid JSON"],
  ['more cells than columns', `wallet_address,b\n${MIXED},1,2\n`, 'line 2: this record has more or fewer cells'],
  ['fewer cells than columns', `wallet_address,b\n${MIXED}\n`, 'line 2: this record has more or fewer cells'],
  ['half a row before another', `{"wallet_address"\n{"wallet_address":"${MIXED}"}\n`, 'line 1: not valid JSON'],
])('refuses as the output of a run, with a hint, %s', async (_, content, message) => {
  const error = await failure(content);
  expect(error).toMatchObject({ exitCode: 9, hint: expect.stringMatching(/riskcli/) });
  expect((error as Error).message).toMatch(new RegExp(message));
});

it.each(['rows.xlsx', 'RISK.PROM', 'page.html'])(
  'refuses to read back %s by its name, whatever it holds',
  async (name) => {
    const file = join(temporaryFolder(), name);
    writeFileSync(file, csvRow);
    const error = await read('', { file }).catch((failure: Error) => failure);
    expect(error).toMatchObject({ exitCode: 9, message: expect.stringContaining('is not read back') });
  },
);

it('refuses a folder and a missing file', async () => {
  for (const file of [temporaryFolder(), `${ABSENT}/x`]) {
    await expect(openRunFile(file, testHost())).rejects.toMatchObject({
      exitCode: 9,
      hint: expect.stringContaining('riskcli profile wrote'),
    });
  }
  const stdin = testHost({ tty: { stdin: true } });
  await expect(openRunFile('-', stdin)).rejects.toMatchObject({
    exitCode: 2,
    message: 'standard input is a terminal, not the output of a run',
    hint: 'pipe the output of a run into riskcli, or name a file',
  });
});

it.each([
  ['blank lines', ' \n'],
  ['lines of something else', 'id,holder\n'],
])('refuses endless %s before they are all read', async (_, line) => {
  const { host, taken } = manyChunks(line.repeat(1_024 / line.length));
  const opened = openRun(await openSource('-', host), { host, report: QUIET });
  await expect(opened).rejects.toMatchObject({ exitCode: 9 });
  expect(taken()).toBeLessThan(300);
});

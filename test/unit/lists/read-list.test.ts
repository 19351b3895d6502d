import { expect, it } from 'vitest';
import { writeCompact } from '../../../src/document/write.ts';
import type { ListHead, ListRecord, ReadListOptions } from '../../../src/lists/list.ts';
import { openList } from '../../../src/lists/read-list.ts';
import { turn } from '../../fixtures/manual-clock.ts';
import { type MessyList, messyList } from '../../fixtures/place/lists.ts';
import { A, B, C, chunked, read, wallets, walletsOf } from './reading.ts';

const A_MIXED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SECRET = 'ab'.repeat(32);
const PRIVATE_KEY_MARKER = '<withheld: may be a private key>';

const utf16le = (text: string) => Buffer.from(text, 'utf16le');

const lines: ListHead = { kind: 'lines', delimiter: ',', bom: false };
const csv = (columns: readonly string[], delimiter = ','): ListHead => ({ ...lines, kind: 'csv', columns, delimiter });

const CASES: readonly (readonly [MessyList, ListHead, string])[] = [
  ['etherscan-holders.csv', csv(['HolderAddress', 'Balance', 'PendingBalanceUpdate']), '2 A, 3 B, 4 A'],
  ['dune-anchors.csv', csv(['wallet_link', 'chain', 'last_tx']), '2 A, 3 B'],
  ['sheet-semicolon.csv', { ...csv(['Kunde', 'Wallet Address ', 'Betrag'], ';'), bom: true }, '2 A, 4 B, 6 ens'],
  ['excel-tabs.txt', { ...csv(['No.', 'owner', 'note'], '\t'), bom: true }, '2 A, 3 A, 4 checksum'],
  ['notes.txt', lines, '3 A, 4 B, 5 C, 6 A, 7 B, 8 C, 9 A, 10 B, 11 ambiguous, 12 no_prefix, 14 ens, 15 C'],
  ['wallets.json', { ...lines, kind: 'json' }, '2 A, 3 B, 4 empty, 5 not_address, 7 C, 8 not_address'],
  ['wallets.jsonl', { ...lines, kind: 'jsonl', columns: ['id', 'holder'] }, '1 A, 2 B, 4 empty'],
  ['quoted-newlines.csv', csv(['name', 'address', 'comment']), '2 A, 6 B'],
  ['safe-address-book.csv', csv(['address', 'name', 'chainId']), '2 A, 3 B, 4 C'],
  ['numbered.csv', csv(['#', 'Address', 'Score']), '2 A, 3 B'],
];

it.each(CASES)('reads %s', async (file, head, rows) => {
  const content = await messyList(file);
  const list = await read(content);
  const { sample = [], walletColumn: place = 0, ...rest } = list.head;
  expect(rest).toEqual(head);
  expect(list.records.slice(0, sample.length).flatMap(({ cells }) => (cells ? [cells] : []))).toEqual(sample);
  for (const { cells, wallet } of list.records) {
    if (cells && wallet.ok) expect(cells[place]?.toLowerCase()).toContain(wallet.id);
  }
  expect(walletsOf(list.records)).toBe(rows);
  for (const chunk of [1, 7]) expect(await read(content, { chunk })).toEqual(list);
});

it('keeps the cells of a CSV, fills short records, and joins extra cells of long ones into the last column', async () => {
  const { records } = await read(await messyList('safe-address-book.csv'));
  expect(records.map(({ cells }) => cells)).toEqual([
    [A_MIXED, 'Ops', '1'],
    ['eth:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', 'Treasury', ' cold,1'],
    ['arb1:0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB', '', ''],
  ]);
  expect(records[0]?.input).toEqual([
    ['address', A_MIXED],
    ['name', 'Ops'],
    ['chainId', '1'],
  ]);
});

it('keeps line ends and quotes inside a quoted cell', async () => {
  const { records } = await read(await messyList('quoted-newlines.csv'));
  expect(records[0]?.cells).toEqual(['Alice\r\nSmith', A_MIXED, 'says "hi",\r\ntwice']);
});

it('redacts 64 hex digits in cells and fields, except in those that are called a hash', async () => {
  const last = (list: { readonly records: readonly ListRecord[] }) => list.records[0]?.cells?.at(-1);
  const [hash, text] = [`0x${SECRET}`, (name: string) => `wallet,${name}\n${A},0x${SECRET}\n`];
  expect(last(await read(await messyList('dune-anchors.csv')))).toBe(hash);
  expect([last(await read(text('Txn Hash'))), last(await read(text('memo')))]).toEqual([hash, PRIVATE_KEY_MARKER]);
  const { records } = await read(await messyList('wallets.jsonl'));
  expect(records.map(({ input }) => typeof input === 'object' && 'kind' in input && writeCompact(input))).toEqual([
    `{"id":9007199254740993,"holder":"${A_MIXED}","tags":["a","b"]}`,
    `{"id":2,"holder":"${B}","tx":"${hash}"}`,
    '{"id":3}',
  ]);
  expect((await read(`${A}\n0x${SECRET}\nkey ${SECRET}`)).records.map(({ input }) => input)).toEqual([
    A,
    PRIVATE_KEY_MARKER,
    `key ${PRIVATE_KEY_MARKER}`,
  ]);
});

it.each([
  ['CSV', `tx,n\n${A},1\n${SECRET},2\n`],
  ['JSON', JSON.stringify([{ tx: A }, { tx: SECRET }])],
])('redacts a possible private key in place of a wallet, whatever the column of a %s is called', async (_, list) => {
  const { records } = await read(list, { column: 'tx' });
  expect(records[1]).toMatchObject({ wallet: { code: 'secret' } });
  expect(JSON.stringify(records)).not.toContain(SECRET);
});

it('trims the text of a line, and keeps an element of JSON whole', async () => {
  const inputs = async (list: string) => (await read(list)).records.map(({ input }) => input);
  expect(await inputs(`  ${A} \t\r\n`)).toEqual([A]);
  expect(await inputs(JSON.stringify([A, ' x ']))).toEqual([A, ' x ']);
});

it.each([
  ['every line with a comma behind it', `${A},\n${B},\n${C}`],
  ['a note with a comma here and there', `${A}\n${B} cold, main\n${C}`],
  ['quoted lines', `"${A}"\n"${B}"\n"${C}"\n`],
  ['a markdown list with boxes', `[ ] ${A}\n[x] ${B}\n[ ] ${C}\n`],
  ['a byte order mark', `\ufeff${A}\n${B}\n${C}`],
  ['a first line with a bracket in it', `*["cold"] ${A}\n* ${B}\n* ${C}\n`],
  ['a first line with a brace in it', `${A} {cold}\n* ${B}\n* ${C}\n`],
  ['a note with a comma behind a bullet', `- ${A}\n- ${B}, cold\n- ${C}\n`],
  ['a note with a comma in the first line', `${A}, main\n${B}\n${C}\n`],
])('reads as lines %s', async (_, text) => {
  const { head, records } = await read(text);
  expect([head.kind, walletsOf(records)]).toEqual(['lines', '1 A, 2 B, 3 C']);
});

it.each(['address', 'addr', 'Wallet Address', 'wallet', 'holder', 'OWNER', 'HolderAddress', '"wallet_address"'])(
  'reads the first line %s as a header',
  async (name) => {
    const { head, records } = await read(`${name}\n${A}\n`);
    expect(head).toEqual({ ...csv([name.replaceAll('"', '')]), walletColumn: 0, sample: [[A]] });
    expect(walletsOf(records)).toBe('2 A');
  },
);

it.each(['not-a-wallet', 'wallet of mine', 'invalid', 'vitalik.eth', '0x123'])(
  'does not read as a header %s',
  async (text) => {
    expect(await wallets(`${text}\n${A}\n`)).toMatch(/^1 [a-z_]+, 2 A$/);
    expect(await wallets(`${text}\n${A}\n`, { column: '1' })).toMatch(/^1 [a-z_]+, 2 A$/);
  },
);

it('numbers the columns of a CSV without a header', async () => {
  const { head, records } = await read(`1,${A}\n2,${B},x\n3,${C}\n`);
  expect(head.columns).toEqual(['column_1', 'column_2', 'column_3']);
  expect(records[0]?.input).toEqual([
    ['column_1', '1'],
    ['column_2', A],
    ['column_3', ''],
  ]);
});

it.each([
  ['a column that most rows leave empty', `${A},cold\n${B},\n${C},\n`, ',', [A, 'cold']],
  ['an empty column between others', `${A},,x\n${B},,y\n`, ',', [A, '', 'x']],
  ['another delimiter in its cells', `a,b;${A}\nc,d;${B}\n`, ';', ['a,b', A]],
  ['blank cells behind the last column', `id,address\n1,${A}, ,\n`, ',', ['1', A]],
  ['unknown names above it', `foo,bar\n1,${A}\nx,y\n`, ',', ['1', A]],
])('reads as a table a list with %s', async (_, text, delimiter, cells) => {
  const { head, records } = await read(text);
  expect(head).toMatchObject({ kind: 'csv', delimiter });
  expect(records[0]?.cells).toEqual(cells);
});

it('treats a first line as a row if no wallet is below it', async () => {
  const { head, records } = await read('foo,bar\nx,y\n', { column: '2' });
  expect(head.columns).toEqual(['column_1', 'column_2']);
  expect(walletsOf(records)).toBe('1 not_address, 2 not_address');
});

it('reads an indented object as JSON Lines', async () => {
  expect((await read(`  {"a":"${A}"}\n`)).head.kind).toBe('jsonl');
});

it('splits an array at the commas between elements, not inside strings', async () => {
  const elements = [`{"note":"5\\", c]","w":"${A}"}`, `{"note":"\\\\","w":"${B}"}`];
  for (const chunk of [1 << 16, 1]) expect(await wallets(`[${elements.join()}]`, { chunk })).toBe('1 A, 1 B');
});

const transfers = `from,to,note\n${A},${B},x\n${A},${C},y\n`;

it.each([
  ['to', '2 B, 3 C'],
  [' TO ', '2 B, 3 C'],
  ['2', '2 B, 3 C'],
  ['3', '2 not_address, 3 not_address'],
  ['1', '2 A, 3 A'],
])('takes wallets from the column that --column %s names', async (column, rows) => {
  expect(await wallets(transfers, { column })).toBe(rows);
});

it('chooses the column by the first 25 lines that are not comments', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => `row #${i},${A}\n`).join('');
  const { head } = await read(`name,address\n  # a,comment\n${rows}`);
  expect([head.sample?.length, head.sample?.[0]]).toEqual([24, ['row #0', A]]);
  const long = await read(`name,address\n${`${'x'.repeat(10_000)},${A}\n`.repeat(40)}`);
  expect(long.head.sample).toHaveLength(7);
});

it('takes wallets from the field of JSON objects that --column names', async () => {
  const text = JSON.stringify([{ from: A, to: B }]);
  expect(await wallets(text, { column: 'TO' })).toBe('1 B');
  await expect(wallets(text)).rejects.toThrow("'from', 'to'");
});

it('takes wallets from the field of JSON objects that holds them, whatever its name', async () => {
  const elements = [{ n: 'x', who: A }, { n: 'y' }, { n: 'z', who: B, more: 1 }];
  expect(await wallets(JSON.stringify(elements))).toBe('1 A, 1 empty, 1 B');
  const named = JSON.stringify([{ wallet: '', contract: A }, { contract: B }]);
  expect(await wallets(named)).toBe('1 A, 1 B');
  const both = JSON.stringify([{ n: 'x' }, { one: A, other: B }]);
  await expect(wallets(both)).rejects.toThrow("the wallets could be in any of these columns: 'one', 'other'");
  expect(await wallets('[{"n":"x"},{"n":"y"}]')).toBe('1 not_address, 1 not_address');
});

it('chooses a column by its name among others with addresses', async () => {
  expect(await wallets(`token,address\n${B},${A}\n`)).toBe('2 A');
});

it('chooses the first of two columns with the same wallets', async () => {
  expect(await wallets(`x,wallet\n${A},${A_MIXED}\n`)).toBe('2 A');
  const text = `w,link\n${A},https://etherscan.io/address/${A_MIXED}\n${B},https://etherscan.io/address/${B}\n`;
  expect(await wallets(text)).toBe('2 A, 3 B');
});

it.each([
  ['several hold addresses', transfers, {}, /wallets\.txt: .*'from', 'to'/],
  ['none does', 'id,name\n1,x\n', {}, /none of the columns contains addresses: 'id', 'name'$/],
  ['another is called wallet', `wallet,contract\nvitalik.eth,${A}\n`, {}, /'wallet', 'contract'/],
  ['one called wallet is not empty', `wallet,contract\n,${A}\nvitalik.eth,${B}\n`, {}, /'wallet', 'contract'/],
  ['--column names none', transfers, { column: 'wallet' }, /there is no column 'wallet'/],
  ['--column is too large', transfers, { column: '4' }, /there is no column '4'/],
  ['--column is more than a number', transfers, { column: '1x' }, /there is no column '1x'/],
  ['--column ends in a number', transfers, { column: 'x1' }, /there is no column 'x1'/],
  ['--column is 0', transfers, { column: '0' }, /there is no column '0'/],
  ['--column names two', `a,a\n${A},${B}\n`, { column: 'a' }, /several columns are called 'a'/],
  ['no field does', '[{"a":1},{"b":2,"c":{"d":3}}]', {}, /'a', 'b'/],
])('asks for --column when %s', async (_, text, options, message) => {
  const error = { name: 'ListError', exitCode: 9, hint: expect.anything(), message: expect.stringMatching(message) };
  await expect(read(text, options)).rejects.toMatchObject(error);
});

const NESTED = `[{"account":{"address":"${A}"}}]`;
const JQ = 'extract them with jq: jq -c PATH FILE > list.jsonl';
it.each([
  ['an object over several lines', `{\n  "wallet": "${A}"\n}\n`, 'goes over several lines', 'jq -c . FILE'],
  ['two arrays', `{"result":[{"id":1,"a":"${A}"}],"of":{"${C}":1}}`, 'are in .result[], and not', JQ],
  ['an array in an object', `{"wallets":["${A}"]}`, 'its wallets are in .wallets[],', JQ],
  ['an answer of an API', `{"status":"1","result":[{"id":1,"Holder":"${A}"}]}`, 'in .result[],', JQ],
  ['objects in objects', `{"at":"2026","data":{"holders":[{"a":"${A}"}]}}`, 'in .data.holders[],', JQ],
  ['a table by columns', `{"n":{"0":1,"1":2},"w":{"0":"${A}","1":"${B}"}}`, 'in .w[],', JQ],
  ['wallets as keys', `{"${A}":"1000","${B}":"2000"}`, 'in keys[],', JQ],
  ['wallets as keys inside', `{"a":{"${A}":1}}`, 'in .a | keys[],', JQ],
  ['keys with quotes', `{"a b":[{"x'y":"${A}"}]}`, 'in .["a b"][],', JQ],
  ['a member of a member', NESTED, 'in .[].account.address,', "--column 'account.address'"],
  ['the same in lines', `{"a":{"x.y":"${A}"}}\n`, 'in .a["x.y"],', `--column 'a["x.y"]'`],
  ['a comma too many', `[{"wallet":"${A}"},]`, 'line 1: a comma too many in the JSON array', 'take it out'],
  ['an array with a hole', `["${A}",\n,"${B}"]`, 'line 2: a comma too many in the JSON array', 'take it out'],
  ['wallets side by side', `${A}, ${B}, ${C}\n`, 'there are 3 wallets in a line', "tr -s ', ' '\\n' < FILE > list.txt"],
  ['lines of wallets', `${A}\t${B}\n${B}\t${C}\n`, 'there are 2 wallets in a line', "tr -s '\\t ' '\\n' < FILE"],
])('refuses wallets in an unsupported layout with the place and a remedy: %s', async (_, list, what, hint) => {
  const error = { message: expect.stringContaining(what), hint: expect.stringContaining(hint), exitCode: 9 };
  await expect(read(list)).rejects.toMatchObject(error);
});

it('takes wallets from a nested member if --column has its path', async () => {
  const list = `[{"id":1,"account":{"address":"${A}"}},{"id":2,"account":null},{"id":3,"account":{"address":"${B}"}}]`;
  const { head, records } = await read(list, { column: 'account.address' });
  expect(walletsOf(records)).toBe('1 A, 1 empty, 1 B');
  expect(head).toMatchObject({ columns: ['id'], walletColumn: -1 });
  expect(await wallets(`{"a.b":"${A}","a":{"b":"${B}"}}\n`, { column: 'a.b' })).toBe('1 A');
  await expect(read(list, { column: 'account.owner' })).rejects.toMatchObject({
    hint: "name the member: --column 'account.address'",
  });
});

it.each(['null', '1', '-1.5e3', 'true', '[]', '"x"'])('finds wallets of an array behind %s', async (first) => {
  for (const chunk of [1 << 16, 1]) expect(await wallets(`[${first} , "${A}"]`, { chunk })).toMatch(/^1 [a-z_]+, 1 A$/);
});

it.each(['', '[x](', '[ ] ', '[null ', '- [0] '])('finds the wallet of a line behind %j', async (first) => {
  expect(await wallets(`${first}${A}\n${first}${B}\n`)).toBe('1 A, 2 B');
});

it.each([
  ['a header of more columns than a sheet has', `wallet${','.repeat(16_384)}\n${A}\n`, 'more than 16384 columns'],
  ['an element of as many', JSON.stringify([{ wallet: A, ...Array(16_384).fill(1) }]), 'more than 16384 columns'],
  ['rows of two cells below 16,384', `wallet${','.repeat(16_383)}\n${`${A},\n`.repeat(99)}`, 'nearly all cells'],
  [
    'elements of one member below 16,384',
    JSON.stringify([{ wallet: A, ...Array(16_383).fill(1) }, ...Array(200).fill({ wallet: A })]),
    'nearly all cells',
  ],
])('refuses a list whose small rows would be filled up to a large table: %s', async (_, content, message) => {
  await expect(read(content)).rejects.toMatchObject({ exitCode: 9, message: expect.stringContaining(message) });
});

it('finds a column by a name in another Unicode normal form, if that is unambiguous', async () => {
  const [nfc, nfd] = ['W\u00e4llet', 'Wa\u0308llet'];
  for (const [column, name] of [
    [nfc, nfd],
    [nfd, nfc],
  ] as const) {
    const { head, records } = await read(`from,${name}\n${B},${A}\n`, { column });
    expect([head.columns, records[0]?.wallet]).toMatchObject([['from', name], { id: A }]);
  }
  expect(await wallets(`${nfd},${nfc}\n${B},${A}\n`, { column: nfc })).toBe('2 A');
});

it('shows no possible key in the names of columns', async () => {
  await expect(read(`${SECRET},x\n1,2\n`)).rejects.toThrow(/none of the columns contains addresses: (?!.*abab)/);
});

it.each(['', '\n \r\n\t\n', '# a\n  # b', 'address\n', 'name,address\r\n,,\r\n', '[]', ' [ \n ] \n', '\ufeff'])(
  'refuses an empty list: %j',
  async (text) => {
    const error = { exitCode: 9, code: 'list', message: 'wallets.txt: the list is empty' };
    await expect(read(text)).rejects.toMatchObject(error);
  },
);

const broken = Buffer.from([0x30, 0xff, 0x30]);
const bytes = (...parts: (string | Uint8Array | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

it.each([
  ['bytes that are not UTF-8', bytes(`${A}\n${B}\n`, broken, '\n'), 3],
  ['a character cut in two at the end', bytes(`${A}\n`, Buffer.from('é').subarray(0, 1)), 2],
  ['such bytes in a quoted cell', bytes(`address,x\n${A},1\n${B},"2\n`, broken, '"\n'), 3],
  ['such bytes in an array', bytes(`["${A}",\n"${B}\n`, broken, '"]'), 2],
  ['a quote that is never closed', `address,x\n${A},1\n${B},"2\n${C},3\n`, 3],
  ['one in a single line', `${A}\n"${B}\n${C}\n`, 2],
  ['an array without an end', `["${A}",\n"${B}",\n`, 3],
  ['an array with a comma too many', `["${A}",\n]`, 2],
  ['text behind an array', `["${A}"]\n["${B}"]`, 2],
  ['an array with a broken element', `["${A}",\nx,\n"${B}",\n"${C}"]`, 2],
  ['text behind an array, above blank lines', `["${A}"]\n["${B}"]\n\n`, 2],
  ['JSON Lines with a broken one', `{"a":"${A}"}\n{"a":\n`, 2],
  ['an object over several lines', `{\n"a": "${A}"}`, 1],
  ['nesting without an end', `["${A}",\n${'['.repeat(200_000)}`, 2],
  ['half a UTF-16 character', utf16le(`\ufeff${A}\n${B}`).subarray(0, -1), 2],
])('names the line on which the unreadable record starts: %s', async (_, content, line) => {
  for (const chunk of [1 << 16, 5]) {
    const message = expect.stringContaining(`wallets.txt, line ${line}: `);
    await expect(read(content, { chunk })).rejects.toMatchObject({ name: 'ListError', exitCode: 9, message });
  }
});

it('returns the records before a damaged one', async () => {
  const list = await openList(chunked(bytes(`${A}\n`.repeat(40), broken), 64), { name: 'x', checksum: true });
  let count = 0;
  const all = (async () => {
    for await (const batch of list.records) count += batch.length;
  })();
  await expect(all).rejects.toThrow('x, line 41: not valid UTF-8');
  expect(count).toBe(40);
});

async function* endless(byte: number, state: { chunks: number }) {
  try {
    for (; state.chunks < 100_000; state.chunks++) yield Buffer.alloc(1 << 16, byte);
  } finally {
    state.chunks = -state.chunks;
  }
}

it.each([0x00, 0x61, 0x22, 0x5b])(
  'stops reading a line without an end, of bytes %i, and closes the file',
  async (byte) => {
    const state = { chunks: 0 };
    const all = (async () => {
      const list = await openList(endless(byte, state), { name: 'x', checksum: true });
      for await (const _ of list.records);
    })();
    await expect(all).rejects.toThrow(/^x, line 1: it is longer than 16777216 characters/);
    expect(state.chunks).toBeLessThan(0);
    expect(state.chunks).toBeGreaterThan(-300);
  },
);

it('closes the file if its column is unclear', async () => {
  let isClosed = false;
  async function* source() {
    try {
      for (;;) yield Buffer.from(`${A},${B}\n`);
    } finally {
      isClosed = true;
    }
  }
  await expect(openList(source(), { name: 'x', checksum: true })).rejects.toThrow('2 wallets in a line');
  expect(isClosed).toBe(true);
});

/**
 * Opens a list of which only `first` comes at once; whether it is open before the `rest` comes.
 */
async function opening(first: string, rest: string, { column, pause = async () => {} }: Partial<ReadListOptions> = {}) {
  let goOn = () => {};
  async function* source() {
    yield Buffer.from(first);
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    yield Buffer.from(rest);
  }
  let isOver = false;
  const options = { name: 'x', checksum: true, pause, column } as const;
  const opened = openList(source(), options).finally(() => {
    isOver = true;
  });
  opened.catch(() => {});
  for (let i = 0; i < 20; i++) await turn();
  const wasOver = isOver;
  goOn();
  return { wasOver, opened };
}

it('waits for more of a slow list whose wallet column is ambiguous', async () => {
  const { wasOver, opened } = await opening(`from,to\n${A},${B}\n`, '');
  expect(wasOver).toBe(false);
  await expect(opened).rejects.toThrow("'from', 'to'");
});

it('does not wait for more of a slow list whose first line is an address', async () => {
  const { wasOver, opened } = await opening(` ${A}\n`, `${B}\n`, { pause: () => new Promise(() => {}) });
  expect(wasOver).toBe(true);
  expect((await opened).head.kind).toBe('lines');
});

it('waits for the end of the first row of a slow list', async () => {
  const { wasOver, opened } = await opening(`"a\n${A}\n`, `b",wallet\n1,${A}\n`, { column: 'wallet' });
  expect(wasOver).toBe(false);
  expect((await opened).head.columns).toEqual([`a\n${A}\nb`, 'wallet']);
});

it('reads a list no faster than its records are consumed', async () => {
  let chunks = 0;
  async function* source() {
    for (; chunks < 1000; chunks++) yield Buffer.from(`${A}\n`.repeat(100));
  }
  const { records } = await openList(source(), { name: 'x', checksum: true });
  let taken = 0;
  for await (const batch of records) {
    taken += batch.length;
    if (taken >= 150) break;
  }
  expect(chunks).toBeLessThan(5);
});

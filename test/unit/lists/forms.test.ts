/**
 * Lists in forms that people export without thinking of who reads them: read, or named with the way
 * out.
 */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openList } from '../../../src/lists/read-list.ts';
import { A, B, read, wallets, walletsOf } from './reading.ts';

const CSV = `address,note\r\n${A},é€🐳\r\n${B},b\r\n`;
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();

it.each<[string, Buffer, string]>([
  ['a CSV', gzipSync(CSV), '2 A, 3 B'],
  ['UTF-16', gzipSync(utf16le(`\ufeff${CSV}`)), '2 A, 3 B'],
  ['two members', Buffer.concat([gzipSync(`${A}\n`), gzipSync(`${B}\n`)]), '1 A, 2 B'],
  ['JSON', gzipSync(JSON.stringify([A, B])), '1 A, 1 B'],
])('reads a gzip file: %s', async (_, content, rows) => {
  for (const chunk of [1 << 16, 1]) expect(await wallets(content, { chunk })).toEqual(rows);
});

it('does not report a gzip file with a read error as damaged', async () => {
  const broken = Object.assign(new Error('i/o error'), { code: 'EIO' });
  async function* source() {
    yield gzipSync(CSV).subarray(0, 20);
    throw broken;
  }
  const records = async () => {
    for await (const _ of (await openList(source(), { name: 'x', checksum: true })).records);
  };
  await expect(records()).rejects.toBe(broken);
});

it('closes a gzip file when its records are abandoned', async () => {
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  async function* source() {
    try {
      for (;;) yield gzipSync(`${A}\n`.repeat(1000));
    } finally {
      close();
    }
  }
  const { records } = await openList(source(), { name: 'x', checksum: true });
  for await (const _ of records) break;
  await closed;
});

const long = gzipSync(Array.from({ length: 5_000 }, (_, i) => `${A}${i}\n`).join(''));
const damaged = Buffer.from(long);
damaged.fill(0xff, long.length / 2, long.length / 2 + 64);

it.each<[string, Buffer, string]>([
  ['cut short', long.subarray(0, long.length / 2), 'the gzip data is truncated'],
  ['damaged', damaged, 'the gzip data is damaged'],
  ['cut in its head', long.subarray(0, 6), 'the gzip data is truncated'],
  ['gzip again', gzipSync(long), 'it is gzip inside gzip, not a list'],
])('refuses a gzip file: %s', async (_, content, message) => {
  const error = { name: 'ListError', exitCode: 9, hint: expect.anything() };
  await expect(read(content)).rejects.toMatchObject({ ...error, message: expect.stringContaining(message) });
});

it.each<[string, string | Buffer, boolean]>([
  ['a byte order mark', `\ufeff${CSV}`, true],
  ['UTF-16 LE', utf16le(`\ufeff${CSV}`), true],
  ['UTF-16 BE', utf16be(`\ufeff${CSV}`), true],
  ['UTF-16 LE without a mark', utf16le(CSV), false],
  ['UTF-16 BE without a mark', utf16be(CSV), false],
  ['no final newline', CSV.trimEnd(), false],
  ['trailing spaces', CSV.replaceAll('\r', ' \t\r'), false],
])('reads encodings, line ends and quotes: %s', async (_, content, bom) => {
  for (const chunk of [1 << 16, 7, 1]) {
    const { head, records } = await read(content, { chunk });
    expect([head.columns?.map((name) => name.trim()), head.bom]).toEqual([['address', 'note'], bom]);
    expect([walletsOf(records), records.map(({ cells }) => cells?.[1]?.trim())]).toEqual(['2 A, 3 B', ['é€🐳', 'b']]);
  }
});

it.each<[string, Buffer | string, RegExp, RegExp]>([
  ['xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /Excel workbook \(\.xls/, /CSV UTF-8/],
  ['pdf', '%PDF-1.7\n%\u00e2', /a PDF/, /text file/],
  ['bzip2', 'BZh91AY', /compressed with bzip2/, /bzip2 -dc/],
  ['xz', Buffer.from('fd377a585a00', 'hex'), /compressed with xz/, /xz -dc/],
  ['zstd', Buffer.from('28b52ffd00', 'hex'), /compressed with zstd/, /zstd -dc/],
  ['7z', Buffer.from('377abcaf271c', 'hex'), /7z archive/, /unpack it/],
  ['Parquet', 'PAR1....', /Parquet/, /as CSV/],
  ['SQLite', 'SQLite format 3\u0000', /SQLite/, /as CSV/],
  ['rtf', '{\\rtf1\\ansi', /rich text/, /plain text/],
  ['png', Buffer.from('89504e470d0a', 'hex'), /an image/, /text file/],
  ['jpeg', Buffer.from('ffd8ffe000', 'hex'), /an image/, /text file/],
  ['ANSI', Buffer.from(`address\n${A},M\u00fcller\t\r\n`, 'latin1'), /line 2: .*Windows-1252/, /iconv -f WINDOWS-1252/],
  ['a byte of no encoding', Buffer.from(`${A}\nM\u00fc\u0081\n`, 'latin1'), /line 2: not valid UTF-8$/, /UTF-8 text/],
  ['half a character', utf16le(`\ufeff${A}`).subarray(0, -1), /in the middle of a UTF-16 character/, /cut short/],
  ['an array without an end', `["${A}"`, /the JSON array is not closed/, /cut short/],
  ['a control character', Buffer.from(`${A}\n\u001f\u00ff\n`, 'latin1'), /line 2: not valid UTF-8$/, /UTF-8 text/],
])('refuses a file that is not text by what it is: %s', async (_, content, message, hint) => {
  for (const chunk of [1 << 16, 64]) {
    const error = { message: expect.stringMatching(message), hint: expect.stringMatching(hint), exitCode: 9 };
    await expect(read(content, { chunk })).rejects.toMatchObject(error);
  }
});

it.each([0x81, 0x8d, 0x8f, 0x90, 0x9d])('does not call the byte %i Windows-1252', async (byte) => {
  const list = Buffer.concat([Buffer.from(`${A}\nM`), Buffer.from([0xfc, byte])]);
  await expect(read(list)).rejects.toThrow(/line 2: not valid UTF-8$/);
});

const by = (delimiter: string, ...columns: readonly string[]) => ({ delimiter, columns });

it.each<[string, string, object, string]>([
  ['sep=', `sep=;\r\nAddress;n\r\n${A};1\r\n`, by(';', 'Address', 'n'), '3 A'],
  ['sep= and a tab', `sep=\t\nAddress\tn\n${A}\t1\n`, by('\t', 'Address', 'n'), '3 A'],
  ['sep= and a tilde', `sep=~\nAddress~n\n${A}~1,5\n`, by('~', 'Address', 'n'), '3 A'],
  ['sep= without a header', `"SEP=;"\n${A};a,b,c\n`, by(';', 'column_1', 'column_2'), '2 A'],
  ['a title', `Holders of X\n\nid,Address\n1,${A}\n2,${B}\n`, by(',', 'id', 'Address'), '4 A, 5 B'],
  ['padded titles', `Holders;;\nMay;;\nid;owner;x\n1;${A};\n`, by(';', 'id', 'owner', 'x'), '4 A'],
  ['a title with commas', `May, all\na,holder,b\n1,${A},2\n`, by(',', 'a', 'holder', 'b'), '3 A'],
  ['unknown names', `Bericht\nKunde;Konto\nx;${A}\ny;${B}\n`, by(';', 'Kunde', 'Konto'), '3 A, 4 B'],
  ['unknown names below two rows', `Bericht\nMai\nKunde;Konto\nx;${A}\n`, by(';', 'Kunde', 'Konto'), '4 A'],
  ['ten title rows', `${'t\n'.repeat(10)}id,owner\n1,${A}\n`, by(',', 'id', 'owner'), '12 A'],
  ['bars', `address|name\n${A}|x, y\n${B}|z\n`, by('|', 'address', 'name'), '2 A, 3 B'],
  ['bars without a header', `1|${A}\n2|${B}\n`, by('|', 'column_1', 'column_2'), '1 A, 2 B'],
])('reads a table with %s', async (_, content, head, rows) => {
  const list = await read(content);
  expect(list.head).toMatchObject(head);
  expect(walletsOf(list.records)).toBe(rows);
});

it.each([
  ['a first row that is no wallet', `name,address\nfoo,bar\nx,${A}\n`, 2],
  ['rows above the first wallet', `id,n\nfoo,1\nbar,2\n${A},3\n`, 3],
  ['words above a plain list', `foo\nbar\n${A}\n`, 3],
  ['two words above two names', `foo,bar\nname,address\nx,${A}\n`, 2],
  ['a bad address above the names', `0x12345\nname,address\nx,${A}\n`, 3],
  ['a row of numbers', `x\n1,2\n3,${A}\n`, 3],
  ['a row with a number', `x\nTotal,2\n3,${A}\n`, 3],
  ['a row that is longer than the first with a wallet', `x\nfoo,bar,baz\n1,${A}\n2,${B},y\n`, 4],
  ['more rows than a title has', `${'t\n'.repeat(11)}id,owner\n1,${A}\n`, 13],
])('does not take for a title %s', async (_, content, count) => {
  expect((await read(content)).records).toHaveLength(count);
});

it.each([
  ['sep=;x', ['sep=', 'x']],
  ['x sep=;', ['x sep=', '']],
])('reads a header that contains sep= among other text: %s', async (first, columns) => {
  expect((await read(`${first}\na;${A}\n`)).head.columns).toEqual(columns);
});

it('takes no line above a single word for a title', async () => {
  const { head, records } = await read(`a,b\nc,d\nfoo\n${A}\n`, { column: '1' });
  expect([head.columns, records.length]).toEqual([['a', 'b'], 3]);
});

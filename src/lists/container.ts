/**
 * What the bytes of a list come packed in, by their first ones: gzip is unpacked, what holds no text is named with the way
 * out, since "not valid UTF-8" would help nobody who has exported a workbook.
 */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ListDamage } from './damage.ts';
import { readAhead } from './read-ahead.ts';

// All that is told apart here shows in as many bytes, and no list that may be read is shorter.
const MAGIC_LENGTH = 4;
const GZIP = '1f8b';
const ZIP = '504b0304';
/** The names of the first parts of a zip archive stand in as many. */
const ARCHIVE_LENGTH = 128;

/**
 * The bytes of `source`, without the gzip around them; they end with a ListDamage where that is damaged.
 * @throws ListDamage for what is no list of text.
 */
export async function unpack(source: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const { start, all } = await beginning(source);
  if (!start.toString('hex').startsWith(GZIP)) return checked(start, all);
  const inner = await beginning(gunzip(all));
  if (inner.start.toString('hex').startsWith(GZIP))
    throw foreign('gzip inside gzip', 'unpack it once, then give that file');
  return checked(inner.start, inner.all);
}

async function beginning(source: AsyncIterable<Uint8Array>) {
  const { taken, all } = await readAhead(source, {
    enough(chunks) {
      const start = Buffer.concat(chunks);
      return start.length >= (isZip(start) ? ARCHIVE_LENGTH : MAGIC_LENGTH);
    },
  });
  return { start: Buffer.concat(taken), all };
}

/** Memory holds a block of either side, whatever the data unpacks to. */
async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(source, { objectMode: false });
  const unpacked = createGunzip();
  packed.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  try {
    yield* unpacked;
  } catch (error) {
    throw damage(error);
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
}

/** What zlib found; anything else as it is. */
function damage(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !code.startsWith('Z_')) return error;
  const problem = code === 'Z_BUF_ERROR' ? 'the gzip data is truncated' : 'the gzip data is damaged';
  return new ListDamage(problem, { hint: 'download or compress the list again' });
}

const SPREADSHEET = 'save the sheet as "CSV UTF-8" and use that file';
const EXPORT = 'export the table as CSV and use that file';

/** What begins so, in hex, and the way out. */
const FOREIGN: readonly (readonly [magic: string, what: string, hint: string])[] = [
  ['d0cf11e0', 'an Excel workbook (.xls, or .xlsx with a password)', SPREADSHEET],
  ['25504446', 'a PDF', 'copy the addresses into a text file, one on each line'],
  ['425a68', 'compressed with bzip2', 'unpack it first: bzip2 -dc FILE | riskcli profile -'],
  ['fd377a58', 'compressed with xz', 'unpack it first: xz -dc FILE | riskcli profile -'],
  ['28b52ffd', 'compressed with zstd', 'unpack it first: zstd -dc FILE | riskcli profile -'],
  ['377abcaf', 'a 7z archive', 'unpack it and use the list inside'],
  ['50415231', 'a Parquet file', EXPORT],
  ['53514c69', 'an SQLite database', EXPORT],
  ['7b5c7274', 'a rich text document (.rtf)', 'save it as plain text and use that file'],
  ['89504e47', 'an image', 'put the addresses in a text file, one on each line'],
  ['ffd8ff', 'an image', 'put the addresses in a text file, one on each line'],
];

const isZip = (start: Buffer) => start.toString('hex', 0, MAGIC_LENGTH) === ZIP;

function checked(start: Buffer, all: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (isZip(start)) throw archive(start);
  const hex = start.toString('hex', 0, MAGIC_LENGTH);
  const found = FOREIGN.find(([magic]) => hex.startsWith(magic));
  if (!found) return all;
  const [, what, hint] = found;
  throw foreign(what, hint);
}

/** Office writes the names of its parts first; they are not compressed. */
function archive(start: Buffer): ListDamage {
  if (start.includes('application/vnd.oasis')) return foreign('a LibreOffice spreadsheet (.ods)', SPREADSHEET);
  if (start.includes('[Content_Types].xml') || start.includes('xl/') || start.includes('_rels/')) {
    return foreign('an Excel workbook (.xlsx)', SPREADSHEET);
  }
  return foreign('a zip archive', 'unpack it first: unzip -p FILE | riskcli profile -');
}

const foreign = (what: string, hint: string) => new ListDamage(`this is not a text list: it is ${what}`, { hint });

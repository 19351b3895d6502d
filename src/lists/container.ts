/**
 * The container of a list, known by its first bytes: gzip is unpacked, a zip archive may be a
 * workbook, and anything else that is not text is named with a remedy, since "not valid UTF-8"
 * would not help a user who has exported another kind of file.
 */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemCode } from '../files/file-error.ts';
import { readAhead } from './read-ahead.ts';
import { ListSyntaxError } from './syntax-error.ts';

// Enough to recognise everything below; no valid list is shorter.
const MAGIC_LENGTH = 4;
export const GZIP = '1f8b';
/** A local file header, or the end of the directory of an empty archive. */
const ZIP = ['504b0304', '504b0506'];

/**
 * The bytes of `source`, unpacked if they are gzip; they end with a ListSyntaxError where that is
 * damaged. And whether they are a zip archive, which may be a workbook.
 * @throws ListSyntaxError for what is neither text nor a zip archive
 */
export async function unpack(source: AsyncIterable<Uint8Array>) {
  const { start, all } = await startOfBytes(source);
  if (!start.toString('hex').startsWith(GZIP)) return recognised(start, all);
  const inner = await startOfBytes(gunzip(all));
  if (inner.start.toString('hex').startsWith(GZIP))
    throw foreignError('gzip inside gzip', 'unpack it once, then give that file');
  return recognised(inner.start, inner.all);
}

async function startOfBytes(source: AsyncIterable<Uint8Array>) {
  const { taken, all } = await readAhead(source, (chunks) => Buffer.concat(chunks).length >= MAGIC_LENGTH);
  return { start: Buffer.concat(taken), all };
}

/** Memory holds one block of each side, whatever the data unpacks to. */
async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(source);
  const unpacked = createGunzip();
  packed.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  try {
    yield* unpacked;
  } catch (error) {
    const code = String(systemCode(error));
    if (!code.startsWith('Z_')) throw error;
    const problem = code === 'Z_BUF_ERROR' ? 'the gzip data is truncated' : 'the gzip data is damaged';
    throw new ListSyntaxError(problem, { hint: 'download or compress the list again' });
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
}

const SPREADSHEET = 'save it as .xlsx without a password, or the sheet as "CSV UTF-8", and use that file';
const EXPORT = 'export the table as CSV and use that file';

/** First bytes in hex, what they mean, and the remedy. */
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

function recognised(start: Buffer, bytes: AsyncIterable<Uint8Array>) {
  const hex = start.toString('hex', 0, MAGIC_LENGTH);
  const found = FOREIGN.find(([magic]) => hex.startsWith(magic));
  if (!found) return { bytes, isZip: ZIP.includes(hex) };
  const [, what, hint] = found;
  throw foreignError(what, hint);
}

export const foreignError = (what: string, hint: string) => new ListSyntaxError(`it is ${what}, not a list`, { hint });

/**
 * Bytes to text: UTF-8 or UTF-16, with or without a byte order mark, decoded strictly, since a
 * wrong guess would corrupt the columns that are passed through. Excel still writes UTF-16, and so
 * does a PowerShell redirection.
 */
import { isUtf8 } from 'node:buffer';
import { readAhead } from './read-ahead.ts';
import { ListSyntaxError } from './syntax-error.ts';

/**
 * Decodes `source`; the blocks end with a ListSyntaxError, without its line, where the bytes are
 * invalid.
 */
export async function readListText(source: AsyncIterable<Uint8Array>) {
  const size = (chunks: readonly Uint8Array[]) => chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const { taken, all } = await readAhead(source, (chunks) => size(chunks) >= 4);
  const { encoding, mark } = detect(Buffer.concat(taken).subarray(0, 4));
  return {
    /** Whether it began with a byte order mark, which is not part of the text. */
    bom: mark > 0,
    /** The offset of the text, in bytes; undefined for a text that is not UTF-8. */
    byteAt: encoding === 'utf-8' ? mark : undefined,
    /** The text in blocks, which may end anywhere. */
    blocks: decode(skip(all, mark), encoding),
  };
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The encoding that the first four bytes show, and the length of the byte order mark. */
function detect(start: Buffer): { readonly encoding: Encoding; readonly mark: number } {
  const hex = start.toString('hex');
  if (hex.startsWith('efbbbf')) return { encoding: 'utf-8', mark: 3 };
  if (hex.startsWith('fffe')) return { encoding: 'utf-16le', mark: 2 };
  if (hex.startsWith('feff')) return { encoding: 'utf-16be', mark: 2 };
  // Without a mark, two ASCII characters reveal UTF-16: every other byte is zero.
  const zeros = [...start].map((byte) => (byte === 0 ? '0' : 'x')).join('');
  if (zeros === 'x0x0') return { encoding: 'utf-16le', mark: 0 };
  if (zeros === '0x0x') return { encoding: 'utf-16be', mark: 0 };
  return { encoding: 'utf-8', mark: 0 };
}

async function* skip(chunks: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    yield bytes.subarray(left);
    left = Math.max(0, left - bytes.length);
  }
}

async function* decode(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  for await (const chunk of chunks) {
    const text = textOrNone(() => decoder.decode(chunk, { stream: true }));
    if (text === undefined) yield* refused(chunk, encoding);
    else yield text;
  }
  // The rest is a part of a character.
  if (textOrNone(() => decoder.decode()) !== undefined) return;
  if (encoding === 'utf-8') throw notUtf8(Buffer.alloc(0));
  const hint = 'the file is cut short: export it again';
  throw new ListSyntaxError('it ends in the middle of a UTF-16 character', { hint });
}

function textOrNone(decoding: () => string): string | undefined {
  try {
    return decoding();
  } catch {
    return undefined;
  }
}

/**
 * The valid lines of a block that is not valid as a whole, so that the error has the right line;
 * then throws.
 */
function* refused(block: Buffer, encoding: Encoding): Generator<string> {
  if (encoding !== 'utf-8') throw new ListSyntaxError('not valid UTF-16', AS_UTF8);
  const LINE_FEED = 0x0a;
  // The block may begin within a character.
  let from = block.findIndex((byte) => byte < 0x80 || byte >= 0xc0);
  let end = block.indexOf(LINE_FEED);
  while (end >= 0 && isUtf8(block.subarray(from, end))) {
    from = end + 1;
    end = block.indexOf(LINE_FEED, from);
  }
  yield block.toString('utf8', 0, from);
  throw notUtf8(block.subarray(from, end < 0 ? undefined : end));
}

/** @param line the first one that is not UTF-8 */
function notUtf8(line: Buffer): ListSyntaxError {
  // Bytes that Windows-1252 does not use, and control characters that no text has.
  const isEightBit = line.every((byte) => byte > 0x1f || byte === 0x09 || byte === 0x0d) && !hasUnused(line);
  return isEightBit
    ? new ListSyntaxError('not valid UTF-8 (it looks like Windows-1252)', {
        hint: 'save it in Excel as "CSV UTF-8", or convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE > list.csv',
      })
    : new ListSyntaxError('not valid UTF-8', AS_UTF8);
}

const AS_UTF8 = { hint: 'save the list as UTF-8 text and run the same command again', isResumable: true };

const hasUnused = (line: Buffer) => [0x81, 0x8d, 0x8f, 0x90, 0x9d].some((byte) => line.includes(byte));
